/** The calls of a report's selection: a table of the slowest, and the parameters of their frames. */
import {
  type FrameFigures,
  type FrameParams,
  netOfFrames,
  type Param,
  type ParamGroup,
} from "../model/calls/params/params.ts";
import { formatBytes, formatCount, formatCounted, formatNanos } from "../model/words/format.ts";
import { formatMoment } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import { escapeText } from "./escape.ts";
import { tableSection, textRow } from "./table.ts";

/** Calls in the table, parameters of a call, and signatures of a parameter. */
export const REPORT_CALLS = 50;
const MOST_PARAMS = 20;
const MOST_GROUPS = 10;
const TITLE_ROOM = 200;
const VALUE_ROOM = 400;

/** Times in ms; null is not recorded. */
export interface ReportCall {
  id: string;
  /** The one that the agent gave it, or its method. */
  title: string | null;
  name: string;
  thread: string;
  red: boolean;
  start: number;
  duration: number;
  net: number;
  suspension: number;
  cpu: number | null;
  memory: number | null;
  frames: number;
  params: readonly { name: string; values: readonly string[] }[];
}

export interface ReportCalls {
  /** All selected calls, with their sums in ms. */
  count: number;
  duration: number;
  suspension: number;
  /** The slowest. */
  rows: readonly ReportCall[];
  params: FrameParams;
}

export function callsSection(calls: ReportCalls): string {
  const { count, duration, suspension, rows, params } = calls;
  const sums = `${formatCounted(count, "call")}, ${time(duration)} in all, of which ${time(suspension)} suspended`;
  const which = count > rows.length ? `${sums}. The ${rows.length} slowest:` : `${sums}.`;
  const heads = ["call", "start", "duration", "net", "suspension", "CPU", "memory", "frames"];
  const table = [heads, ...rows.map((row) => textRow(callRow(row)))];
  const below = `${rows.map(callParams).join("\n")}\n`;
  return `${tableSection("calls", "Calls", which, table, "", below)}\n${paramsSection(params)}\n`;
}

function time(ms: number): string {
  return formatNanos(BigInt(Math.round(ms)) * 1_000_000n);
}

function callRow(call: ReportCall): string[] {
  const { thread, red, start, duration, net, suspension, cpu, memory, frames } = call;
  const name = `${visible(call.title || call.name, TITLE_ROOM)}${red ? " (failed)" : ""}${thread === "" ? "" : ` · ${visible(thread, 80)}`}`;
  return [
    name,
    formatMoment(BigInt(Math.round(start)) * 1_000_000n),
    time(duration),
    time(net),
    time(suspension),
    cpu === null ? "" : time(cpu),
    memory === null ? "" : formatBytes(memory),
    formatCount(frames),
  ];
}

function callParams({ id, title, name, params }: ReportCall): string {
  const pairs = params.flatMap(({ name, values }) => values.map((value): [string, string] => [name, value]));
  if (pairs.length === 0) return "";
  const rows = pairs
    .slice(0, MOST_PARAMS)
    .map(
      ([name, value]) =>
        `<div><dt><bdi>${escapeText(visible(name, 80))}</bdi></dt><dd><bdi>${escapeText(visible(value, VALUE_ROOM))}</bdi></dd></div>`,
    );
  const summary = `Parameters of ${visible(title || name, 80)}, ${visible(id, 120)}`;
  return `<details><summary><bdi>${escapeText(summary)}</bdi></summary>\n<dl>\n${rows.join("\n")}\n</dl>\n</details>`;
}

function paramsSection({ params }: FrameParams): string {
  if (params.length === 0) return "";
  const rows = params.flatMap((param) => param.groups.slice(0, MOST_GROUPS).map((group) => groupRow(param, group)));
  const about =
    "Values by signature: literals are replaced by ?. Total is the time of frames with a value; frames inside each other count once.";
  const heads = ["parameter and value", "total", "self", "net", "frames"];
  return tableSection("params", "Parameters of frames", about, [heads, ...rows.map(textRow)]);
}

function groupRow({ name }: Param, group: ParamGroup): string[] {
  const [only] = group.values;
  const value = group.count === 1 && only !== undefined ? only.text : group.signature;
  const values = group.count === 1 ? "" : ` (${formatCounted(group.count, "value")})`;
  return [`${visible(name, 80)}: ${visible(value, VALUE_ROOM)}${values}`, ...figures(group)];
}

function figures(of: FrameFigures): string[] {
  return [formatNanos(of.total), formatNanos(of.self), formatNanos(netOfFrames(of)), formatCount(of.invocations)];
}
