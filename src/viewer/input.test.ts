/** Data of an element, through the session of its worker. */
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { asking } from "../../test/kit/asking.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import type { FramesAnswer } from "../core/types.ts";
import { GraphSession } from "../worker/graph-session.ts";
import { conditionsOf } from "./conditions.ts";
import { fetchFile, fileOf } from "./input.ts";
import { Problem } from "./problem.ts";
import type { TreeNode, ViewerData, ViewerOptions } from "./types.ts";

const WASM = new URL("../../build/core.wasm", import.meta.url);
const first = async () => WebAssembly.compile(new Uint8Array(await readFile(WASM)));

const TREE: TreeNode = {
  name: "all",
  value: 100,
  children: [
    {
      name: "a",
      value: 60,
      children: [
        { name: "b", value: 10 },
        { name: "c", children: [{ name: "d", value: 20 }] },
      ],
    },
    { name: "e", value: 30, children: [{ name: "b", value: 30 }] },
    { name: "a", value: 5 },
  ],
};

/** Values of the frames by path, as the worker answers them. */
async function drawn(data: ViewerData, unit = "bytes", width = 1000) {
  const session = asking(new GraphSession({ first }));
  const opened = await session.open([fileOf(data, unit)], PLAIN, () => {});
  if (!opened.ok) throw new Error(opened.error.message);
  const [profile] = opened.value.profiles;
  if (profile === undefined) throw new Error("no profile");
  const answer = await session.frames({ profile: profile.id, measure: 0, filter: {} }, { focus: 0, width });
  if (!answer.ok) throw new Error(answer.error.message);
  return { unit: profile.unit, answer: answer.value, values: valuesOf(answer.value) };
}

function valuesOf({ frames }: FramesAnswer): Record<string, string> {
  const paths: string[] = [];
  const values: Record<string, string> = {};
  frames.total.forEach((total, row) => {
    const name = row === 0 ? "all" : `${paths[frames.parent[row] ?? 0]} ${frames.names[frames.name[row] ?? 0]}`;
    paths[row] = name;
    values[name] = `${total} self ${frames.self[row]}`;
  });
  return values;
}

afterEach(() => vi.unstubAllGlobals());

it.each([1, 2])("a file of %i parts is fetched up to its limit", async (parts) => {
  vi.stubGlobal("fetch", async () => new Response(new Blob(Array(parts).fill("0123456789"))));
  const fetched = fetchFile("https://a/b.jfr", new AbortController().signal, 10);
  if (parts === 1) expect((await fetched).blob.size).toBe(10);
  else await expect(fetched).rejects.toThrow("https://a/b.jfr could not be fetched: it has more than 10 B");
});

describe("a prepared tree", () => {
  it("is drawn with its values, frames of one name merged", async () => {
    const { unit, values } = await drawn(TREE);
    expect(unit).toBe("bytes");
    expect(values).toEqual({
      all: "100 self 5",
      "all a": "65 self 35",
      "all a b": "10 self 10",
      "all a c": "20 self 0",
      "all a c d": "20 self 20",
      "all e": "30 self 0",
      "all e b": "30 self 30",
    });
  });

  it("with another root has that root below the graph's", async () => {
    const { values } = await drawn({ name: "main", value: 3 });
    expect(values).toEqual({ all: "3 self 0", "all main": "3 self 3" });
  });

  it("comes back as it was from the answer of the library", async () => {
    const { answer, values } = await drawn(TREE);
    expect((await drawn(answer)).values).toEqual(values);
    expect((await drawn(answer.frames)).values).toEqual(values);
  });

  it("keeps the value of frames that an answer leaves out", async () => {
    const wide = { name: "wide", value: 1_000_000 };
    const tiny = Array.from({ length: 5 }, (_, i) => ({ name: `tiny ${i}`, value: 1 }));
    const { answer } = await drawn({ name: "all", children: [wide, ...tiny] }, "bytes", 10);
    expect(answer.hiddenValue).toBe(5);
    expect((await drawn(answer, "bytes", 10_000_000)).values).toEqual({
      all: "1000005 self 0",
      "all wide": "1000000 self 1000000",
      "all [hidden frames]": "5 self 5",
    });
  });

  const circle: { name: string; children: unknown[] } = { name: "a", children: [] };
  circle.children.push(circle);
  it.each([
    ["a fraction", { name: "a", value: 0.5 }],
    ["a negative value", { name: "a", value: -1 }],
    ["no name", { children: [{ value: 1 }] }],
    ["no name below", { name: "a", children: [null] }],
    ["itself", circle],
  ])("with %s is refused", (_, data) => {
    expect(() => fileOf(data as unknown as ViewerData)).toThrow(expect.objectContaining({ code: "data.tree" }));
  });
});

it("bytes are the file as they are, and anything else is refused", async () => {
  const bytes = new Uint8Array([1, 2, 3]);
  for (const data of [bytes, bytes.buffer, new Blob([bytes])]) {
    expect(new Uint8Array(await fileOf(data).blob.arrayBuffer())).toEqual(bytes);
  }
  expect(fileOf(new File([bytes], "a.jfr")).name).toBe("a.jfr");
  expect(await fileOf({ resourceProfiles: [] }).blob.text()).toBe('{"resourceProfiles":[]}');
  for (const data of ["a.jfr", 7, null]) {
    expect(() => fileOf(data as unknown as ViewerData)).toThrow(expect.objectContaining({ code: "data.kind" }));
  }
});

it("conditions are those of the library, ids in every notation, and both are checked", () => {
  expect(conditionsOf({ localRoot: "0x10", span: 17n, filter: { noSpan: true } })).toEqual({
    localRoot: 16n,
    span: 17n,
    noSpan: true,
  });
  expect(conditionsOf({ localRoot: "" })).toEqual({});
  const filter = { attributes: { tenant: "t" }, thread: ["a", "b"], not: { endpoint: "/x" }, frame: "c" };
  expect(conditionsOf({ filter })).toEqual({
    attributes: [
      { key: "tenant", value: "t" },
      { key: "thread.name", value: "a" },
      { key: "thread.name", value: "b" },
    ],
    frames: [{ pattern: "c" }],
    rootFrames: [expect.objectContaining({ by: "endpoint", name: "/x", exclude: true })],
  });
  const header = `00-${"6b".repeat(16)}-00f067aa0ba902b7-01`;
  const [root, span] = [BigInt(`0x${"6b".repeat(16)}`), 0xf067aa0ba902b7n];
  expect(conditionsOf({ localRoot: header, span: header })).toEqual({ localRoot: root, span });
  expect(() => conditionsOf({ span: "6b".repeat(16) })).toThrow("a trace is no span");
  expect(() => conditionsOf({ span: "nonsense!" })).toThrow(Problem);
  const typo = { lokalRoot: 1n } as ViewerOptions["filter"];
  expect(() => conditionsOf({ filter: typo })).toThrow('filter has no option "lokalRoot"');
});
