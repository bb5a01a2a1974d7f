/** The command line that writes the file of the export dialog: the same inputs, samples and options. */
import { extraType } from "../../../core/tables/extra-events.ts";
import type { ExtraEvent, Resource } from "../../../core/types.ts";
import type { Measured } from "../../words/measure.ts";
import { isShown } from "../../words/shown-formats.ts";
import { filterChipsOf } from "../chips.ts";
import { argsOf } from "../filters.ts";
import { filterOf, type QueryState } from "../query.ts";
import { rootsText } from "../root-by.ts";
import { ruleText } from "../run-rules.ts";
import { truncatedOf } from "../truncated.ts";
import {
  type ExportChoice,
  isOtlp,
  offered,
  resourceChanges,
  type WriteChoice,
  writeOptions,
} from "./export-choice.ts";

export interface CommandSubject {
  /** Of the files on the page. */
  names: readonly string[];
  query: QueryState;
  profile: Measured;
  choice: ExportChoice;
  /** Attributes of the process, from the recordings. */
  said: Resource;
  /** Name of the file. */
  output: string;
  /** Of a receiver. */
  endpoint: string;
}

export interface Command {
  args: string[];
  /** What the page does and no option does; empty where the command writes the same. */
  missing: string[];
}

/** Of a format that the command line has. */
export function commandOf(subject: CommandSubject): Command {
  const { names, query, choice, output, endpoint } = subject;
  const filter = filterOf(query);
  // A chosen file is an input, not a filter.
  const chosen = names.filter((name) => filter.file === undefined || name === filter.file);
  // A run of a dump is no input.
  const inputs = chosen.length === 0 ? names : chosen;
  const sends = choice.target === "receiver";
  const profile = profileOptions(subject);
  const filters = argsOf(filterChipsOf(filter));
  const drawing = drawingOptions(subject);
  const run = chosen.length === 0 ? [`the choice of ${filter.file ?? ""}`] : [];
  return {
    args: [
      sends ? "push" : "convert",
      ...inputs.map((name) => (name.startsWith("-") ? `./${name}` : name)),
      ...(sends ? ["--to", endpoint] : ["-o", output.startsWith("-") ? `./${output}` : output]),
      ...profile.args,
      ...(query.inferred ? ["--inferred"] : []),
      ...filters.args,
      ...(filter.rawNames === true ? ["--raw-names"] : []),
      ...drawing.args,
      ...messageOptions(subject),
    ],
    missing: [...run, ...profile.missing, ...filters.missing, ...drawing.missing],
  };
}

/** For a shell of POSIX: a word as it is, or in quotes. */
export function shellWords(args: readonly string[]): string {
  return args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`)).join(" ");
}

function profileOptions({ query: { extra }, profile, choice, said }: CommandSubject): Command {
  const missing: string[] = [];
  if (choice.all) {
    if (extra.length > 0) missing.push("profiles of other events");
    return { args: [], missing };
  }
  const measure = isShown(choice.format) ? profile.measure : writeOptions(choice as WriteChoice, profile, said).measure;
  const event = extra.find((each) => extraType(each) === profile.otlpType);
  if (event !== undefined) {
    if (measure !== undefined && measure > 0) missing.push("the number of events as the value");
    return { args: eventOptions(event), missing };
  }
  const value = measure === undefined || profile.measures.length < 2 ? undefined : profile.measures[measure]?.name;
  return { args: ["--type", profile.type, ...(value === undefined ? [] : ["--value", value])], missing };
}

const eventOptions = ({ event, value }: ExtraEvent) => [
  "--event",
  event,
  ...(value === undefined ? [] : ["--value", value]),
];

/** What only the graph on screen has. */
function drawingOptions({ query, choice }: CommandSubject): Command {
  const { shape, search, grouping, focus, past } = query;
  const args: string[] = [];
  const missing: string[] = [];
  const hasRoots = offered(choice.format).options.includes("root-by");
  if (hasRoots && shape.roots.length > 0) args.push("--root-by", rootsText(shape.roots));
  if (hasRoots) args.push(...shape.runs.map((rule) => `--collapse=${ruleText(rule)}`));
  if (hasRoots && shape.opened.length > 0) missing.push("open runs of frames");
  const atRoot = truncatedOf(query) === "at-root";
  if (hasRoots && atRoot) args.push("--truncated=at-root");
  if (!isShown(choice.format)) return { args, missing };
  if (shape.from !== "" || shape.merged.length > (atRoot ? 1 : 0) || shape.recursion !== "kept" || shape.lines)
    missing.push("changes of the call tree");
  if (grouping !== "stacks") missing.push("the direction of the graph");
  if (choice.format === "html") return { args, missing };
  if (focus > 0 || past > 0) missing.push("the zoom");
  if (search !== "") missing.push("the marks of the search");
  if (choice.dark) missing.push("dark colours");
  return { args, missing };
}

function messageOptions({ choice, said }: CommandSubject): string[] {
  const { format, target, preset, pretty, timestamps, gzip, normaliseNames, withRecordings, attributes } = choice;
  const sends = target === "receiver";
  const resource = isOtlp(format) ? Object.entries(resourceChanges(said, attributes)) : [];
  const isCompressed = offered(format).compressed === true;
  return [
    ...(sends ? [] : ["--format", format]),
    ...(sends && format === "otlp-json" ? ["--encoding", "json"] : []),
    ...(preset === "default" ? [] : ["--preset", preset]),
    ...resource.map(([key, value]) => `--resource=${key}=${String(value)}`),
    ...(normaliseNames ? ["--normalise-names"] : []),
    ...(pretty ? ["--pretty"] : []),
    ...(timestamps ? ["--timestamps"] : []),
    ...(gzip && !isCompressed ? ["--gzip"] : []),
    ...(withRecordings ? ["--include-payload"] : []),
  ];
}
