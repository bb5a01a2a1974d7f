/**
 * States of the wall samples of every operation, counted once for all questions: a question about a span takes off what
 * the span has itself. In steps, because a recording may have a million samples.
 */
import { Numbered } from "../../bytes/numbered.ts";
import type { SampleReader } from "../../core/samples/sample-reader.ts";
import { distinctOfKind } from "../../core/tables/meanings.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { halves } from "../trace/distinct.ts";
import { IdIndex } from "../trace/id-index.ts";
import { OPERATION_KEY } from "./accounts.ts";
import { Pauses } from "./pauses.ts";
import { SampleStates } from "./sample-states.ts";
import { StateCounts, TOLD, type ToldState } from "./states.ts";

/** Distinct spans of an operation are keyed by number of the operation and of the id. */
const MOST_IDS = 2 ** 32;

export interface OperationStates {
  /** Spans of the operation, and the counts of their samples by state. */
  of(operation: string): { spans: number; counts: ReadonlyMap<ToldState, number> };
}

interface Tally {
  spans: number;
  samples: Float64Array;
}

/** */
export function* operationStates(
  reader: SampleReader,
  profiles: readonly ProfileSummary[],
  marks: Pick<Marks, "start" | "pauses">,
): Generator<void, OperationStates> {
  const states = new SampleStates(reader, new Pauses(marks));
  const span = reader.spanIds();
  const ids = halves(span);
  yield;
  const index = new IdIndex(span);
  yield;
  const number = index.firsts();
  yield;
  const tallies = new Numbered<string, Tally>();
  const ofSet = new Map<number, number>();
  const seen = new Set<number>();
  for (const { id } of distinctOfKind(profiles, "wall")) {
    for (const page of reader.pages(id)) {
      page((sample) => {
        const { link, set } = sample;
        if (ids[2 * link] === 0 && ids[2 * link + 1] === 0) return;
        const operation = ofSet.get(set) ?? numberOf(reader.attribute(set, OPERATION_KEY));
        ofSet.set(set, operation);
        const tally = tallies.list[operation];
        // Without an operation.
        if (tally === undefined) return;
        const key = operation * MOST_IDS + (number[link] ?? 0);
        if (!seen.has(key)) {
          seen.add(key);
          tally.spans++;
        }
        const state = TOLD.indexOf(states.told(sample));
        tally.samples[state] = (tally.samples[state] ?? 0) + sample.observations;
      });
      yield;
    }
  }
  return {
    of: (operation) => {
      const { spans = 0, samples = [] } = tallies.list[tallies.find(operation)] ?? {};
      return { spans, counts: new Map(TOLD.map((state, i) => [state, samples[i] ?? 0])) };
    },
  };

  function numberOf(operation: string): number {
    if (operation === "") return -1;
    return tallies.of(operation, () => ({ spans: 0, samples: new Float64Array(TOLD.length) }));
  }
}

/** The other spans of an operation; `own`: the samples of the span that have the operation. */
export function othersThan(all: OperationStates, operation: string, own: StateCounts | undefined) {
  const { spans, counts } = all.of(operation);
  const states = new StateCounts();
  for (const [state, samples] of counts) states.add(state, samples - (own?.of(state) ?? 0));
  return { spans: spans - Number(own !== undefined), samples: states.total, states: states.shares() };
}
