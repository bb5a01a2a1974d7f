/** What the commands share of their arguments: inputs, a profile type, filters. */
import { type ParseArgsConfig, parseArgs } from "node:util";
import { PRESETS } from "../core/presets.ts";
import type { AttributeFilter, ExtraEvent, Filter, FrameFilter, PresetName, Resource } from "../core/types.ts";
import { loadedPattern } from "../model/query/pattern.ts";
import { isTrace, parseId } from "../model/words/ids.ts";
import { UsageError } from "./exit.ts";

export type Options = NonNullable<ParseArgsConfig["options"]>;

/** What the commands that read recordings share. */
export const READ_OPTIONS = {
  event: { type: "string" },
  value: { type: "string" },
  strict: { type: "boolean" },
} as const satisfies Options;

export const FILTER_OPTIONS = {
  ...READ_OPTIONS,
  type: { type: "string" },
  span: { type: "string", multiple: true },
  "local-root": { type: "string", multiple: true },
  attr: { type: "string", multiple: true },
  thread: { type: "string", multiple: true },
  frame: { type: "string", multiple: true },
  from: { type: "string" },
  to: { type: "string" },
} as const satisfies Options;

/** How the message is to be said. */
export const MESSAGE_OPTIONS = {
  preset: { type: "string" },
  resource: { type: "string", multiple: true },
} as const satisfies Options;

export function presetOf(name: string | undefined): PresetName {
  if (name === undefined) return "default";
  const known = PRESETS.find((preset) => preset.name === name);
  if (known !== undefined) return known.name;
  throw new UsageError(`--preset: ${JSON.stringify(name)} is none of ${PRESETS.map((p) => p.name).join(", ")}`);
}

/** `KEY=VALUE`: attributes of the Resource, as texts; an empty VALUE takes one out. */
export function resourceOf(texts: string[] | undefined): Resource {
  return Object.fromEntries((texts ?? []).map((text) => keyValue("--resource", text)));
}

/** What the options say of the profile: one of the catalogue's, or one made of an event. */
export interface ProfileChoice {
  type?: string | undefined;
  event?: string | undefined;
  value?: string | undefined;
}

/** The event that `--event` and `--value` name, to be profiled beside the catalogue's. */
export function extraEvents({ type, event, value }: ProfileChoice): ExtraEvent[] {
  if (event === undefined) return [];
  if (type !== undefined) throw new UsageError("--type and --event exclude each other");
  if (event === "") throw new UsageError("--event: no event is named");
  return [value === undefined ? { event } : { event, value }];
}

/** parseArgs, its complaints as usage errors, and at least one input asked for. */
export function parse<T extends Options>(args: string[], options: T) {
  let parsed: ReturnType<typeof parseArgs<{ options: T; allowPositionals: true; args: string[] }>>;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  return parsed;
}

export function someInputs(inputs: string[]): string[] {
  if (inputs.length === 0) throw new UsageError("no input file was named");
  if (inputs.filter((path) => path === "-").length > 1) throw new UsageError("- can be named once");
  return inputs;
}

interface FilterValues {
  span?: string[];
  "local-root"?: string[];
  attr?: string[];
  thread?: string[];
  frame?: string[];
  from?: string;
  to?: string;
}

export async function parseFilter(values: FilterValues): Promise<Filter> {
  const filter: Filter = {};
  const { span, "local-root": localRoot, attr = [], thread = [], frame, from, to } = values;
  if (span !== undefined) filter.span = span.map(spanOf);
  if (localRoot !== undefined) filter.localRoot = localRoot.map((text) => idOf("--local-root", text));
  const attributes = [...attr.map(attributeOf), ...thread.map((value) => ({ key: "thread.name", value }))];
  if (attributes.length > 0) filter.attributes = attributes;
  if (frame !== undefined) filter.frames = await Promise.all(frame.map(frameOf));
  if (from !== undefined || to !== undefined) {
    filter.time = {
      from: from === undefined ? 0n : momentOf("--from", from),
      to: to === undefined ? MAX_TIME : momentOf("--to", to),
    };
  }
  return filter;
}

const MAX_TIME = (1n << 64n) - 1n;

/** Nanoseconds since 1970, or a date and time as ISO 8601 writes it. */
function momentOf(option: string, text: string): bigint {
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  const millis = Date.parse(text);
  if (Number.isNaN(millis))
    throw new UsageError(`${option}: ${JSON.stringify(text)} is neither ns since 1970 nor a time`);
  return BigInt(millis) * 1_000_000n;
}

async function frameOf(pattern: string): Promise<FrameFilter> {
  const { error } = await loadedPattern(pattern);
  if (error !== null) throw new UsageError(`--frame: ${error}`);
  return { pattern };
}

function spanOf(text: string): bigint {
  const id = idOf("--span", text);
  if (isTrace(id)) throw new UsageError(`--span: ${JSON.stringify(text)} does not fit in 64 bits`);
  return id;
}

function idOf(option: string, text: string): bigint {
  const parsed = parseId(text);
  if (!parsed.ok) throw new UsageError(`${option}: ${parsed.error}`);
  return parsed.id;
}

/** `KEY=VALUE`, or `KEY!=VALUE` for what is left out. */
function attributeOf(text: string): AttributeFilter {
  const [key, value] = keyValue("--attr", text);
  return key.endsWith("!") && key.length > 1 ? { key: key.slice(0, -1), value, exclude: true } : { key, value };
}

function keyValue(option: string, text: string): [key: string, value: string] {
  const at = text.indexOf("=");
  if (at <= 0) throw new UsageError(`${option}: ${JSON.stringify(text)} is not KEY=VALUE`);
  return [text.slice(0, at), text.slice(at + 1)];
}

export function countOf(
  option: string,
  text: string | undefined,
  otherwise: number,
  most: number = Number.MAX_SAFE_INTEGER,
): number {
  if (text === undefined) return otherwise;
  if (!/^\d+$/.test(text)) throw new UsageError(`${option}: ${JSON.stringify(text)} is not a number`);
  if (Number(text) > most) throw new UsageError(`${option}: ${text} is more than ${most}`);
  return Number(text);
}
