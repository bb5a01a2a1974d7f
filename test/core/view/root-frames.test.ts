/** Root frames on real recordings: the rooted tree against stacks and attributes of the message, joined by hand. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { Core } from "../../../src/core/core.ts";
import { poolName } from "../../../src/core/tables/pool-name.ts";
import type { Filter, FramesAnswer, OutputFormat } from "../../../src/core/types.ts";
import type { RootLevel, Shape } from "../../../src/core/view-types.ts";
import { readInputs } from "../../../src/input/open.ts";
import { parseRoots } from "../../../src/model/query/root-by.ts";
import { loadPatterns } from "../../../src/pattern/pattern.ts";
import { message } from "../../kit/core/read-store.ts";
import { MESSAGES } from "../../kit/formats.ts";
import { type FlatSample, flatten } from "../../kit/otlp/otlp-schema.ts";
import { readCollapsed, readFirefox, readSpeedscope } from "../../kit/shown-formats.ts";

const ROOT = new URL("../../../", import.meta.url);
const bytesOf = (path: string) => new Uint8Array(readFileSync(new URL(path, ROOT)));
const PLAIN: Shape = { from: "", merged: [], recursion: "kept", lines: false };
const ALL = { focus: 0, width: 1e12 };

/** Paths from the root, each with self and total. */
type Paths = Map<string, [self: number, total: number]>;

function pathsOf({ frames, path }: FramesAnswer): Paths {
  expect(path).toEqual([]);
  const paths: string[] = [];
  return new Map(
    Array.from(frames.node, (_, row) => {
      const above = row === 0 ? "" : paths[frames.parent[row]!];
      paths[row] = row === 0 ? "" : `${above}\n${frames.names[frames.name[row]!]}`;
      return [paths[row]!, [frames.self[row]!, frames.total[row]!]] as [string, [number, number]];
    }).filter(([, [, total]]) => total !== 0),
  );
}

/** The same from the samples, one by one. */
function naivePaths(samples: FlatSample[], levels: readonly RootLevel[]): Paths {
  const paths: Paths = new Map();
  const add = (path: string, self: number, total: number) => {
    const [s, t] = paths.get(path) ?? [0, 0];
    paths.set(path, [s + self, t + total]);
  };
  for (const { attributes, stack, values } of samples) {
    const value = Number(values.reduce((sum, v) => sum + v, 0n));
    const roots = levels.map(({ keys, pooled, none }) => {
      const key = keys.find((k) => attributes[k] !== undefined);
      if (key === undefined) return none;
      return pooled ? poolName(String(attributes[key])) : String(attributes[key]);
    });
    const names = [...roots, ...stack.map(({ name }) => name).reverse()];
    for (let n = 0; n <= names.length; n++) {
      const path = names.slice(0, n).map((name) => `\n${name}`);
      add(path.join(""), n === names.length ? value : 0, value);
    }
  }
  return paths;
}

beforeAll(() => loadPatterns());

describe.each(["fixtures/shop-chunks.jfr", "fixtures/recorded/ddagent-jdk17.jfr"])("%s", (path) => {
  let core: Core;
  beforeAll(async () => {
    core = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
    await readInputs(core, [{ name: path, source: bytesSource(bytesOf(path)) }]);
  });
  const idOf = (type: string) => core.profiles().find((profile) => profile.type === type)!.id;
  const samplesOf = (id: number, filter: Filter) =>
    flatten(message(core, id, filter)).flatMap(({ samples }) => samples);

  it.each(["endpoint", "operation", "thread", "thread-pool", "thread-pool,endpoint", "endpoint,thread", "attr:none"])(
    "rooted by %s, is what the samples are",
    (by) => {
      const roots = parseRoots(by);
      expect(roots).toHaveLength(by.split(",").length);
      for (const type of ["cpu", "wall"]) {
        const id = idOf(type);
        for (const filter of [{}, { frames: [{ pattern: "run", exclude: true }] }] as Filter[]) {
          const naive = naivePaths(samplesOf(id, filter), roots);
          const plain = core.select(id, { ...filter, rawNames: true });
          core.views.shape({ ...PLAIN, roots });
          const answer = core.views.frames(ALL);
          expect(pathsOf(answer)).toEqual(naive);
          expect(BigInt(answer.frames.total[0]!)).toBe(plain.value);
          const rootFrames = Array.from(answer.frames.frameType).filter(
            (frameType) => frameType === FrameType.Root,
          ).length;
          const depths = [...naive.keys()].map((each) => each.split("\n").length - 1);
          expect(rootFrames).toBe(depths.filter((depth) => depth > 0 && depth <= roots.length).length);
        }
      }
    },
  );

  it("is what formats with shown stacks have, and what others do not change by", () => {
    const roots = parseRoots("endpoint,thread-pool");
    const id = idOf("cpu");
    const filter = { frames: [{ pattern: "run" }], rawNames: true };
    const naive = naivePaths(samplesOf(id, filter), roots);
    const wanted = new Map([...naive].flatMap(([each, [self]]) => (self === 0 ? [] : [[each, self] as const])));
    const shape = { ...PLAIN, roots };
    const text = (format: OutputFormat) =>
      new TextDecoder().decode(core.write(id, filter, { format, preset: "default", shape }).bytes);
    const summed = (stacks: string[][], weights: number[]) => {
      const sums = new Map<string, number>();
      for (const [i, stack] of stacks.entries()) {
        const each = stack.map((name) => `\n${name}`).join("");
        sums.set(each, (sums.get(each) ?? 0) + weights[i]!);
      }
      return sums;
    };
    const collapsed = readCollapsed(text("collapsed"));
    expect(new Set(collapsed.stacks.map((stack) => stack.join("\n"))).size).toBe(collapsed.stacks.length);
    expect(summed(collapsed.stacks, collapsed.weights)).toEqual(wanted);
    for (const tracks of [readSpeedscope(text("speedscope")), readFirefox(text("firefox"))]) {
      const stacks = tracks.flatMap((track) => track.stacks);
      expect(
        summed(
          stacks,
          tracks.flatMap(({ weights }) => weights),
        ),
      ).toEqual(wanted);
    }
    for (const format of MESSAGES) {
      const { bytes } = core.write(id, filter, { format, shape });
      expect(bytes).toEqual(core.write(id, filter, { format }).bytes);
    }
  });

  it("leaves the functions' figures as they are, in the table and in a comparison", () => {
    const id = idOf("cpu");
    const roots = parseRoots("thread-pool,endpoint");
    const figures = (shape: Shape) => {
      core.select(id, {});
      core.views.shape(shape);
      const top = core.views.top("total", 0, 1000);
      core.views.keepBaseline();
      core.select(id, { frames: [{ pattern: "java" }] });
      const changed = core.views.changed(true, false, 0, 1000);
      const callers = core.views.regroup({
        grouping: { kind: "callers-of", name: top.rows[3]!.name },
        path: [],
        width: 1,
      });
      return { top, changed, callers: callers.frames.total[0] };
    };
    const plain = figures(PLAIN);
    expect(figures({ ...PLAIN, roots })).toEqual(plain);
    expect(figures(PLAIN)).toEqual(plain);
  });

  it("is put above a tree of another shape, whose frames it keeps", () => {
    const id = idOf("wall");
    core.select(id, {});
    const shape: Shape = { ...PLAIN, merged: ["^java\\."], recursion: "all", lines: true };
    core.views.shape(shape);
    const plain = pathsOf(core.views.frames(ALL));
    core.views.shape({ ...shape, roots: parseRoots("thread") });
    const rooted = pathsOf(core.views.frames(ALL));
    const joined: Paths = new Map();
    for (const [each, [self, total]] of rooted) {
      const under = each
        .split("\n")
        .slice(2)
        .map((name) => `\n${name}`)
        .join("");
      if (each === "") continue;
      const [s, t] = joined.get(under) ?? [0, 0];
      joined.set(under, [s + self, t + total]);
    }
    expect(joined).toEqual(plain);
  });

  it("has the same nodes for every selection", () => {
    const roots = parseRoots("endpoint,thread-pool");
    const nodes = (type: string, filter: Filter) => {
      core.select(idOf(type), filter);
      core.views.shape({ ...PLAIN, roots });
      const { frames } = core.views.frames(ALL);
      const paths: string[] = [];
      for (const row of frames.node.keys()) {
        paths[row] = row === 0 ? "" : `${paths[frames.parent[row]!]}\n${frames.names[frames.name[row]!]}`;
      }
      return new Map(paths.map((each, row) => [each, frames.node[row]]));
    };
    const all = nodes("cpu", {});
    const some = nodes("cpu", { frames: [{ pattern: "java" }] });
    expect(some.size).toBeGreaterThan(20);
    for (const [each, node] of some) expect([each, all.get(each)]).toEqual([each, node]);
  });
});

it("root frames of a recording that is closed leave the next one as it is", async () => {
  const own = await Core.instantiate(await WebAssembly.compile(bytesOf("build/core.wasm")));
  const read = (name: string) => readInputs(own, [{ name, source: bytesSource(bytesOf(`fixtures/${name}`)) }]);
  const pathsOfFirst = () => {
    own.select(own.profiles()[0]!.id, {});
    return pathsOf(own.views.frames(ALL));
  };
  await read("recorded/ap46-jdk17-all.jfr");
  const expected = pathsOfFirst();
  own.reset();
  await read("recorded/ddagent-jdk17.jfr");
  pathsOfFirst();
  own.views.shape({ ...PLAIN, roots: parseRoots("thread") });
  own.reset();
  await read("recorded/ap46-jdk17-all.jfr");
  expect(pathsOfFirst()).toEqual(expected);
});

it("a thread pool is the thread's name without the number at its end", () => {
  const pools = [
    ["http-nio-8080-exec-12", "http-nio-8080-exec-*"],
    ["pool-3-thread-7", "pool-3-thread-*"],
    ["C2 CompilerThread0", "C2 CompilerThread*"],
    ["RMI TCP(17)", "RMI TCP(*)"],
    ["[worker 4]", "[worker *]"],
    ["main", "main"],
    ["42", "*"],
    ["()", "()"],
    ["", ""],
  ];
  expect(pools.map(([thread]) => [thread, poolName(thread!)])).toEqual(pools);
});
