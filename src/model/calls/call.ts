/** Calls of dumps as texts and numbers for people and scripts, without the core. */
import type { CallRow, RunInfo } from "../../core/dumps/dump.ts";
import { methodName } from "./method.ts";

/** A call with what its row refers to. Times in ms. */
export interface Call extends Omit<CallRow, "run" | "method"> {
  /** Number of the row in the core. */
  number: number;
  /** As `callId` makes it. */
  id: string;
  runNumber: number;
  run: string;
  /** Text of the dictionary: `void a.B.run(int) (FILE:12) [b.jar]`. */
  method: string;
  /** `a.B.run`. */
  name: string;
}

export function callOf(number: number, row: CallRow, runs: readonly RunInfo[], method: string): Call {
  const run = runs[row.run]?.label ?? "";
  return { ...row, number, id: callId(run, row), runNumber: row.run, run, method, name: methodName(method) };
}

/** `RUN:FILE:OFFSET:ORDINAL`, with `~2` for the second call of a key. */
export function callId(run: string, key: Pick<CallRow, "file" | "offset" | "ordinal" | "twin">): string {
  return `${run}:${key.file}:${key.offset}:${key.ordinal}${key.twin > 1 ? `~${key.twin}` : ""}`;
}

/** The title that the agent gave it, which may contain markup. */
export function titleOf({ params }: Pick<Call, "params">): string | null {
  return params["profiler.title"]?.[0] ?? null;
}

/** The agent marked it as failed. */
export function isRed({ params }: Pick<Call, "params">): boolean {
  return params["call.red"] !== undefined;
}

/** Ids of its trace: Brave's, each exactly once, in hex and not 0. */
export function traceIdsOf({ params }: Pick<Call, "params">): { traceId: string; spanId: string } | null {
  const traceId = onlyHex(params["brave.trace_id"], 32);
  const spanId = onlyHex(params["brave.span_id"], 16);
  return traceId === null || spanId === null ? null : { traceId, spanId };
}

function onlyHex(values: readonly string[] | undefined, digits: number): string | null {
  const [value] = values ?? [];
  if (values?.length !== 1 || value === undefined || value.length > digits) return null;
  return /^[0-9a-f]+$/i.test(value) && /[1-9a-f]/i.test(value) ? value.toLowerCase().padStart(digits, "0") : null;
}

export function netOf({ duration, suspension }: Pick<Call, "duration" | "suspension">): bigint {
  return duration - suspension;
}

/** Time that the call reports beyond its tree: work that went on in other threads. */
export function reactiveOf({ tree, duration, treeWall }: Call): bigint {
  return tree === "whole" && treeWall !== null && duration > treeWall ? duration - treeWall : 0n;
}
