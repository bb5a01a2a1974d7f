/** Calls and their frames as lines for people. On a terminal a line is no longer than the screen is wide. */
import type { Dumps, ListedFrame } from "../../core/dumps/dump.ts";
import { type Call, isRed, titleOf } from "../../model/calls/call.ts";
import { methodName, REACTIVE } from "../../model/calls/method.ts";
import { formatNanos, formatValue } from "../../model/words/format.ts";
import { formatIso } from "../../model/words/moments.ts";
import { cut, visible } from "../../model/words/text.ts";

const NANOS = 1_000_000n;
/** Characters of a title or a value that stay on a narrow screen, and of a thread's name on any. */
const LEAST = 20;

const time = (ms: bigint | null) => (ms === null ? "" : formatValue(ms * NANOS, "nanoseconds"));

const HEADS = ["start", "duration", "suspension", "CPU", "wait", "thread", "id", "title"];

/** A row for each call. `columns`: width of the screen; infinite for pipes and files, which get no line of heads. */
export function callLines(calls: readonly Call[], columns: number): string[] {
  const most = Number.isFinite(columns) ? LEAST : Number.POSITIVE_INFINITY;
  const rows = calls.map((call) => [
    formatIso(call.start * NANOS, 3),
    time(call.duration),
    time(call.suspension),
    time(call.cpu),
    time(call.wait),
    visible(call.thread, most),
    call.id,
    `${isRed(call) ? "(failed) " : ""}${titleOf(call) ?? call.name}`,
  ]);
  return aligned(HEADS, rows, new Set([1, 2, 3, 4]), columns);
}

/** Frames in the order of entering, indented by depth, with the values of their parameters below them. */
export function frameLines(call: Call, frames: readonly ListedFrame[], dumps: Dumps, columns: number): string[] {
  const first = frames[0]?.start ?? call.start;
  const rows = frames.flatMap(({ depth, method, start, total, self, params }) => {
    const name = method === null ? REACTIVE : methodName(dumps.word(call.runNumber, method));
    const indent = "  ".repeat(depth);
    const values = Object.entries(params).flatMap(([key, texts]) => texts.map((text) => `${key}: ${text}`));
    return [
      [`+${formatNanos((start - first) * NANOS)}`, time(total), time(self), `${indent}${name}`],
      ...values.map((value) => ["", "", "", `${indent}  · ${value.replace(/\s+/g, " ")}`]),
    ];
  });
  return aligned(["at", "total", "self", "frame"], rows, new Set([0, 1, 2]), columns);
}

/** Rows of a table, on a screen under their heads; `numbers`: columns aligned to the right. The last column is cut. */
export function aligned(
  heads: readonly string[],
  body: readonly (readonly string[])[],
  numbers: ReadonlySet<number>,
  columns: number,
): string[] {
  const rows = Number.isFinite(columns) && body.length > 0 ? [heads, ...body] : body;
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, text] of row.slice(0, -1).entries()) widths[i] = Math.max(widths[i] ?? 0, text.length);
  const used = widths.reduce((sum, width) => sum + width + 2, 0);
  const room = Math.max(LEAST, columns - used - 1);
  return rows.map((row) => {
    const cells = row.slice(0, -1).map((text, i) => {
      const width = widths[i] ?? 0;
      return numbers.has(i) ? text.padStart(width) : text.padEnd(width);
    });
    return [...cells, cut(row.at(-1) ?? "", room)].join("  ");
  });
}
