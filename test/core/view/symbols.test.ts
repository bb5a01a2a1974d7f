/** Names of symbols beside the store's rows: every view and output follows them, and nothing remains without them. */
import { beforeEach, describe, expect, it } from "vitest";
import type { NamedLocation, SymbolLine } from "../../../src/core/answers/symbols.ts";
import type { Core } from "../../../src/core/core.ts";
import { WHOLE } from "../../../src/model/query/shape.ts";
import { observations, read } from "../../kit/core/read-store.ts";
import { cpuChunk, type Frame } from "../../kit/jfr/jfr-types.ts";

const remote: Frame = { className: "ab12cd34ef", method: "<remote>", descriptor: "0x15e3", type: "Native (remote)" };
const java: Frame = { className: "demo/Work", method: "run" };
const line = (name: string, at: number): SymbolLine => {
  return { function: `${name}()`, linkageName: `_Z${name}v`, file: "work.cpp", line: at, column: 2 };
};
const BASE = 0x40_0000n;

let core: Core;
beforeEach(async () => {
  core = await read(cpuChunk([{ stack: { frames: [remote, java, remote] } }]));
});

/** Gives all frames these lines. */
function name(...frames: SymbolLine[]): void {
  core.views.choose(null, {}, 0);
  const [library] = core.views.addressedLibraries();
  core.views.nameLocations(library!.places.map(({ location }): NamedLocation => ({ location, base: BASE, frames })));
}

const topNames = () => {
  core.select(null, {});
  return core.views.top("total", 0, 10).rows.map((row) => row.name);
};
const collapsed = () => new TextDecoder().decode(core.write(0, {}, { format: "collapsed" }).bytes).trim();

describe("frames known by address", () => {
  it("are a library of the selection, with their positions", () => {
    core.select(null, {});
    const [library] = core.views.addressedLibraries();
    expect(library).toMatchObject({ name: "", buildId: "ab12cd34ef", samples: 1, value: 1n });
    expect(library!.places.map(({ address, frames }) => [address, frames]).sort()).toEqual([
      [0x15e2n, 1n],
      [0x15e3n, 1n],
    ]);
    core.select(null, { span: 99n });
    expect(core.views.addressedLibraries()[0]?.samples).toBe(0);
  });

  it("have the functions that symbols give them, the innermost first, in views, filters and outputs", () => {
    name(line("inner", 7), line("outer", 9));
    expect(topNames().sort()).toEqual(["demo.Work.run", "inner()", "outer()"]);
    expect(core.select(null, { frames: [{ pattern: "outer" }] }).samples).toBe(1);
    expect(collapsed()).toBe("outer();inner();demo.Work.run;outer();inner() 1");
    // The first line of each location.
    const [sample] = observations(core);
    expect(sample?.stack.map(({ name: fn, line: at, address }) => [fn, at, address])).toEqual([
      ["inner()", 7n, BASE + 0x15e3n],
      ["demo.Work.run", 0n, 0n],
      ["inner()", 7n, BASE + 0x15e2n],
    ]);
  });

  it("keep their label where a file knows no name, and get the address in that file", () => {
    name();
    expect(topNames().sort()).toEqual(["[ab12cd34]+0x15e3", "demo.Work.run"]);
    expect(observations(core)[0]?.stack.map(({ address }) => address)).toEqual([BASE + 0x15e3n, 0n, BASE + 0x15e2n]);
  });

  it("are unnamed again without symbols, and remain a library while they are named", () => {
    const before = [topNames(), collapsed(), observations(core)];
    name(line("inner", 7));
    core.select(null, {});
    expect(core.views.addressedLibraries()[0]?.places).toHaveLength(2);
    name(line("other", 8));
    expect(topNames()).toContain("other()");
    expect(topNames()).not.toContain("inner()");
    core.views.nameLocations([]);
    expect([topNames(), collapsed(), observations(core)]).toEqual(before);
  });

  it("are found again after a change of names, though the nodes of the tree have other numbers", () => {
    core.select(null, {});
    const childOf = (node: number) => core.views.children(node)[0]!;
    const top = childOf(0);
    const work = childOf(top.node);
    const after = (node: number, ...frames: SymbolLine[]) => core.views.nodeAfter(node, () => name(...frames));
    const named = after(work.node, line("inner", 7), line("outer", 9));
    core.select(null, {});
    // The recorded frame above became two.
    expect([named, core.views.frames({ focus: named, width: 100 }).frames.names]).toEqual([
      3,
      ["demo.Work.run", "outer()", "inner()"],
    ]);
    const leaf = childOf(childOf(named).node);
    expect(leaf.name).toBe("inner()");
    // Both functions of a location are one frame again.
    const unnamed = after(leaf.node);
    expect(core.views.frames({ focus: unnamed, width: 100 }).frames.names).toEqual(["[ab12cd34]+0x15e3"]);
    expect(after(0)).toBe(0);
  });

  it("are found again where a run takes all frames below, and not in trees of other depths", () => {
    const shape = (pattern: string, whole: boolean) =>
      core.views.shape({ ...WHOLE, runs: [{ name: "Fold", pattern, whole }] });
    const after = (node: number, pattern: string, ...frames: SymbolLine[]) => {
      const found = core.views.nodeAfter(node, () => {
        name(...frames);
        core.select(null, {});
        shape(pattern, true);
      });
      return core.views.frames({ focus: found, width: 100 }).frames.names;
    };
    core.select(null, {});
    shape("Work", true);
    const fold = core.views.children(core.views.children(0)[0]!.node)[0]!;
    expect([fold.name, after(fold.node, "Work", line("inner", 7), line("outer", 9))]).toEqual(["Fold", ["Fold"]]);
    // The run has the frame that is looked for.
    const [outer] = core.views.children(0);
    expect([outer!.name, after(outer!.node, "ab12")]).toEqual(["outer()", ["Fold"]]);
    shape("Work", false);
    expect(after(core.views.children(0)[0]!.node, "Work", line("inner", 7))[0]).toBe("");
  });

  it("are marked as inlined, except for the function that the code is in", () => {
    const marks = () => new Map(core.views.top("total", 0, 10).rows.map((row) => [row.name, row.inlined]));
    core.select(null, {});
    expect([...marks().values()]).toEqual([undefined, undefined]);
    expect(core.views.frames({ focus: 0, width: 100 }).frames.inlined).toBeUndefined();
    name(line("inner", 7), line("outer", 9));
    core.select(null, {});
    expect(marks()).toEqual(
      new Map([
        ["inner()", 2],
        ["outer()", undefined],
        ["demo.Work.run", undefined],
      ]),
    );
    const { names, inlined } = core.views.frames({ focus: 0, width: 100 }).frames;
    expect(names.map((text, i) => [text, inlined?.[i]])).toContainEqual(["inner()", 2]);
    expect(core.views.children(1)).toMatchObject([{ name: "inner()", inlined: 2 }]);
    // Inlined into itself, and also the outermost function.
    name(line("inner", 7), line("inner", 9));
    core.select(null, {});
    expect(marks().get("inner()")).toBe(1);
  });

  it("are no frames of another recording in the same core", async () => {
    name(line("inner", 7));
    core = await read(cpuChunk([{ stack: { frames: [remote] } }]));
    expect(topNames()).toEqual(["[ab12cd34]+0x15e3"]);
  });
});
