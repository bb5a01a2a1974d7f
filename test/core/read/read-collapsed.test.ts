/** Collapsed stacks: the sample of each line, diagnostics of damaged lines, and texts of other formats. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as FrameType from "../../../assembly/abi/frame-type.ts";
import { type ByteSource, bytesSource } from "../../../src/bytes/byte-source.ts";
import { Expansion } from "../../../src/bytes/expansion.ts";
import { StreamSource } from "../../../src/bytes/stream-source.ts";
import type { Core } from "../../../src/core/core.ts";
import { classified } from "../../../src/input/classify.ts";
import { readInputs } from "../../../src/input/open.ts";
import { codes, emptyCore } from "../../kit/core/read-store.ts";
import { survive } from "../../kit/otlp/messages.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

async function open(...files: (string | Uint8Array | ByteSource)[]): Promise<Core> {
  const core = await emptyCore();
  const sources = files.map((file) => (typeof file === "string" ? utf8(file) : file));
  await readInputs(
    core,
    sources.map((file, i) => ({ name: `${i}.txt`, source: file instanceof Uint8Array ? bytesSource(file) : file })),
  );
  return core;
}

function linesOf(core: Core): string[] {
  const text = new TextDecoder().decode(core.write(core.profiles()[0]?.id ?? 0, {}, { format: "collapsed" }).bytes);
  return text.split("\n").slice(0, -1);
}

async function kindOf(text: string | Uint8Array): Promise<string> {
  const source = bytesSource(typeof text === "string" ? utf8(text) : text);
  const { sniffed } = await classified(source, new Expansion(source));
  return sniffed.kind === "foreign" ? sniffed.what : sniffed.kind;
}

describe("collapsed stacks", () => {
  it("are samples without a time, of a type that says nothing of the event", async () => {
    const core = await open("main;work;read 12\nmain;work 3\nmain;work;read 1\n");
    expect(codes(core)).toEqual([]);
    expect(linesOf(core)).toEqual(["main;work;read 13", "main;work 3"]);
    expect(core.profiles()).toMatchObject([
      { type: "samples", unit: "count", samples: 3, value: 16n, stacks: 2, threads: 0, periodType: "", events: {} },
    ]);
    expect(core.views.timeBounds()).toBeNull();
    expect(core.files()).toMatchObject([{ format: "collapsed", chunks: [], messages: [{ samples: 3 }], samples: 3 }]);
  });

  it.each([
    ["with lines of Windows", "a;b 1\r\nc 2\r\n", ["a;b 1", "c 2"]],
    ["with lines that end in a carriage return", "a;b 1\rc 2\ra;b 3\r", ["a;b 4", "c 2"]],
    ["with all ends of lines", "a 1\rb 2\r\nc 3\n\rd 4\r\r\ne 5", ["a 1", "b 2", "c 3", "d 4", "e 5"]],
    ["with empty lines", "\n\na 1\n \n\r\n\nb 2\n\n", ["a 1", "b 2"]],
    ["without a line feed at the end", "a;b 1\nc 2", ["a;b 1", "c 2"]],
    ["behind a byte order mark", "\ufeffa;b 1\n", ["a;b 1"]],
    ["with blanks in names, and a tab before the weight", "void f(int, char);g h\t7\n", ["void f(int, char);g h 7"]],
    ["with blanks after the weight", "a;b 7  \n", ["a;b 7"]],
    ["with frames without a name", "a;;b 1\n", ["a;(no name);b 1"]],
    ["without a stack", "a 1\n 4\nb 2\n", ["(no stack) 4", "a 1", "b 2"]],
    ["with weights below 0", "a -5\n", ["a -5"]],
    ["with comments at any place", "# duration: 9\na 1\n  // threads 4\n#b;c 7\nb 2\n# saved: 5\n", ["a 1", "b 2"]],
    ["with names that begin with a hash", "#<Class:Shop>#pay;a 5\n", ["#<Class:Shop>#pay;a 5"]],
    ["with control characters in names", "a\u001b[31m;b\u0001 1\nc 2\n", ["a [31m;b  1", "c 2"]],
    ["with a function that has the name of a sum", "a 1\nTotal 7\nsum;b 3\n", ["Total 7", "a 1", "sum;b 3"]],
    ["with such a function at the start", "Total 7\na 1\n", ["Total 7", "a 1"]],
    ["with line numbers, which stay in the name", "A.main:12;B.run:7 3\n", ["A.main:12;B.run:7 3"]],
    ["at the ends of 64 bits", `a ${2n ** 63n - 1n}\nb -${2n ** 63n}\n`, [`a ${2n ** 63n - 1n}`, `b -${2n ** 63n}`]],
  ])("are read %s", async (_, text, lines) => {
    const core = await open(text);
    expect(codes(core)).toEqual([]);
    expect(linesOf(core).toSorted()).toEqual(lines);
  });

  it("have the frame types that async-profiler puts behind names", async () => {
    const core = await open("n;jit_[j];inlined_[i];interpreted_[0];c1_[1];kernel_[k];other_[p];_[j] 1\n");
    core.select(core.profiles()[0]?.id ?? 0, {});
    const { frames } = core.views.frames({ focus: 0, width: 1000 });
    const types = Array.from(frames.name, (name, i) => [frames.names[name], frames.frameType[i]]);
    expect(Object.fromEntries(types.slice(1))).toEqual({
      n: FrameType.None,
      jit: FrameType.Jvm,
      inlined: FrameType.Jvm,
      interpreted: FrameType.Jvm,
      c1: FrameType.Jvm,
      kernel: FrameType.Kernel,
      "other_[p]": FrameType.None,
      "_[j]": FrameType.None,
    });
  });

  it("have the thread that async-profiler writes as the first frame", async () => {
    const core = await open(
      "[main tid=7];a 1\n[tid=9];a 2\n[pool 1 tid=8] 3\n[main tid=7];b 4\n[x];c 5\n[y tid=];c 6\n",
    );
    expect(ranked(core, "thread.id")).toEqual([
      ["7", 5n],
      ["8", 3n],
      ["9", 2n],
    ]);
    expect(ranked(core, "thread.name")).toEqual([
      ["main", 5n],
      ["pool 1", 3n],
    ]);
    expect(linesOf(core).toSorted()).toEqual(["(no stack) 3", "[x];c 5", "[y tid=];c 6", "a 3", "b 4"]);
  });

  it("with two numbers on each line are two profiles", async () => {
    const text = "# difffolded.pl\nmain;a 5 3\nmain;b 7\t9\nmain;c 2 0\n";
    const core = await open(text, "main;a 1\n");
    expect(core.diagnostics()).toMatchObject([{ code: "collapsed.weights.two", severity: "info", file: "0.txt" }]);
    expect(core.profiles().map(({ type, unit, value, samples }) => [type, unit, value, samples])).toEqual([
      ["samples:before", "count", 14n, 3],
      ["samples:after", "count", 12n, 3],
      ["samples", "count", 1n, 1],
    ]);
    expect(linesOf(core)).toEqual(["main;a 5", "main;b 7", "main;c 2"]);
    const short = await open(`${"main;a 5 3\n".repeat(1000)}main;b 7\n`);
    expect(codes(short)).toEqual(["collapsed.weights.guessed", "collapsed.weights.one"]);
    expect(short.diagnostics()[1]?.message).toContain("line 1001 with one number");
    const parts = await open("duration: 9\na 1.6 2\nb 3 0.4\nc 5 6\n");
    expect(codes(parts).sort()).toEqual([
      "collapsed.stack.missing",
      "collapsed.weight.fraction",
      "collapsed.weights.two",
    ]);
    expect(parts.profiles().map(({ value }) => value)).toEqual([10n, 8n]);
  });

  it.each([
    ["names that may end in a number", "main;task 1 10\nmain;task 2 20\n", "collapsed.weights.guessed", [3n, 30n]],
    ["names that begin with 0", "worker 0 10\nworker 1 20\n", "collapsed.weights.guessed", [1n, 30n]],
    ["three numbers", "a 1 2 3\nb 4 5 6\n", "collapsed.weights.many", [7n, 9n]],
    ["four numbers", "a 1 2 3 4\nb 4 5 6 7\n", "collapsed.weights.many", [9n, 11n]],
    ["a stack that the second file lacks", "a 1 2\nb 4 0\n", "collapsed.weights.two", [5n, 2n]],
    ["names of which some end in a number", "a 1 2\nb 4\n", "collapsed.weights.second", [6n]],
  ])("with %s say what was taken for a weight", async (_, text, code, values) => {
    const core = await open(text);
    expect(codes(core)).toEqual([code]);
    expect(core.profiles().map(({ value }) => value)).toEqual(values);
  });

  it.each([
    ["at the end", "a 1\nb;c 2\nTotal 3\n", 10],
    ["before them", "total samples 3\na 1\nb;c 2\n", 0],
  ])("are not their sum %s", async (_, text, offset) => {
    const core = await open(text, "Total 3\nx 4\n");
    expect(core.diagnostics()).toMatchObject([
      { code: "collapsed.stack.missing", severity: "warning", file: "0.txt", offset },
    ]);
    expect(linesOf(core).toSorted()).toEqual(["Total 3", "a 1", "b;c 2", "x 4"]);
  });

  it("are not settings", async () => {
    const core = await open("version: 3\nmode= 4\na;b= 1\nc 2\nd 3\ne 4\nlast, 5\n");
    expect(core.diagnostics()).toMatchObject([{ code: "collapsed.stack.missing", offset: 0 }]);
    expect(linesOf(core).toSorted()).toEqual(["a;b= 1", "c 2", "d 3", "e 4"]);
  });

  it.each(["utf-16le", "utf-16be"])("are read in %s", async (encoding) => {
    const lines = Array.from({ length: 40_000 }, (_, i) => `main;\u00e4\u00df\ud83d\ude00${i} ${i + 1}`);
    const text = `\ufeff${lines.join("\r\n")}`;
    const view = new DataView(new ArrayBuffer(2 * text.length));
    for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), encoding === "utf-16le");
    const core = await open(new Uint8Array(view.buffer));
    expect(codes(core)).toEqual([]);
    expect(linesOf(core)).toEqual(lines);
  });

  it("of several files are one profile, filtered by file", async () => {
    const core = await open("a;b 1\n", "a;b 2\nc 3\n");
    expect(core.profiles().map(({ type, value }) => [type, value])).toEqual([["samples", 6n]]);
    expect(core.select(core.profiles()[0]?.id ?? 0, { file: "1.txt" }).value).toBe(5n);
  });

  it("are read when compressed, and from a pipe", async () => {
    const text = utf8("a;b 1\nc 2\n");
    const core = await open(new Uint8Array(gzipSync(text)));
    expect(linesOf(core)).toEqual(["a;b 1", "c 2"]);
    const piped = await open(new StreamSource(oneByOne(text)));
    expect(linesOf(piped)).toEqual(["a;b 1", "c 2"]);
  });
});

/** Values of an attribute, and the weight of each. */
function ranked(core: Core, key: string): [label: string, value: bigint][] {
  core.select(core.profiles()[0]?.id ?? 0, {});
  return core.views.rank({ kind: "attribute", key }, 0, 10).rows.map(({ label, value }) => [label, value]);
}

async function* oneByOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) yield bytes.slice(at, at + 1);
}

describe("lines that are damaged", () => {
  it.each([
    ["without a weight", "a;b 1\nlost\nc 2\nd;e x\nf 3\n", "collapsed.weight.missing", 6, ["a;b 1", "c 2", "f 3"]],
    ["with a second number, which stays in the name", "a 1\nb 2 5\n", "collapsed.weights.second", 4, ["a 1", "b 2 5"]],
    ["with two numbers after a tab", "a\t1\nb\t2.5\t5\n", "collapsed.weights.second", 4, ["a 1", "b 2.5 5"]],
    ["with a weight that is no number", "a 1\nb 1e5\nc 2\n", "collapsed.weight.missing", 4, ["a 1", "c 2"]],
    ["with a sign alone", "a 1\nb -\nc 2\n", "collapsed.weight.missing", 4, ["a 1", "c 2"]],
    ["of nothing but a number", "a 1\n17\nc 2\n", "collapsed.weight.missing", 4, ["a 1", "c 2"]],
    ["above 2⁶³ − 1", `a 1\nb ${2n ** 63n}\nc 2\n`, "collapsed.weight.large", 4, ["a 1", "c 2"]],
    ["above 2⁶⁴", `a 1\nb ${10n ** 30n}\nc 2\n`, "collapsed.weight.large", 4, ["a 1", "c 2"]],
    ["below −2⁶³", `a 1\nb -${2n ** 63n + 1n}\nc 2\n`, "collapsed.weight.large", 4, ["a 1", "c 2"]],
    ["that round to 2⁶³", `a 1\nb ${2n ** 63n - 1n}.5\nc 2\n`, "collapsed.weight.large", 4, ["a 1", "c 2"]],
    ["with decimals", "a 1.5\nb -1.5\nc 2.4\nd 0.9\n", "collapsed.weight.fraction", 0, ["a 2", "b -2", "c 2", "d 1"]],
  ])("are left out or repaired, with the offset of the first: %s", async (_, text, code, offset, lines) => {
    const core = await open(text);
    expect(core.diagnostics()).toMatchObject([{ code, file: "0.txt", chunk: null, offset }]);
    expect(core.diagnostics()[0]?.message).toContain(`offset ${offset})`);
    expect(linesOf(core)).toEqual(lines);
  });

  it("because they are not UTF-8 are repaired", async () => {
    const core = await open(Uint8Array.of(...utf8("a 1\nb"), 0xff, ...utf8(";c 2\n")));
    expect(core.diagnostics()).toMatchObject([{ code: "collapsed.text", severity: "warning", offset: 4 }]);
    expect(linesOf(core)).toEqual(["a 1", "b\ufffd;c 2"]);
  });

  it("because they are longer than a block are left out, and 1 MB is read", async () => {
    const deep = `${"a.frame.of.a.name;".repeat(60_000)}leaf`;
    const core = await open(`a 1\n${deep} 2\n${"x".repeat(9 << 20)} 3\r\nb 4\n\nlost\n`);
    expect(codes(core)).toEqual(["collapsed.weight.missing", "collapsed.line.long"]);
    expect(core.diagnostics()[0]?.message).toContain("line 6 without");
    expect(core.diagnostics()[1]).toMatchObject({ severity: "error", offset: 4 + deep.length + 3 });
    expect(linesOf(core)).toEqual(["a 1", `${deep} 2`, "b 4"]);
  });

  it("whatever they are do not keep the core from its work", async () => {
    const core = await emptyCore();
    const piece = fc.constantFrom(..."a;[]=_ \t\r\n09-.kj", "tid=", "_[j]", "\u0000", "\ud83d\ude00", "9".repeat(20));
    const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
        await survive(core, utf8(`a;b 1\nc;d 2\n${lines.join("\n")}`));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a large text", () => {
  it("is read block by block, wherever the blocks end", async () => {
    const line = (i: number) => `main;${"x".repeat(1000 + (i % 77))};leaf${i % 50} ${i % 9}\n`;
    const text = utf8(Array.from({ length: 12_000 }, (_, i) => line(i)).join(""));
    let most = 0;
    const counted: ByteSource = {
      byteLength: text.length,
      slice: async (start, end) => {
        most = Math.max(most, end - start);
        return text.subarray(start, end);
      },
    };
    const core = await open(counted);
    expect(codes(core)).toEqual([]);
    expect(core.files()[0]?.messages.length).toBeGreaterThan(2);
    expect(core.profiles()).toMatchObject([{ samples: 12_000, value: BigInt(sum(12_000)) }]);
    expect(most).toBeLessThanOrEqual(4 << 20);
  });
});

function sum(n: number): number {
  let all = 0;
  for (let i = 0; i < n; i++) all += i % 9;
  return all;
}

describe("a text", () => {
  it.each([
    ["a;b;c 12\n", "collapsed"],
    ["a;b;c 12", "collapsed"],
    ["main 12\nidle 3\n", "collapsed"],
    ["# made by hand\na;b 1\nc;d 2\n", "collapsed"],
    [`${"deep;".repeat(50_000)}leaf 1\n`, "collapsed"],
    ["[main tid=1];a 1\n", "collapsed"],
    ["{main};foo 1\n", "collapsed"],
    ["<frozen importlib>;foo 1\n", "collapsed"],
    ["one\r\n\ttwo", "plain text"],
    ["Hello, this is\na text of version 12\nand no more of it\n", "plain text"],
    ["name: a\nport: 80\nretries: 3\n", "plain text"],
    ["port = 80\nretries = 3\n", "plain text"],
    ["12\n13\n", "plain text"],
    ["a;b;c\nd;e;f\n", "plain text"],
    ['{"a": 1', "JSON"],
    ['{\n "x;y": 1\n', "JSON"],
    ['["a;b 12', "JSON"],
    ["[1", "JSON"],
    ["<p>a;b\n<b>12</b>", "HTML or XML"],
    ['{"resourceProfiles": [ 12', "otlp"],
  ])("is known by most of its first lines: %j", async (text, kind) => {
    expect(await kindOf(text)).toBe(kind);
  });

  it("of one line without a weight is looked at in linear time", async () => {
    expect(await kindOf(`${"a;".repeat(1 << 20)} b`)).toBe("plain text");
  });

  it("with control characters is none", async () => {
    expect(await kindOf(`${"a;b 1\n".repeat(20)}\0`)).toBe("plain text");
  });
});

describe("what we write of a recording", () => {
  it.each(["shop.jfr", "shop-chunks.jfr"])("is written the same after it was read: %s", async (name) => {
    const recording = await open(new Uint8Array(readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url))));
    const profiles = recording.profiles();
    const written = profiles.map(({ id }) => recording.write(id, {}, { format: "collapsed" }).bytes);
    expect(written.length).toBeGreaterThan(2);
    for (const bytes of written) {
      const again = await open(bytes.slice());
      expect(codes(again)).toEqual([]);
      expect(linesOf(again)).toEqual(new TextDecoder().decode(bytes).split("\n").slice(0, -1));
    }
  });
});
