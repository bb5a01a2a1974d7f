/** Parameters of the frames of selected calls: one pass over the traces for each request. */

import type { Core } from "../../core/core.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import type { Filter } from "../../core/types.ts";
import { type OpenRun, tallyRuns } from "../../input/dump/read-dumps.ts";
import { Slices } from "../../input/turn.ts";
import { callParts } from "../../model/calls/call-filter.ts";
import { methodName } from "../../model/calls/method.ts";
import { paramsOf } from "../../model/calls/params/params.ts";
import type { FrameParamsAnswer, FramesOfCalls } from "../api/calls-api.ts";
import { Refusal } from "../refusal.ts";
import type { CallSamples } from "./call-samples.ts";

/** Methods of one name that are listed: overloads, and the same in several runs. */
const MOST_METHODS = 20;

interface Store {
  core: Core;
  dumps: Dumps;
  runs: readonly OpenRun[];
  samples: CallSamples;
}

export class CallParams {
  private readonly store: Store;
  /** Whole values of the last answer, by their ids. */
  private texts: readonly string[] = [];
  private asked = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** Ends a request that has no answer yet; the answer is the ticket of the next. */
  end(): number {
    return ++this.asked;
  }

  async of({ filter, frames }: FramesOfCalls, ticket: number): Promise<FrameParamsAnswer> {
    const { core, runs } = this.store;
    const numbers = this.callsOf(filter);
    const wanted = new Set(numbers);
    const slices = new Slices();
    const breathe = async () => {
      await slices.rest();
      return ticket === this.asked;
    };
    const request = { isMarked: (call: number) => wanted.has(call), frames, nameOf: methodName, breathe };
    const rows = ticket === this.asked ? await tallyRuns(core, runs, request) : null;
    if (rows === null) throw new Refusal("calls.cancelled", "The reading of frames was ended.");
    const { answer, texts } = paramsOf(
      rows,
      runs.flatMap(({ number }) => this.store.dumps.statedParams(number)),
    );
    this.texts = texts;
    return { ...answer, calls: numbers.length, methods: this.methodsOf(frames?.names.at(-1)) };
  }

  value(id: number): string {
    const text = this.texts[id];
    if (text === undefined) throw new Refusal("calls.unknown", "There is no such value.");
    return text;
  }

  private callsOf(filter: Filter): Uint32Array {
    const numbers = this.store.samples.callsOf(filter);
    const { threads = [] } = callParts(filter);
    if (threads.length === 0) return numbers;
    return numbers.filter((call) => threads.includes(this.store.dumps.call(call).thread));
  }

  /** Texts of the dictionaries for a name. */
  private methodsOf(name: string | undefined): string[] {
    const { dumps, runs } = this.store;
    const texts = new Set<string>();
    if (name === undefined) return [];
    for (const { number } of runs) {
      const { words } = dumps.counts(number);
      for (let id = 0; id < words && texts.size < MOST_METHODS; id++) {
        const text = dumps.word(number, id);
        if (text.includes(name) && methodName(text) === name) texts.add(text);
      }
    }
    return [...texts];
  }
}
