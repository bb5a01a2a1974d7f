/** Sums of frames by the values of their parameters, against a plain walk over the trees that were written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FramePath, MOST_TALLIED } from "../../../src/core/dumps/dump-tally.ts";
import { tallyRuns } from "../../../src/input/dump/read-dumps.ts";
import { methodName } from "../../../src/model/calls/method.ts";
import { framesOf, type ModelFrame } from "../../kit/cdt/cdt-model.ts";
import { readFolder } from "../../kit/cdt/cdt-reading.ts";
import {
  asFolder,
  type Writing,
  type WrittenCall,
  type WrittenFrame,
  type WrittenTag,
  writeStreams,
} from "../../kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const START = Date.UTC(2024, 1, 3);
const METHODS = ["a", "b", "c"].map((name) => `void shop.Cart.${name}() (Cart.java:1)`);

const TAG = fc.constantFrom<WrittenTag[]>(
  { name: "sql", value: "select 1", in: "sql" },
  { name: "sql", value: "select 2", in: "sql" },
  { name: "url", value: "", in: "trace" },
  { name: "url", value: "\u{1f600}", in: "trace" },
  { name: "java.thread", value: "t1", in: "trace" },
  { name: "body", value: "<a/>", in: "xml" },
);

function trees(levels: number): fc.Arbitrary<WrittenFrame> {
  return fc.record({
    method: fc.constantFrom(...METHODS),
    before: fc.nat(40),
    after: fc.nat(40),
    tags: fc.array(TAG, { maxLength: 3 }),
    children: levels === 1 ? fc.constant([]) : fc.array(trees(levels - 1), { maxLength: 3 }),
  });
}

const CALL = fc.record({
  threadId: fc.integer({ min: 1, max: 3 }),
  at: fc.nat(5000),
  root: trees(5),
  isRecorded: fc.boolean(),
  reactive: fc.constantFrom(0, 7),
});

const PATH = fc.option(
  fc.record({
    names: fc.array(fc.constantFrom(...METHODS.map(methodName)), { minLength: 1, maxLength: 3 }),
    rooted: fc.boolean(),
  }),
);

interface Sums {
  invocations: number;
  total: number;
  self: number;
  suspended: number;
}

/** Adds the frames of a call to the sums by parameter and value; the key of all frames is "". */
function addCall(sums: Map<string, Sums>, of: Writing, call: WrittenCall, path: FramePath | null): void {
  const frames = framesOf(of, call);
  const tags = tagsOf(call.root);
  // The writer adds it after the callees.
  tags[0]?.push({ name: "java.thread", value: call.thread, in: "trace" });
  /** Names of the open frames, and their keys. */
  const open: { name: string; keys: Set<string> }[] = [];
  const rest = frames.find(({ method }) => method === null)?.total ?? 0;
  for (const [i, frame] of frames.entries()) {
    open.length = frame.depth;
    if (frame.method === null) {
      if (path === null) add(sums, "", { invocations: 0, total: 0, self: frame.self, suspended: frame.suspended });
      continue;
    }
    const name = methodName(frame.method);
    const names = [...open.map((each) => each.name), name];
    const counted = isOn(path, names) ? tags[i]! : null;
    const keys = new Set(counted === null ? [] : ["", ...counted.flatMap(({ name: param }) => param)]);
    for (const tag of counted ?? []) if (tag.in !== "xml") keys.add(keyOf(tag));
    const wall = frame.depth === 0 ? frame.total + rest : frame.total;
    const figures = { invocations: 1, self: frame.self, suspended: frame.suspended };
    for (const key of keys) add(sums, key, { ...figures, total: open.some((each) => each.keys.has(key)) ? 0 : wall });
    // Each text of xml has a place of its own, so that equal ones inside each other are not known as such.
    for (const tag of counted ?? []) if (tag.in === "xml") add(sums, keyOf(tag), { ...figures, total: wall });
    open.push({ name, keys });
  }
}

function isOn(path: FramePath | null, names: readonly string[]): boolean {
  if (path === null) return true;
  if (!path.rooted) return names.at(-1) === path.names[0];
  return names.length === path.names.length && names.every((name, i) => name === path.names[i]);
}

const keyOf = ({ name, value }: WrittenTag) => `${name}=${value}`;

/** Tags of the frames in the order of entering. */
function tagsOf(frame: WrittenFrame): WrittenTag[][] {
  return [[...(frame.tags ?? [])], ...frame.children.flatMap(tagsOf)];
}

function add(
  sums: Map<string, Sums>,
  key: string,
  part: Omit<ModelFrame, "depth" | "method" | "start"> & { invocations: number },
): void {
  const sum = sums.get(key) ?? { invocations: 0, total: 0, self: 0, suspended: 0 };
  sums.set(key, sum);
  for (const figure of ["invocations", "total", "self", "suspended"] as const) sum[figure] += part[figure];
}

/** Callers first, each thread's calls one after the other. */
function written(calls: readonly Omit<WrittenCall, "thread" | "params">[]): WrittenCall[] {
  const now = new Map<number, number>();
  return calls.map((call) => {
    const at = (now.get(call.threadId) ?? START) + call.at;
    const all = { ...call, at, thread: `t${call.threadId}`, params: {} };
    now.set(call.threadId, at + 20_000);
    return all;
  });
}

/** Checks the sums of all calls against those of a plain walk. */
async function expectSums(of: Writing, path: FramePath | null): Promise<void> {
  const core = await emptyCore();
  const runs = await readFolder(core, asFolder(writeStreams(of).streams, `web/2024/02/03/${START}`));
  const request = { isMarked: () => true, frames: path, nameOf: methodName, breathe: async () => true };
  const [rows = []] = (await tallyRuns(core, runs, request)) ?? [];
  const expected = new Map<string, Sums>([["", { invocations: 0, total: 0, self: 0, suspended: 0 }]]);
  for (const call of of.calls) addCall(expected, of, call, path);
  const got = new Map<string, Sums>();
  for (const { param, kind, value, invocations, total, self, suspended } of rows) {
    expect(kind).not.toBe("other");
    const key = kind === "any" ? (param ?? "") : `${param}=${value}`;
    add(got, key, { invocations, total: Number(total), self: Number(self), suspended: Number(suspended) });
  }
  expect(new Map([...got].sort())).toEqual(new Map([...expected].sort()));
}

describe("sums by the values of parameters", () => {
  it("are those of a plain walk, for all frames, a function or a path", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(CALL, { minLength: 1, maxLength: 4 }),
        fc.array(fc.tuple(fc.nat(3000), fc.integer({ min: 1, max: 300 })), { maxLength: 5 }),
        PATH,
        async (list, pauses, path) => {
          await expectSums({ calls: written(list), pauses, start: START, eventsPerBlock: 7 }, path);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are those of a plain walk for a call of many frames", async () => {
    const tag = (i: number): WrittenTag => ({
      name: "sql",
      value: `select ${i % 7}`,
      in: i % 2 === 0 ? "sql" : "trace",
    });
    const frame = (i: number, levels: number): WrittenFrame => ({
      method: METHODS[i % 3]!,
      before: i % 4,
      after: i % 3,
      tags: i % 2 === 0 ? [tag(i)] : [],
      children: levels === 0 ? [] : Array.from({ length: 9 }, (_, k) => frame(i + k + 1, levels - 1)),
    });
    const calls = written([{ threadId: 1, at: 0, root: frame(0, 4), isRecorded: true, reactive: 0 }]);
    await expectSums({ calls, start: START }, null);
    await expectSums({ calls, start: START }, { names: ["shop.Cart.b"], rooted: false });
  });

  it("keep the values that have a row when there are too many, and add up the rest", async () => {
    const tags = Array.from({ length: MOST_TALLIED + 10 }, (_, i) => ({ name: "id", value: `v${i}` }));
    const frame = { method: METHODS[0]!, before: 0, after: 5, children: [] };
    const again = { ...frame, tags: [{ name: "id", value: "v0", in: "trace" as const }] };
    const root = { ...frame, tags: tags.map((tag) => ({ ...tag, in: "trace" as const })), children: [again] };
    const calls = written([{ threadId: 1, at: 0, root, isRecorded: true, reactive: 0 }]);
    const core = await emptyCore();
    const runs = await readFolder(
      core,
      asFolder(writeStreams({ calls, start: START }).streams, `web/2024/02/03/${START}`),
    );
    const request = { isMarked: () => true, frames: null, nameOf: methodName, breathe: async () => true };
    const [rows = []] = (await tallyRuns(core, runs, request)) ?? [];
    expect(rows.length).toBeGreaterThanOrEqual(MOST_TALLIED);
    expect(rows.length).toBeLessThan(MOST_TALLIED + 10);
    const row = (kind: string, value = "") =>
      rows.find((each) => each.param === "id" && each.kind === kind && each.value === value);
    expect(row("any")).toMatchObject({ invocations: 2, total: 10n });
    expect(row("value", "v0")).toMatchObject({ invocations: 2, total: 10n });
    expect(row("other")).toMatchObject({ invocations: 1, total: 10n });
  });
});
