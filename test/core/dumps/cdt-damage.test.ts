/** Damaged dumps: what is sound is read, and the rest has a diagnostic with stream, file and offset. */
import { describe, expect, it } from "vitest";
import { bytesSource } from "../../../src/bytes/byte-source.ts";
import { readInputs } from "../../../src/input/open.ts";
import { callsOf, codesOf, readFile, readFolder } from "../../kit/cdt/cdt-reading.ts";
import {
  asCapture,
  asFolder,
  asZip,
  Bytes,
  type Streams,
  type Writing,
  type WrittenCall,
  writeStreams,
} from "../../kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

const START = Date.UTC(2024, 1, 3);
const FOLDER = `dump/web/2024/02/03/${START}`;

const CALLS = Array.from({ length: 6 }, (_, i): WrittenCall => {
  const child = { method: "void a.B.inner() (B.java:2)", before: 1, after: 4, children: [] };
  const tags = [{ name: "sql", value: `select ${i}`, in: "sql" as const }];
  return {
    threadId: 1 + (i % 2),
    thread: `t${i % 2}`,
    at: START + 100 * i,
    root: { method: "void a.B.run() (B.java:1)", before: 0, after: 10, children: [child], tags },
    isRecorded: true,
    reactive: 0,
    params: { url: ["/x"] },
  };
});
const OF: Writing = {
  start: START,
  pauses: [[150, 20]],
  eventsPerBlock: 7,
  blocksPerFile: 2,
  callsPerFile: 3,
  calls: CALLS,
};

const sound = (): Streams => writeStreams(OF).streams;
const cut = (bytes: Uint8Array, n: number) => bytes.slice(0, bytes.length - n);

/** Changes a copy of the streams. */
function changed(change: (streams: Streams) => void): Streams {
  const streams = sound();
  change(streams);
  return streams;
}

async function read(files: Record<string, Uint8Array>) {
  const core = await emptyCore();
  const calls = await callsOf(core, await readFolder(core, files));
  return { core, calls: [...calls.values()], codes: codesOf(core) };
}

const CASES: [code: string, severity: string, stream: string, calls: number, streams: Streams][] = [
  ["cdt.stream.missing", "error", "dictionary", 6, changed((s) => delete s.dictionary)],
  ["cdt.stream.missing", "warning", "suspend", 6, changed((s) => delete s.suspend)],
  ["cdt.stream.missing", "warning", "trace", 6, changed((s) => delete s.trace)],
  ["cdt.phrase.length", "error", "dictionary", 6, changed((s) => (s.dictionary = [new Bytes().int(0).done()]))],
  ["cdt.calls.truncated", "warning", "calls", 6, changed((s) => (s.calls = [s.calls![0]!, cut(s.calls![1]!, 3)]))],
  [
    "cdt.calls.implausible",
    "error",
    "calls",
    6,
    changed(
      (s) =>
        (s.calls![1] = new Bytes()
          .raw(s.calls![1]!.slice(0, 16))
          .varint(0)
          .varint(60_000)
          .raw(new Uint8Array(30))
          .done()),
    ),
  ],
  [
    "cdt.calls.format",
    "error",
    "calls",
    6,
    changed((s) => (s.calls![1] = new Bytes().int(0xfffefdfc).int(9).long(START).done())),
  ],
  ["cdt.params.truncated", "warning", "params", 6, changed((s) => (s.params = [cut(s.params![0]!, 1)]))],
  ["cdt.suspend.truncated", "warning", "suspend", 6, changed((s) => (s.suspend = [cut(s.suspend![0]!, 1)]))],
  ["cdt.trace.truncated", "warning", "trace", 6, changed((s) => s.trace!.push(cut(s.trace!.pop()!, 1)))],
  ["cdt.dictionary.short", "warning", "dictionary", 6, changed((s) => (s.dictionary = [cut(s.dictionary![0]!, 4)]))],
  ["cdt.reference.dangling", "warning", "sql", 6, changed((s) => (s.sql = [new Uint8Array(0)]))],
  ["cdt.call.dangling", "warning", "calls", 6, changed((s) => (s.trace![0] = s.trace![0]!.slice(0, 8)))],
];

describe("damage", () => {
  it("no dump that is whole has a diagnostic", async () => {
    const { calls, codes } = await read(asFolder(sound(), FOLDER));
    expect(codes).toEqual([]);
    expect(calls.map(({ tree, frames }) => [tree, frames.length])).toEqual(Array(6).fill(["whole", 2]));
  });

  it.each(CASES)("%s (%s) of %s", async (code, severity, stream, count, streams) => {
    const { core, calls } = await read(asFolder(streams, FOLDER));
    const found = core.diagnostics().filter((each) => each.code === code);
    expect(found.map((each) => [each.severity, each.stream])).toContainEqual([severity, stream]);
    expect(found[0]?.file).toContain(code === "cdt.stream.missing" ? FOLDER : `/${stream}/`);
    expect(calls.length).toBe(count);
  });

  it("a missing file of the trace cuts the calls in it", async () => {
    const files = asFolder(sound(), FOLDER);
    const { [`${FOLDER}/trace/000002.gz`]: _, ...rest } = files;
    const { calls, codes } = await read(rest);
    expect(codes).toContain("cdt.stream.gap");
    expect(calls.filter(({ tree }) => tree === "whole").length).toBeGreaterThan(0);
    expect(calls.filter(({ tree }) => tree === "none" || tree === "cut").length).toBeGreaterThan(0);
  });

  it("a cut trace keeps all roots that end before the cut, although calls name blocks beyond it", async () => {
    const calls = CALLS.map((call, i) => ({ ...call, isRecorded: i % 2 === 1 }));
    const { streams } = writeStreams({ ...OF, calls, eventsPerBlock: 11, blocksPerFile: 3 });
    const { calls: _, ...unnamed } = streams;
    const whole = async (of: Streams, file: number, length: number) => {
      const trace = of.trace!.map((bytes, i) => (i === file ? bytes.slice(0, length) : bytes));
      const { calls: found, codes } = await read(asFolder({ ...of, trace }, FOLDER));
      return { ids: found.filter(({ tree }) => tree === "whole").map(({ id }) => id), codes };
    };
    let most = 0;
    for (let file = 0; file < streams.trace!.length; file++) {
      for (let length = 9; length < streams.trace![file]!.length; length += 3) {
        // Without calls, no block is known beyond the cut.
        const { ids: expected } = await whole(unnamed, file, length);
        const { ids, codes } = await whole(streams, file, length);
        expect(ids.sort(), `${file}:${length}`).toEqual(expected.sort());
        expect(codes).not.toContain("cdt.trace.implausible");
        most = Math.max(most, ids.length);
      }
    }
    expect(most).toBeGreaterThan(3);
  });

  it("a dump without any call or root is not read, and says so", async () => {
    const junk = new TextEncoder().encode("neither calls nor a trace of a program");
    const cases: Streams[] = [
      { calls: [junk], trace: [junk] },
      { calls: [new Uint8Array(0)], trace: [new Uint8Array(0)] },
    ];
    for (const streams of cases) {
      const core = await emptyCore();
      const { readable } = await readInputs(core, [
        { name: "a.zip", source: bytesSource(asZip(streams, FOLDER, "/")) },
      ]);
      expect(readable).toBe(0);
      expect(core.diagnostics()).toContainEqual(expect.objectContaining({ code: "cdt.calls.none", file: "a.zip" }));
    }
  });

  it("a trace goes on at the next block that a call names", async () => {
    const streams = changed((s) => {
      const trace = s.trace![0]!.slice();
      // The kind of the first event becomes a kind that does not exist: the end of a block with a time.
      trace[24] = 0x07;
      s.trace![0] = trace;
    });
    const { core, calls } = await read(asFolder(streams, FOLDER));
    const [found] = core.diagnostics().filter(({ code }) => code === "cdt.trace.implausible");
    expect([found?.stream, found?.offset, found?.severity]).toEqual(["trace", 24, "error"]);
    expect(calls.filter(({ tree }) => tree === "whole").length).toBeGreaterThanOrEqual(4);
  });

  it("gzip data without an end, and damaged", async () => {
    const files = asFolder(sound(), FOLDER);
    const path = `${FOLDER}/sql/000001.gz`;
    const torn = await read({ ...files, [path]: cut(files[path]!, 12) });
    expect(torn.codes).toContain("cdt.gzip.truncated");
    const wrong = files[path]!.slice();
    wrong[wrong.length - 6]! ^= 0xff;
    const bad = await read({ ...files, [path]: wrong });
    expect(bad.codes).toContain("cdt.gzip.damaged");
    expect([torn.calls.length, bad.calls.length]).toEqual([6, 6]);
  });

  it.each([
    ["after its first record", -1],
    ["before its last byte", 0],
  ])("an archive that ends within its directory, %s", async (_, where) => {
    const zip = asZip(sound(), `web/2024/02/03/${START}`, "/");
    const directory = new TextDecoder("latin1").decode(zip).indexOf("PK\x01\x02");
    const core = await emptyCore();
    const runs = await readFile(core, "x.zip", zip.slice(0, where === 0 ? zip.length - 1 : directory + 60));
    expect(codesOf(core)).toContain("cdt.zip.truncated");
    expect((await callsOf(core, runs)).size).toBe(6);
  });

  it("an archive that ends within an entry", async () => {
    const zip = asZip(sound(), `web/2024/02/03/${START}`, "/");
    // The last entry is the text of sql.
    const sql = new TextDecoder("latin1").decode(zip).indexOf("/sql/");
    const core = await emptyCore();
    const runs = await readFile(core, "x.zip", zip.slice(0, sql + 30));
    expect(codesOf(core).filter((code) => code.startsWith("cdt.zip."))).not.toEqual([]);
    expect((await callsOf(core, runs)).size).toBe(6);
  });

  it("a capture that ends within a command, or has an unknown one", async () => {
    const capture = asCapture(writeStreams({ ...OF, isPhrased: true }).streams, "pod_1");
    const core = await emptyCore();
    expect((await callsOf(core, await readFile(core, "c", cut(capture, 20)))).size).toBe(6);
    expect(codesOf(core)).toContain("cdt.capture.truncated");
    core.reset();
    const odd = new Bytes().raw(capture.slice(0, -1)).byte(0x77).byte(1).done();
    expect((await callsOf(core, await readFile(core, "c", odd))).size).toBe(6);
    expect(core.diagnostics().map(({ code, severity, offset }) => [code, severity, offset])).toEqual([
      ["cdt.capture.unknown", "error", capture.length - 1],
    ]);
  });

  it("exits without an enter, and a clock that was set back", async () => {
    const trace = new Bytes().long(START).long(1).long(START).byte(1).byte(0).varint(1).byte(0x81).varint(-1).byte(3);
    const streams = { ...sound(), calls: [], sql: [], trace: [trace.done()] };
    const { calls, codes } = await read(asFolder(streams, FOLDER));
    expect(codes).toEqual(["cdt.clock.backwards", "cdt.stream.missing", "cdt.trace.underflow"]);
    expect(calls.map(({ tree, duration }) => [tree, duration])).toEqual([["whole", 0n]]);
  });

  it("a root that is open at the end of the trace is active, and ends at the latest event", async () => {
    const trace = new Bytes()
      .long(START)
      .long(1)
      .long(START)
      .byte(0)
      .varint(1)
      .byte(20 << 2)
      .varint(1)
      .byte(3);
    const { calls } = await read(asFolder({ ...sound(), calls: [], sql: [], trace: [trace.done()] }, FOLDER));
    expect(calls.map(({ tree, duration, frames }) => [tree, duration, frames.length])).toEqual([["active", 20n, 2]]);
  });

  it("pieces without a beginning are no calls", async () => {
    const streams = sound();
    const { calls, codes } = await read({
      ...asFolder({ ...streams, trace: [], calls: [] }, FOLDER, false),
      [`${FOLDER}/trace/000002`]: new Bytes().long(START).long(1).long(START).byte(0).varint(1).byte(1).byte(3).done(),
    });
    expect(calls).toEqual([]);
    expect(codes).toContain("cdt.trace.fragment");
  });

  it("takes no memory for a length that is not true", async () => {
    const huge = new Bytes().int(0xfffefdfc).int(4).long(START).zigzag(0).varint(1).varint(1).varint(1).varint(0);
    huge.varint(0x7fff_ffff).raw(new Uint8Array(64));
    const before = process.memoryUsage.rss();
    const { codes } = await read(asFolder({ ...sound(), calls: [huge.done()] }, FOLDER));
    expect(codes).toContain("cdt.calls.implausible");
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 << 20);
  });
});
