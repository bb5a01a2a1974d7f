/** Frames of calls of dumps, in the order of entering. */
import type { Core } from "../../core/core.ts";
import type { Dumps, ListedFrame } from "../../core/dumps/dump.ts";
import { MOST_DEPTH } from "../../core/tables/dump-streams.ts";
import type { FrameFilter } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { readFrames } from "../../input/dump/read-run.ts";
import type { Call } from "../../model/calls/call.ts";
import { methodName, REACTIVE } from "../../model/calls/method.ts";
import { patternOf } from "../../model/query/pattern.ts";

/** Lists of frames, run by run: the trace is read once for all calls that are wanted. */
export class FrameLists {
  private readonly core: Core;
  private readonly runs: readonly OpenRun[];

  constructor(core: Core, runs: readonly OpenRun[]) {
    this.core = core;
    this.runs = runs;
  }

  async of(calls: readonly Call[]): Promise<Map<number, ListedFrame[]>> {
    const dumps = await this.core.dumps();
    const lists = new Map<number, ListedFrame[]>();
    for (const open of this.runs) {
      const wanted = new Set(calls.filter(({ runNumber }) => runNumber === open.number).map(({ number }) => number));
      if (wanted.size === 0) continue;
      const reading = { dumps, note: () => {}, breathe: async () => true };
      await readFrames(reading, open, (call) => wanted.has(call), "list");
      for (const frame of dumps.listed(open.number)) {
        const list = lists.get(frame.call) ?? [];
        lists.set(frame.call, list);
        list.push(frame);
      }
    }
    return lists;
  }

  /** Calls that keep a stack under filters by function. */
  async withFrame(calls: readonly Call[], filters: readonly FrameFilter[]): Promise<Call[]> {
    const dumps = await this.core.dumps();
    const lists = await this.of(calls);
    const keeps = stackTest(filters);
    return calls.filter((call) => {
      for (const { stack } of stacksOf(lists.get(call.number) ?? [], call, dumps)) if (keeps(stack)) return true;
      return false;
    });
  }
}

/** Whether a stack passes filters by function. */
export function stackTest(filters: readonly FrameFilter[]): (stack: readonly string[]) => boolean {
  // The patterns were checked when the options were parsed.
  const tests = filters.map(({ pattern, exclude }) => ({
    finder: patternOf(pattern).expression,
    exclude: exclude === true,
  }));
  return (stack) =>
    tests.every(({ finder, exclude }) => finder === null || stack.some((name) => finder.test(name)) !== exclude);
}

/**
 * The frames of a call, each with its stack, root first: one array that changes with each frame, because copies would
 * take the square of a deep call. Frames deeper than stacks are long have the stack of the frame at that depth.
 */
export function* stacksOf(
  frames: readonly ListedFrame[],
  call: Call,
  dumps: Dumps,
): Generator<{ frame: ListedFrame; stack: readonly string[] }> {
  const stack: string[] = [];
  for (const frame of frames) {
    stack.length = Math.min(frame.depth, MOST_DEPTH);
    if (frame.depth < MOST_DEPTH) {
      stack.push(frame.method === null ? REACTIVE : methodName(dumps.word(call.runNumber, frame.method)));
    }
    yield { frame, stack };
  }
}
