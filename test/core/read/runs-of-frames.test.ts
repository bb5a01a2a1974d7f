/** Collapsed runs of frames on real recordings, against the stacks of a file with the whole ones, collapsed by hand. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import type { OpenRun, RunRule, Shape } from "../../../src/core/view-types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { parseRoots } from "../../../src/model/query/root-by.ts";
import { presetRule } from "../../../src/model/query/run-rules.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { readCollapsed } from "../../kit/shown-formats.ts";

const ROOT = new URL("../../../", import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, ROOT)));
const PLAIN: Shape = { from: "", merged: [], recursion: "kept", lines: false };
const ALL = { focus: 0, width: 1e12, budget: 10_000_000 };

const JDK = presetRule("jdk")!;
const RULES: [RunRule, RegExp][] = [
  [JDK, /^(java|javax|jdk|sun|com\.sun)\./],
  [{ name: "Own", pattern: "^(shop|wl)\\." }, /^(shop|wl)\./],
  [{ name: "Concurrent", pattern: "^java\\.util\\.concurrent" }, /^java\.util\.concurrent/],
  [{ name: "Runs", pattern: "run" }, /run/i],
];

interface Weighed {
  stack: string[];
  weight: number;
}

/** Stacks with each run in the place of its frames, and the longest run by path. */
function collapsed(stacks: readonly Weighed[], rules: [RunRule, RegExp][], opened: OpenRun[] = []) {
  const sums = new Map<string, number>();
  const lengths = new Map<string, number>();
  for (const { stack, weight } of stacks) {
    const names: string[] = [];
    let reaching = { rule: "", length: 0 };
    for (const name of stack) {
      const rule = rules.find(([, expression]) => expression.test(name))?.[0].name ?? "";
      if (rule === "") reaching = { rule, length: 0 };
      else if (rule === reaching.rule) reaching.length += reaching.length > 0 ? 1 : 0;
      else {
        const isOpen = opened.some((run) => run.rule === rule && run.below === (names.at(-1) ?? ""));
        reaching = { rule, length: isOpen ? 0 : 1 };
      }
      if (reaching.length === 0) names.push(name);
      if (reaching.length === 1) names.push(rule);
      const path = names.join("\n");
      if (reaching.length > 0) lengths.set(path, Math.max(lengths.get(path) ?? 0, reaching.length));
    }
    const path = names.join("\n");
    sums.set(path, (sums.get(path) ?? 0) + weight);
  }
  return { sums, lengths };
}

beforeAll(() => loadPatterns());

describe.each(["fixtures/shop-chunks.jfr", "fixtures/recorded/ddagent-jdk17.jfr"])("%s", (path) => {
  let core: Core;
  let id: number;
  beforeAll(async () => {
    core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    await readInputs(core, [{ name: path, source: bytesSource(bytesOf(path)) }]);
    id = core.profiles().find(({ type }) => type === "wall")!.id;
  });

  const filesStacks = (shape: Shape, profile: number = id): Weighed[] => {
    const { bytes } = core.write(profile, {}, { format: "collapsed", shape });
    const { stacks, weights } = readCollapsed(new TextDecoder().decode(bytes));
    return stacks.map((stack, i) => ({ stack, weight: weights[i]! }));
  };
  const bySum = (stacks: Weighed[]) => new Map(stacks.map(({ stack, weight }) => [stack.join("\n"), weight]));
  /** Paths of the graph as in a file, with the length of each run in it. */
  const drawn = () => {
    const { frames } = core.views.frames(ALL);
    const paths: string[][] = [];
    const lengths = new Map<string, number>();
    for (const row of frames.node.keys()) {
      const name = frames.names[frames.name[row]!]!;
      const [, label = name, length] = /^(.*) · (\d+)$/.exec(name) ?? [];
      const isRun = frames.frameType[row] === FrameType.Run;
      expect(isRun).toBe(length !== undefined);
      paths[row] = row === 0 ? [] : [...paths[frames.parent[row]!]!, label];
      if (isRun) lengths.set(paths[row]!.join("\n"), Number(length));
    }
    return { lengths, total: frames.total[0], self: frames.self.reduce((sum, value) => sum + value, 0) };
  };

  it.each([RULES.slice(0, 1), RULES.slice(1), [...RULES].reverse(), RULES])(
    "as a file and a graph have them",
    (...rules) => {
      const runs = rules.map(([rule]) => rule);
      for (const shape of [PLAIN, { ...PLAIN, merged: ["thread"] }, { ...PLAIN, recursion: "direct" } as Shape]) {
        const wanted = collapsed(filesStacks(shape), rules);

        expect(bySum(filesStacks({ ...shape, runs }))).toEqual(wanted.sums);
        const { value } = core.select(id, {});
        core.views.shape({ ...shape, runs });
        const { lengths, total, self } = drawn();
        expect([total, self]).toEqual([Number(value), Number(value)]);
        expect([...lengths.keys()].sort()).toEqual([...wanted.lengths.keys()].sort());
        if (shape.recursion !== "kept") continue;
        // A node is one of all stacks of the recording, and so is its name.
        const ofAll = core.profiles().flatMap((profile) => filesStacks(shape, profile.id));
        const longest = collapsed(ofAll, rules).lengths;
        expect(lengths).toEqual(new Map([...lengths.keys()].map((each) => [each, longest.get(each)])));
      }
    },
  );

  it("opened below any frames that there are", () => {
    const runs = RULES.map(([rule]) => rule);
    const plain = filesStacks(PLAIN);
    const names = [...new Set(["", ...runs.map(({ name }) => name), ...plain.flatMap(({ stack }) => stack)])];
    const opening = fc.record({
      rule: fc.constantFrom(...runs.map(({ name }) => name)),
      below: fc.constantFrom(...names),
    });
    fc.assert(
      fc.property(fc.array(opening, { maxLength: 12 }), (opened) => {
        const wanted = collapsed(plain, RULES, opened);
        expect(bySum(filesStacks({ ...PLAIN, runs, opened }))).toEqual(wanted.sums);
      }),
      { numRuns: 40 },
    );
  });

  it("below root frames, in the tree and in the table of functions", () => {
    const runs = [JDK];
    const { value } = core.select(id, {});
    core.views.shape({ ...PLAIN, runs });
    const row = core.views.top("total", 0, 1000).rows.find(({ name }) => name === "JDK")!;
    expect(row.total <= value).toBe(true);
    const self = [...collapsed(filesStacks(PLAIN), RULES.slice(0, 1)).sums].filter(([each]) => /(^|\n)JDK$/.test(each));
    expect(row.self).toBe(BigInt(self.reduce((sum, [, weight]) => sum + weight, 0)));
    core.select(id, {});
    core.views.shape({ ...PLAIN, runs, roots: parseRoots("thread") });
    expect(core.views.top("total", 0, 1000).rows.find(({ name }) => name === "JDK")).toEqual(row);
    const below = core.views.children(core.views.children(0)[0]!.node).map(({ name, frameType }) => [name, frameType]);
    expect(below).toContainEqual([expect.stringMatching(/^JDK · \d+$/), FrameType.Run]);
    // A regrouped graph has runs by their name; a path through them is found again.
    const callers = core.views.regroup({ grouping: { kind: "callers" }, path: [], width: 1e9 });
    const at = [...callers.frames.frameType].indexOf(FrameType.Run);
    const path: number[] = [];
    for (let i = at; i !== 0; i = callers.frames.parent[i]!)
      path.unshift(callers.frames.nameIds[callers.frames.name[i]!]!);
    const zoomed = core.views.regroup({ grouping: { kind: "callers" }, path, width: 1e9 });
    expect(zoomed.frames.total[0]).toBe(callers.frames.total[at]);
    expect(core.views.search("^JDK$").value).toBe(row.total);
  });
});

describe("the border of carried threads", () => {
  const CARRIER = presetRule("carrier")!;
  const stacks: [stack: string, logical: string][] = [
    ["T.run;P.work;jdk.internal.vm.Continuation.run;jdk.internal.vm.Continuation.enterSpecial", "(no stack)"],
    [
      "T.run;P.work;jdk.internal.vm.Continuation.run;jdk.internal.vm.Continuation.enter;V.run;A.get;A.put",
      "V.run;A.get;A.put",
    ],
    ["T.run;Q.work;jdk/internal/vm/Continuation.enter;jdk/internal/vm/Continuation.enter0;V.run;A.get", "V.run;A.get"],
    ["JVM Continuation;V.run;A.get", "V.run;A.get"],
    [
      "T.run;kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith;A.invokeSuspend;A.get",
      "A.invokeSuspend;A.get",
    ],
    ["T.run;JVM Continuation;A.a;kotlin.coroutines.jvm.internal.BaseContinuationImpl.resumeWith;A.b", "A.b"],
    ["T.run;P.work;A.get", "T.run;P.work;A.get"],
    ["V.run;A.get", "V.run;A.get"],
    ["MyJVM Continuation;A.get", "MyJVM Continuation;A.get"],
    ["[truncated];A.get", "[truncated];A.get"],
  ];
  const sums = (lines: [stack: string, weight: number][]) => {
    const by = new Map<string, number>();
    for (const [stack, weight] of lines) by.set(stack, (by.get(stack) ?? 0) + weight);
    return [...by].sort();
  };

  it.each([
    ["alone", []],
    ["before and after the JDK's rule, which finds it as well", [JDK]],
  ])("begins stacks below it, %s", async (_, others) => {
    const core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    const text = stacks.map(([stack], i) => `${stack} ${10 + i}\n`).join("");
    const source = bytesSource(new TextEncoder().encode(text));
    await readInputs(core, [{ name: "a.collapsed", source }]);
    for (const runs of [
      [...others, CARRIER],
      [CARRIER, ...others],
    ]) {
      const { bytes } = core.write(core.profiles()[0]!.id, {}, { format: "collapsed", shape: { ...PLAIN, runs } });
      const written = new TextDecoder().decode(bytes).trimEnd().split("\n");
      const found = written.map((line): [string, number] => [line.replace(/ \d+$/, ""), Number(/\d+$/.exec(line)![0])]);
      expect(sums(found)).toEqual(sums(stacks.map(([, logical], i) => [logical, 10 + i])));
    }
  });
});
