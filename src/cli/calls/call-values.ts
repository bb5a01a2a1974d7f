/** `spanflame spans --by call`: values of calls of dumps in one profile. */
import { Numbered } from "../../bytes/numbered.ts";
import type { Core } from "../../core/core.ts";
import type { ListedFrame } from "../../core/dumps/dump.ts";
import type { Filter } from "../../core/types.ts";
import type { OpenRun } from "../../input/dump/read-dumps.ts";
import { type CallValues, selectedCalls } from "./dump-calls.ts";
import { FrameLists, stacksOf, stackTest } from "./frame-lists.ts";

const NANOS = 1_000_000n;

/** What a frame adds to each profile of dumps. */
const VALUES: ReadonlyMap<string, (frame: ListedFrame) => bigint> = new Map(
  Object.entries({
    wall: ({ self }) => self * NANOS,
    net: ({ self, suspended }) => (self - suspended) * NANOS,
    suspension: ({ suspended }) => suspended * NANOS,
    invocations: ({ method }) => (method === null ? 0n : 1n),
  }),
);

/** A call by its weight. `samples` counts its distinct stacks with a value. */
export interface CallValue {
  call: string;
  samples: number;
  value: bigint;
}

/** Calls by their values in the profile `type`, heaviest first, without those of value 0. */
export async function callValues(
  core: Core,
  runs: readonly OpenRun[],
  type: string,
  values: CallValues,
  filter: Filter,
): Promise<CallValue[]> {
  const figure = VALUES.get(type);
  if (figure === undefined) return [];
  const calls = await selectedCalls(core, values, filter);
  const lists = await new FrameLists(core, runs).of(calls);
  const dumps = await core.dumps();
  const keeps = stackTest(filter.frames ?? []);
  const rows = calls.map((call) => {
    const stacks = new Map<number, bigint>();
    const paths = new Paths();
    for (const { frame, stack } of stacksOf(lists.get(call.number) ?? [], call, dumps)) {
      const path = paths.of(stack);
      if (keeps(stack)) stacks.set(path, (stacks.get(path) ?? 0n) + figure(frame));
    }
    const sums = [...stacks.values()].filter((value) => value !== 0n);
    return { call: call.id, samples: sums.length, value: sums.reduce((sum, value) => sum + value, 0n) };
  });
  return rows
    .filter(({ value }) => value !== 0n)
    .sort((a, b) => (a.value < b.value ? 1 : Number(a.value > b.value) * -1));
}

/** Numbers of stacks: one for each path of names. */
class Paths {
  private readonly known = new Numbered<string>();
  /** Numbers of the stack before, by depth. */
  private readonly trail: number[] = [];

  /** Number of a stack that begins as the one before it, except for its last frame. */
  of(stack: readonly string[]): number {
    const last = stack.length - 1;
    this.trail[last] = 1 + this.known.of(`${this.trail[last - 1] ?? 0}:${stack[last]}`);
    return this.trail[last];
  }
}
