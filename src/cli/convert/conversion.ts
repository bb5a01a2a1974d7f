/** A conversion: what `convert` writes of a core, by its options. They are checked before anything is read. */
import type { Core } from "../../core/core.ts";
import { splitByProfile } from "../../core/split.ts";
import {
  FORMATS,
  type FormatRow,
  formatOfFile,
  formatRow,
  OUTPUT_OPTIONS,
  type OutputRow,
} from "../../core/tables/formats.ts";
import type { FrameFilter, PresetName, Resource, WriteOptions, WriteTotals } from "../../core/types.ts";
import type { Chipped } from "../../model/query/chips.ts";
import type { Shape } from "../../model/query/shape.ts";
import { shapeKey } from "../../model/query/shape.ts";
import { TRUNCATED_PATTERN } from "../../model/query/truncated.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { isShown, type ShownRow, shownRow } from "../../model/words/shown-formats.ts";
import { countOf, parseFilter, presetOf, resourceOf, shapeOf, truncatedAs } from "../../node/arguments.ts";
import { UsageError } from "../../node/exit.ts";
import { chosenProfiles, onlyProfile } from "../../node/read.ts";
import { signalsServed, type Target } from "../../node/replacement.ts";
import { numbered } from "../../node/same-file.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { WRITTEN } from "../../node/usage/options.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { Output, type OutputOptions } from "./output.ts";
import type { RecordingPayload } from "./payload.ts";

export type ConvertValues = CallOf<"convert">["values"];

/** Files to write to. */
export interface OutputFiles {
  open(path: string): Target;
}

export interface Conversion {
  values: ConvertValues;
  row: FormatRow | ShownRow;
  chipped: Chipped & { shape: Shape };
  framed: boolean;
  /** Bytes of a message; 0 for no limit. */
  limit: number;
  preset: PresetName;
  resource: Resource;
}

/** Whether each observation of a recording has its own value. */
export function hasEachValue({ row, preset }: Pick<Conversion, "row" | "preset">): boolean {
  return ["otlp", "otlp-json"].includes(row.name) && preset === "default";
}

/** Reports infer context, as `why` does. */
export function infers({ row, values }: Pick<Conversion, "row" | "values">): boolean {
  return isReport({ row }) || values.inferred === true;
}

/** Whether it writes the report, which has the spans of its files. */
export function isReport({ row }: Pick<Conversion, "row">): boolean {
  return row.name === "html";
}

/** The format that the options name, or else the name of the output. */
export function formatOf(name: string | undefined, output: string): FormatRow | ShownRow {
  const ending = /\.(\w+)(?:\.gz)?$/i.exec(output)?.[1]?.toLowerCase() ?? "";
  if (name === undefined) return shownRow(ending) ?? formatRow(formatOfFile(output));
  const known = FORMATS.find((row) => row.name === name) ?? shownRow(name);
  if (known !== undefined) return known;
  const names = WRITTEN.map((row) => row.name);
  throw new UsageError(notOneOf("--format", name, names));
}

/** Refuses options that the format's row does not have. */
function checkOptions(row: OutputRow, values: Record<string, unknown>): void {
  for (const { name, lenient } of OUTPUT_OPTIONS) {
    const isTaken = row.options.includes(name) || (lenient === true && !isShown(row.name));
    if (!isTaken && values[name] !== undefined) throw new UsageError(`--${name}: is not for --format ${row.name}`);
  }
}

/** Throws UsageError. */
export async function conversionOf(values: ConvertValues, row: FormatRow | ShownRow): Promise<Conversion> {
  checkOptions(row, values);
  const framed = values.framed === true;
  const limit = countOf("--split-bytes", values["split-bytes"], 0);
  const chosen = { filter: await parseFilter(values), shape: await shapeOf(values) };
  const chipped = truncatedAs(chosen, values.truncated);
  if (row.name === "png") throw new UsageError("--format png: only the page can draw it; svg is a picture, too");
  if (framed && values.pretty) throw new UsageError("--framed: each message is one line, --pretty writes several");
  if (limit > 0 && values["include-payload"]) throw new UsageError("--include-payload: cannot be split");
  return {
    values,
    row,
    chipped,
    framed,
    limit,
    preset: presetOf(values.preset),
    resource: resourceOf(values.resource),
  };
}

/** What one call writes beside the core's content. */
export interface Writing {
  path: string;
  files: OutputFiles;
  payload: RecordingPayload | null;
  warn: (line: string) => void;
}

interface Job extends OutputOptions, Writing {
  core: Core;
  profile: number | null;
  options: WriteOptions;
  limit: number;
  chipped: Chipped;
}

/** Words about stacks of carried threads that were truncated before the border of a shape; null without any. */
export function truncatedBefore(core: Core, { values, row, chipped: { filter, shape } }: Conversion): string | null {
  const border = shape.runs.find((rule) => rule.border);
  if (border === undefined) return null;
  const { single } = isShown(row.name) ? (shownRow(row.name) ?? {}) : formatRow(row.name);
  const { profile } = single ? onlyProfile(core, values) : chosenProfiles(core, values);
  const profiles = core.profiles().filter(({ id }) => profile === null || id === profile);
  const held = new HeldCore(core);
  const samplesOf = (frames: FrameFilter[]) =>
    profiles.reduce(
      (sum, { id }) => sum + held.totals(id, { ...filter, frames: [...(filter.frames ?? []), ...frames] }).samples,
      0,
    );
  const cut = samplesOf([{ pattern: TRUNCATED_PATTERN }, { pattern: border.pattern, exclude: true }]);
  if (cut === 0) return null;
  return `stacks truncated before the border of ${border.name}: ${cut} of ${formatCounted(samplesOf([]), "sample")}`;
}

/** Writes the messages of a conversion to a format of `FORMATS`. Throws UsageError if the profile does not exist. */
export async function writeMessages(core: Core, conversion: Conversion, writing: Writing): Promise<WriteTotals> {
  const { values, row, chipped, framed, limit, preset, resource } = conversion;
  if (isShown(row.name)) throw new TypeError(`${row.name} has no messages`);
  const { name: format, compressed, single } = formatRow(row.name);
  const { profile, ...measure } = single ? onlyProfile(core, values) : chosenProfiles(core, values);
  const options = {
    format,
    pretty: values.pretty === true,
    preset,
    resource,
    timestamps: values.timestamps === true,
    ...measure,
    ...(shapeKey(chipped.shape) !== "" && { shape: chipped.shape }),
  };
  const gzip = values.gzip === true || compressed === true || /\.gz$/i.test(writing.path);
  const job = { ...writing, core, profile, options, gzip, quick: compressed === true, framed, limit, chipped };
  return limit > 0 ? writeParts(job) : writeWhole(job);
}

function writeWhole({
  core,
  files,
  path,
  profile,
  chipped: { filter },
  options,
  payload,
  warn,
  ...how
}: Job): WriteTotals {
  if (payload !== null) {
    warn(`warning: the message holds the whole recording (${formatBytes(payload.bytes)}), whatever the filter:`);
    warn("host and thread names, and system properties and environment if the recorder wrote them");
  }
  // A frame says its size first: only then is the message written twice.
  const size = () =>
    core.writeTo(
      profile,
      filter,
      withPayload(options, payload, () => {}),
      () => {},
    ).size;
  const output = new Output(files.open(path), how);
  const { wasm } = core.instance;
  // Nothing more is read, and the message takes their place.
  wasm.forgetLookups();
  const written = output.message(options.format, size, (sink) => {
    // Nothing more is written either, so the message takes the place of the samples, too.
    wasm.writeLast();
    return core.writeTo(profile, filter, withPayload(options, payload, sink), sink);
  });
  output.close();
  return written;
}

function withPayload(
  options: WriteOptions,
  payload: RecordingPayload | null,
  sink: (part: Uint8Array) => void,
): WriteOptions {
  if (payload === null) return options;
  const put = () => {
    for (const piece of options.format === "otlp" ? payload.pieces() : payload.base64()) sink(piece);
  };
  return { ...options, payload: { format: payload.format, bytes: payload.bytes, put } };
}

/** As many messages as it takes: framed in one file, else in a file each. */
async function writeParts({
  core,
  files,
  path,
  profile,
  chipped,
  options,
  limit,
  warn,
  ...how
}: Job): Promise<WriteTotals> {
  const totals: WriteTotals = { size: 0, profiles: 0, samples: 0, observations: 0 };
  const one = how.framed ? new Output(files.open(path), how) : null;
  let i = 0;
  for (const part of splitByProfile(core, profile, chipped.filter, options, limit)) {
    const output = one ?? new Output(files.open(numbered(path, i++)), how);
    output.message(
      options.format,
      () => part.size,
      (sink) => sink(part.bytes),
    );
    if (one === null) output.close();
    if (part.oversized) warn(`warning: ${part.type}: ${formatBytes(part.size)}: it cannot be split further`);
    for (const key of ["size", "profiles", "samples", "observations"] as const) totals[key] += part[key];
    await signalsServed();
  }
  one?.close();
  return totals;
}
