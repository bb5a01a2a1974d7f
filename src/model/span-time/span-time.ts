/**
 * Where the time of one span went: the states of its wall samples, its CPU time, its waits, pauses of the collector,
 * and other spans of its operation. Inferred samples count, and are counted separately as well.
 */

import type { SampleReader } from "../../core/samples/sample-reader.ts";
import { distinctOfKind } from "../../core/tables/meanings.ts";
import type { InferredBy, ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { IdMap } from "../../ids/map.ts";
import { type Account, accountsOf, OPERATION_KEY, type SpanExtent } from "./accounts.ts";
import { type BreakdownPart, breakdownOf, cpuOf } from "./breakdown.ts";
import { type LongestPause, longestPause } from "./longest-pause.ts";
import { type PartSamples, samplesOfParts } from "./opens.ts";
import { type OperationStates, othersThan } from "./operation-states.ts";
import { lengthOf, type SpanPart, splitTime, union } from "./parts.ts";
import { Pauses } from "./pauses.ts";
import { SampleStates } from "./sample-states.ts";
import { StateCounts, type StateShare } from "./states.ts";

export interface SpanTimeAnswer {
  samples: number;
  inferredSamples: number;
  operation: string | null;
  root: bigint;
  states: StateShare[];
  cpu: { samples: number; nano: bigint };
  parts: { part: SpanPart; nano: bigint }[];
  /** The parts with `other` divided by child spans and wall samples, and their intervals. They add up to the time. */
  breakdown: BreakdownPart[];
  /** The samples behind the parts. */
  opens: PartSamples[];
  pause: LongestPause | null;
  events: { type: string; events: number; inferred: number; nano: bigint }[];
  gc: { pauses: number; nano: bigint };
  queue: { events: number; nano: bigint };
  /** Samples with inferred context by their rule, over all profiles; null where context is not inferred. */
  inferredBy: InferredBy | null;
  others: { spans: number; samples: number; states: StateShare[] };
}

/** What is asked of, and the facts of the recordings that the answer needs. */
export interface SpanTimeRequest {
  /** The span alone, or as a local root with all spans below it. */
  by: "span" | "root";
  span: bigint;
  extent: SpanExtent;
  /** Its child spans, in ns after its start. */
  children: readonly [from: number, to: number][];
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
  /** Name of the span in its trace. */
  name: string | null;
  /** Of all operations, where they are counted. */
  operations?: OperationStates;
}

export function spanTime(
  reader: SampleReader,
  { by, span, extent, children, profiles, marks, name, operations }: SpanTimeRequest,
): SpanTimeAnswer {
  const targets = [{ id: span, extent, children }];
  const [account] = accountsOf(reader, { by, targets, profiles, marks }) as [Account];
  const { states, inferredSamples, cpu, pauses } = account;
  const operation = [...account.operations].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
  const { parts } = splitTime(account.length, account.stretches, Number(cpu.nano), children);
  const others = () => {
    if (by === "root" || operation === "") return { spans: 0, samples: 0, states: [] };
    if (operations !== undefined) return othersThan(operations, operation, account.ofOperation.get(operation));
    const walls = distinctOfKind(profiles, "wall");
    return othersOf(reader, walls, span, operation, new SampleStates(reader, new Pauses(marks)));
  };
  const breakdown = breakdownOf(account, cpuOf(profiles));
  const paused = lengthOf(union(pauses.map(({ from, to }) => [from, to])));
  return {
    samples: states.total - inferredSamples,
    inferredSamples,
    operation: operation === "" ? name : operation,
    root: account.root,
    states: states.shares(),
    cpu,
    parts: parts.map(({ part, nano }) => ({ part, nano: BigInt(nano) })),
    breakdown,
    opens: samplesOfParts(account, profiles, breakdown),
    pause: longestPause([account], profiles),
    events: [...account.events].map(([type, { events, inferred, nano }]) => ({ type, events, inferred, nano })),
    gc: { pauses: pauses.length, nano: BigInt(paused) },
    queue: account.queue,
    inferredBy: profiles.some(({ inferredBy }) => inferredBy !== undefined) ? account.inferredBy : null,
    others: others(),
  };
}

/** Wall samples of other spans of the operation. */
function othersOf(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  span: bigint,
  operation: string,
  all: SampleStates,
): SpanTimeAnswer["others"] {
  const states = new StateCounts();
  const spans = new IdMap<true>();
  for (const { id } of profiles) {
    reader.each(id, { attributes: [{ key: OPERATION_KEY, value: operation }] }, (sample) => {
      if (sample.span === 0n || sample.span === span) return;
      spans.set(sample.span, true);
      states.add(all.told(sample), sample.observations);
    });
  }
  return { spans: spans.size, samples: states.total, states: states.shares() };
}
