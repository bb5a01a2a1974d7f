/** The choices of the export dialog, and the request to the core that they make. */

import type { OutputOption } from "../../../core/tables/formats.ts";
import { FORMATS, type OutputRow } from "../../../core/tables/formats.ts";
import { hasOtelNames, PRESETS } from "../../../core/tables/presets.ts";
import type { Filter, OtlpFormat, OutputFormat, PresetName, Resource, WriteOptions } from "../../../core/types.ts";
import { type Measured, measureType, measureWord } from "../../words/measure.ts";
import { isShown, SHOWN_FORMATS, type ShownFormat, type ShownRow } from "../../words/shown-formats.ts";
import { downloadName } from "./file-name.ts";

export interface ExportChoice {
  target: "file" | "receiver";
  format: OutputFormat | ShownFormat;
  preset: PresetName;
  /** All profiles, not only the one on screen. */
  all: boolean;
  gzip: boolean;
  /** JSON over many lines. */
  pretty: boolean;
  /** pprof with a sample for each observation, which has its time. */
  timestamps: boolean;
  /** Generated names without what differs from run to run. */
  normaliseNames: boolean;
  withRecordings: boolean;
  /** Of a picture. */
  dark: boolean;
  /** Attributes of the Resource, as they are in the dialog. */
  attributes: Pair[];
}

/** One that is made of samples, not of a drawing. */
export type WriteChoice = ExportChoice & { format: OutputFormat };

/** A key and its value in a list to edit. */
export interface Pair {
  key: string;
  value: string;
}

export const SERVICE_NAME = "service.name";

/** The defaults, with facts of the recordings about the process. */
export function firstChoice(said: Resource): WriteChoice {
  const { [SERVICE_NAME]: service = "", ...others } = said;
  return {
    target: "file",
    format: FORMATS[0]?.name ?? "otlp",
    preset: PRESETS[0]?.name ?? "default",
    all: true,
    gzip: false,
    pretty: false,
    timestamps: false,
    normaliseNames: false,
    withRecordings: false,
    dark: false,
    attributes: Object.entries({ [SERVICE_NAME]: service, ...others }).map(([key, value]) => ({
      key,
      value: String(value),
    })),
  };
}

/** A receiver takes OTLP and nothing else. */
export function isOtlp(format: ExportChoice["format"]): format is OtlpFormat {
  return format === "otlp" || format === "otlp-json";
}

/** What the dialog's list offers. */
export const OFFERED: OutputRow<ExportChoice["format"]>[] = [...FORMATS, ...SHOWN_FORMATS];

export function offered(name: ExportChoice["format"]): OutputRow & Pick<ShownRow, "pageOnly"> {
  return OFFERED.find((row) => row.name === name)!;
}

/** The check boxes of the dialog for a choice. Reports and pictures have no boxes. */
export function dialogOptions({ format, target }: Pick<ExportChoice, "format" | "target">): DialogOption[] {
  if (isShown(format)) return [];
  const { options } = offered(format);
  return DIALOG_OPTIONS.filter(
    ({ option, fileOnly, only = format }) =>
      options.includes(option) && only === format && !(fileOnly === true && target === "receiver"),
  );
}

/** The choice made possible: what its format or its target cannot do is put away. */
export function settled(choice: ExportChoice): ExportChoice {
  const format = choice.target === "receiver" && !isOtlp(choice.format) ? "otlp" : choice.format;
  const { single = false, compressed = false } = offered(format);
  const has = dialogOptions({ format, target: choice.target }).map(({ key }) => key);
  return {
    ...choice,
    format,
    // Other formats have different names.
    preset: isOtlp(format) ? choice.preset : "default",
    all: choice.all && !single,
    gzip: (choice.gzip || compressed) && has.includes("gzip"),
    pretty: choice.pretty && has.includes("pretty"),
    timestamps: choice.timestamps && has.includes("timestamps"),
    normaliseNames: choice.normaliseNames && has.includes("normaliseNames"),
    withRecordings: choice.withRecordings && has.includes("withRecordings"),
  };
}

/** All measures of a profile together: OpenTelemetry's names come with both, pprof has them side by side. */
function hasBothMeasures({ format, preset }: ExportChoice): boolean {
  return format === "pprof" || hasOtelNames(preset);
}

/** The measure that is written, by index; undefined leaves it to preset and format. */
function measureOf(choice: ExportChoice, profile: Measured): number | undefined {
  return choice.all || hasBothMeasures(choice) ? undefined : profile.measure;
}

/** The measures written of a profile that has two, in words. */
export function measureWords(choice: ExportChoice, profile: Measured): string {
  if (profile.measures.length < 2) return "";
  if (hasBothMeasures(choice)) return profile.measures.map((_, i) => measureWord(profile, i)).join(" and ");
  return measureWord(profile, choice.all ? 0 : profile.measure);
}

export function writeOptions(choice: WriteChoice, profile: Measured, said: Resource): WriteOptions {
  const { format, preset, pretty, timestamps, attributes } = choice;
  const measure = measureOf(choice, profile);
  const resource = resourceChanges(said, attributes);
  return { format, preset, pretty, timestamps, resource, ...(measure === undefined ? {} : { measure }) };
}

/** What the rows say otherwise than the recordings; an empty text takes an attribute out. */
export function resourceChanges(said: Resource, rows: readonly Pair[]): Resource {
  const wanted = new Map(rows.map(({ key, value }) => [key.trim(), value]));
  const gone = Object.keys(said).filter((key) => !wanted.has(key));
  const saidOf = (key: string) => String(Object.hasOwn(said, key) ? said[key] : "");
  const changed = [...wanted].filter(([key, value]) => key !== "" && value !== saidOf(key));
  return { ...Object.fromEntries(gone.map((key) => [key, ""])), ...Object.fromEntries(changed) };
}

/** `recording.cpu.root-4657….pb.gz`. */
export function exportName(files: string[], choice: ExportChoice, profile: Measured, filter: Filter): string {
  const name = downloadName(files, choice.all ? null : measureType(profile), filter, choice.format);
  return choice.gzip && offered(choice.format).compressed !== true ? `${name}.gz` : name;
}

/** The table of boxes in the export dialog: the options of the format tables that it offers, and their words. */
interface DialogOption {
  option: OutputOption;
  /** What it changes of the choice. */
  key: "gzip" | "normaliseNames" | "timestamps" | "pretty" | "withRecordings";
  /** Hook for tests: `export-ID`. */
  id: string;
  label: string;
  about: Record<"file" | "receiver", string>;
  /** For files, not for sent messages. */
  fileOnly?: boolean;
  /** Where the dialog offers less than the command line. */
  only?: OutputFormat;
}

const both = (about: string) => ({ file: about, receiver: about });

const DIALOG_OPTIONS: readonly DialogOption[] = [
  {
    option: "gzip",
    key: "gzip",
    id: "gzip",
    label: "gzip",
    about: {
      file: "compress the file",
      receiver: "compress the messages; the receiver must allow the content-encoding header",
    },
  },
  {
    option: "timestamps",
    key: "timestamps",
    id: "timestamps",
    label: "times",
    about: both("every sample with its timestamp; larger"),
  },
  {
    option: "normalise-names",
    key: "normaliseNames",
    id: "normalise-names",
    label: "names",
    about: both("normalise generated names, which differ from run to run"),
  },
  {
    option: "pretty",
    key: "pretty",
    id: "pretty",
    label: "indent",
    about: both("indented JSON over several lines"),
    fileOnly: true,
    // The JSON of viewers is not read by people.
    only: "otlp-json",
  },
  {
    option: "include-payload",
    key: "withRecordings",
    id: "recording",
    label: "recording",
    about: both("attach the original recording (unfiltered)"),
    fileOnly: true,
    only: "otlp",
  },
];
