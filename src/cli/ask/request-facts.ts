/**
 * Start, duration and endpoint of the requests and spans that `spans` lists: as the trace file states them, else as the
 * recordings do, else from the first sample to the last one.
 */
import type { RankRow } from "../../core/types.ts";
import { idsOf } from "../../model/trace/evidence.ts";
import { formatNanos } from "../../model/words/format.ts";
import { isTrace } from "../../model/words/ids.ts";
import { formatIso } from "../../model/words/moments.ts";
import { recordedTraces } from "../../node/trace-files.ts";
import type { HeldCore } from "../../requests/held-core.ts";
import { type ReadSpans, statedBy } from "../../requests/read-spans.ts";
import { carriedById } from "../../requests/traces/root-points.ts";

export interface RequestFacts {
  endpoint: string | null;
  startUnixNano: bigint | null;
  durationNano: bigint | null;
  /** What states the times; null without times. */
  from: "trace" | "recording" | "samples" | null;
  /** The duration is known from the first sample on, or to the last one. */
  atLeast: boolean;
}

type Times = Omit<RequestFacts, "endpoint">;

const NO_TIMES: Times = { startUnixNano: null, durationNano: null, from: null, atLeast: false };

/** Of all ids that samples carry. */
export async function requestFacts(
  held: HeldCore,
  traces: ReadSpans | null,
  by: "span" | "local-root",
): Promise<(id: bigint) => RequestFacts> {
  const recorded = await recordedTraces(held.core, true);
  const sources = (traces === null ? [recorded] : [traces, recorded]).map(timesIn);
  const endpoints = carriedById(held, by === "span" ? "span" : "root");
  return (id) => {
    const times = sources.map((timesOf) => timesOf(id)).find(({ from }) => from !== null) ?? NO_TIMES;
    return { endpoint: endpoints.get(BigInt.asUintN(64, id))?.[0] || null, ...times };
  };
}

function timesIn(known: ReadSpans): (id: bigint) => Times {
  const { tree } = known;
  const { index } = idsOf(tree);
  const whole = new Map<bigint, Times>();
  for (let place = 0; place < tree.count; place++) {
    const own = timesAt(known, place);
    if (own.from === null) continue;
    const trace = ((tree.traceHigh[place] ?? 0n) << 64n) | (tree.traceLow[place] ?? 0n);
    whole.set(trace, around(whole.get(trace) ?? own, own));
  }
  return (id) => {
    if (isTrace(id)) return whole.get(id) ?? NO_TIMES;
    const place = index.placeOf(Number(id & 0xffff_ffffn), Number(id >> 32n));
    return place < 0 ? NO_TIMES : timesAt(known, place);
  };
}

function timesAt(known: ReadSpans, place: number): Times {
  const { tree } = known;
  const [start = 0n, end = 0n] = [tree.start[place], tree.end[place]];
  if (tree.untimed[place] === 1 || start === 0n) return NO_TIMES;
  return { startUnixNano: start, durationNano: end - start, ...statedBy(known, tree.row[place] ?? 0) };
}

/** The times of both; those of samples are less certain. */
function around(one: Times, other: Times): Times {
  const [a, b] = [one.startUnixNano ?? 0n, other.startUnixNano ?? 0n];
  const [c, d] = [a + (one.durationNano ?? 0n), b + (other.durationNano ?? 0n)];
  const start = a < b ? a : b;
  const from = other.from === "samples" ? other.from : one.from;
  return { startUnixNano: start, durationNano: (c > d ? c : d) - start, from, atLeast: one.atLeast || other.atLeast };
}

/** Keys of `--sort`: values descend, starts ascend; rows without the figure are last. */
export const SORTS = ["value", "samples", "duration", "start"] as const;
export type Sort = (typeof SORTS)[number];

export type RequestRow = RankRow & { facts: RequestFacts | null };

export function sortRows<Row extends RequestRow>(rows: Row[], sort: Sort): Row[] {
  if (sort === "value") return rows;
  const key = ({ samples, facts }: Row): bigint | null => {
    if (sort === "samples") return -BigInt(samples);
    if (sort === "start") return facts?.startUnixNano ?? null;
    return facts?.durationNano == null ? null : -facts.durationNano;
  };
  return rows.sort((a, b) => {
    const [one, other] = [key(a), key(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return Number(one > other) - Number(one < other);
  });
}

/** Cells of a row, and their heads: only of figures that some row has. */
export function factCells(rows: readonly RequestRow[]): { heads: string[]; cells(row: RequestRow): string[] } {
  const some = (has: (facts: RequestFacts) => boolean) => rows.some(({ facts }) => facts !== null && has(facts));
  const columns = [
    { head: "duration", is: some(({ durationNano }) => durationNano !== null), cell: durationCell },
    { head: "start", is: some(({ startUnixNano }) => startUnixNano !== null), cell: startCell },
    {
      head: "endpoint",
      is: some(({ endpoint }) => endpoint !== null),
      cell: ({ endpoint }: RequestFacts) => endpoint ?? "",
    },
  ].filter(({ is }) => is);
  return {
    heads: columns.map(({ head }) => head),
    cells: ({ facts }) => columns.map(({ cell }) => (facts === null ? "" : cell(facts))),
  };
}

function durationCell({ durationNano, atLeast }: RequestFacts): string {
  if (durationNano === null) return "";
  return `${atLeast ? "≥ " : ""}${formatNanos(Number(durationNano))}`;
}

function startCell({ startUnixNano }: RequestFacts): string {
  return startUnixNano === null ? "" : formatIso(startUnixNano, 3);
}
