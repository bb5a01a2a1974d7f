/**
 * The filters as options of the command line, a row for each kind: what the help says of them, how their texts are
 * read, and how a condition is printed. The page loads this with the export dialog.
 */
import type { AttributeFilter, CallPart, CallPartName, FrameFilter } from "../../../core/types.ts";
import { isTrace } from "../../words/ids.ts";
import { readId } from "../../words/pasted-ids.ts";
import { type Conditions, type FilterChip, type FilterKind, filterRow, pairIn } from "../filters.ts";
import { momentIn, NO_MOMENT } from "../moment.ts";
import { loadedPattern } from "../pattern.ts";
import { ROOT_CHOICES, rootLevel } from "../root-by.ts";

/** An option of the command line that cannot be read. */
export class OptionError extends Error {}

interface FilterOption<Condition> {
  /** The word for its value in the help; a flag has none. */
  value?: string;
  /** A phrase without a full stop. */
  about: string;
  /** The last one counts. */
  single?: true;
  /** Names that it had in the version before. */
  former?: readonly string[];
  /** The condition that a text is, `""` of a flag. Throws OptionError. `option`: with its dashes. */
  read(text: string, option: string): Condition | Promise<Condition>;
}

interface OptionsRow<Condition> {
  /** By name, in the order of the help. */
  options: Readonly<Record<string, FilterOption<Condition>>>;
  /** What several options together are. */
  joined?(conditions: Condition[]): Condition[];
  /** Options that are read as the condition; null where none are. */
  args(condition: Condition): readonly string[] | null;
}

const MAX_TIME = (1n << 64n) - 1n;

export const FILTER_OPTIONS: { readonly [Kind in FilterKind]: OptionsRow<Conditions[Kind]> } = {
  file: {
    options: {
      file: {
        value: "NAME",
        about: "samples of the input with this name, or of the inputs in this folder or archive; info lists the names",
        single: true,
        read: (name) => ({ name }),
      },
    },
    // It is the only input of the command.
    args: () => [],
  },
  "local-root": {
    options: {
      "local-root": {
        value: "ID",
        about: "samples of this request: decimal, 0x-hex, or hex with at least one letter",
        read: rootOf,
      },
      "trace-id": {
        value: "ID",
        about: "samples of this trace: 32 hex digits, a traceparent, a header of B3 or Datadog, or a log line with one",
        read: rootOf,
      },
    },
    args: ({ id }) => ["--local-root", idText(id)],
  },
  span: {
    options: { span: { value: "ID", about: "samples of this span", read: spanOf } },
    args: ({ id }) => ["--span", idText(id)],
  },
  "no-span": {
    options: { "no-span": { about: "samples with neither a span id nor a local root", read: () => ({}) } },
    args: () => ["--no-span"],
  },
  attribute: {
    options: {
      attr: {
        value: "KEY=VALUE or KEY!=VALUE",
        about: "samples with, or with != without, this attribute value",
        read: signedPair,
      },
      thread: {
        value: "NAME",
        about: "samples of the thread with this name",
        read: (value) => ({ key: "thread.name", value }),
      },
    },
    args: ({ key, value, exclude }) => pairArgs("attr", key, value, exclude),
  },
  frame: {
    options: {
      frame: {
        value: "REGEX",
        about: "samples with a function that matches (RE2 syntax; case-sensitive if REGEX has a capital letter)",
        read: frameOf,
      },
      "not-frame": {
        value: "REGEX",
        about: "samples without such a function",
        read: async (pattern, option) => ({ ...(await frameOf(pattern, option)), exclude: true }),
      },
    },
    args: ({ pattern, exclude }) => [`--${exclude === true ? "not-frame" : "frame"}=${pattern}`],
  },
  "root-frame": {
    options: {
      "root-frame": {
        value: "LEVEL=NAME",
        about:
          "samples below, or with != not below, a root frame of --root-by, such as endpoint=/checkout or thread-pool=http-*",
        read(text, option) {
          const { key: by, value: name, ...exclude } = signedPair(text, option);
          if (rootLevel(by) !== null) return { by, name, ...exclude };
          throw new OptionError(`${option}: ${JSON.stringify(by)} is not one of ${ROOT_CHOICES.join(", ")}`);
        },
      },
      endpoint: {
        value: "E",
        about: "samples of this endpoint, such as 'GET /checkout'; spans --by endpoint lists them",
        read: (name) => ({ by: "endpoint", name }),
      },
    },
    args: ({ by, name, exclude }) => pairArgs("root-frame", by, name, exclude),
  },
  time: {
    options: {
      since: {
        value: "TIME",
        about:
          "samples from this time on: a duration before now such as 1d, ISO 8601 (UTC without a zone), or ns since 1970",
        single: true,
        former: ["from"],
        read: (text, option) => ({ from: momentOf(text, option), to: MAX_TIME }),
      },
      until: {
        value: "TIME",
        about: "samples before this time",
        single: true,
        former: ["to"],
        read: (text, option) => ({ from: 0n, to: momentOf(text, option) }),
      },
    },
    joined: ([first, ...others]) => {
      if (first === undefined) return [];
      const both = others.reduce(({ from, to }, other) => {
        return { from: other.from > from ? other.from : from, to: other.to < to ? other.to : to };
      }, first);
      return [both];
    },
    args: ({ from, to }) => ["--since", `${from}`, "--until", `${to}`],
  },
  // Their options are those of the group for calls (src/cli/calls/dump-calls.ts).
  calls: { options: {}, args: partArgs },
  spans: { options: {}, args: () => null },
};

/** The row of a kind, for conditions of that kind only. */
export const filterOptions = (kind: FilterKind) => FILTER_OPTIONS[kind] as OptionsRow<object>;

/** The conditions of a kind that options state, by their names, each with the texts that it was given. */
export async function conditionsGiven(kind: FilterKind, given: Readonly<Record<string, readonly string[]>>) {
  const { options, joined = (conditions) => conditions } = filterOptions(kind);
  const read = Object.entries(options).flatMap(([name, option]) =>
    (given[name] ?? []).map((text) => option.read(text, `--${name}`)),
  );
  return joined(await Promise.all(read));
}

/** Conditions as options, and those that no option states, in words. */
export function argsOf(chips: readonly FilterChip[]): { args: string[]; missing: string[] } {
  const printed = chips.map((chip) => ({ chip, args: filterOptions(chip.kind).args(chip) }));
  return {
    args: printed.flatMap(({ args }) => args ?? []),
    missing: printed.flatMap(({ chip, args }) =>
      args === null ? `the filter ${filterRow(chip.kind).words(chip, []).full}` : [],
    ),
  };
}

/** A trace has more than 64 bits, and needs no mark to be read as hex. */
const idText = (id: bigint) => (isTrace(id) ? id.toString(16).padStart(32, "0") : `0x${id.toString(16)}`);

function idOf(text: string, option: string) {
  const read = readId(text);
  if (!read.ok) throw new OptionError(`${option}: ${read.error}`);
  return read;
}

function rootOf(text: string, option: string) {
  return { id: idOf(text, option).id };
}

function spanOf(text: string, option: string): { id: bigint } {
  const { span } = idOf(text, option);
  if (span === null) throw new OptionError(`${option}: ${JSON.stringify(text)} does not fit in 64 bits`);
  return { id: span };
}

/** Null for a key that is read as another one. */
function pairArgs(option: string, key: string, value: string, exclude = false): string[] | null {
  return key.includes("=") || key.endsWith("!") ? null : [`--${option}=${key}${exclude ? "!" : ""}=${value}`];
}

/** `KEY=VALUE`, or `KEY!=VALUE` to exclude the value. */
function signedPair(text: string, option: string): AttributeFilter {
  const { key, value } = pairOf(option, text);
  return key.endsWith("!") && key.length > 1 ? { key: key.slice(0, -1), value, exclude: true } : { key, value };
}

/** Throws OptionError. */
export function pairOf(option: string, text: string): { key: string; value: string } {
  const pair = pairIn(text);
  if (pair === null) throw new OptionError(`${option}: ${JSON.stringify(text)} is not KEY=VALUE`);
  return pair;
}

async function frameOf(pattern: string, option: string): Promise<FrameFilter> {
  const { error } = await loadedPattern(pattern);
  if (error !== null) throw new OptionError(`${option}: ${error}`);
  return { pattern };
}

/** Nanoseconds since 1970, of a duration before now or a time. Throws OptionError. */
export function momentOf(text: string, option: string): bigint {
  const moment = momentIn(text, Date.now());
  if (moment === null) throw new OptionError(`${option}: ${JSON.stringify(text)} ${NO_MOMENT}`);
  return moment;
}

/** Options of the group for calls that take the text of a condition. */
const CALL_OPTIONS: Partial<Record<CallPartName, string>> = {
  min: "min-ms",
  max: "max-ms",
  roots: "roots",
  text: "query",
  param: "attr",
};

function partArgs(part: CallPart): string[] | null {
  if (part.part === "ids") return part.ids.map((id) => `--call=${id}`);
  const option = CALL_OPTIONS[part.part];
  if (option !== undefined) return [`--${option}=${part.text}`];
  const at = part.part === "not-param" ? part.text.indexOf("=") : -1;
  return at > 0 ? [`--attr=${part.text.slice(0, at)}!${part.text.slice(at)}`] : null;
}
