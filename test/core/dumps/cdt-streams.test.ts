/**
 * Dumps of Cloud Profiler, stream by stream: what the bytes of each mean, written by hand where the writer of the other
 * tests always does the same.
 */

import { describe, expect, it } from "vitest";
import { isDumpPath } from "../../../src/core/inputs/bundle-paths.ts";
import { STREAMS } from "../../../src/core/tables/dump-streams.ts";
import { streamPath } from "../../../src/input/dump/stream-names.ts";
import { callsOf, codesOf, readFile, readFolder } from "../../kit/cdt/cdt-reading.ts";
import { asFolder, Bytes, type Streams } from "../../kit/cdt/cdt-writer.ts";
import { emptyCore } from "../../kit/core/read-store.ts";

it.each([...STREAMS.keys(), "traces", "gc"])(
  "a file of %s is one of a dump for the page as it is for the reader",
  (name) => {
    for (const path of [
      `run/${name}/000001.gz`,
      `run/${name}/1`,
      `run/a.b.${name}.0.protocol`,
      `run/a.${name}.bin`,
      name,
    ])
      expect([path, isDumpPath(path)]).toEqual([path, streamPath(path) !== null]);
  },
);

const START = Date.UTC(2024, 1, 3);
const FOLDER = `dump/web/2024/02/03/${START}`;
const WORDS = ["call.info", "java.thread", "url", "void a.B.run() (B.java:1)"];
const [INFO, THREAD, URL, RUN] = [0, 1, 2, 3];
const ENTER = 0;
const EXIT = 1;
const TAG = 2;
const END = 3;
const MILLISECOND = 1 << 2;
const MAGIC = 0xfffefdfc;

const dictionary = (words: readonly string[] = WORDS) =>
  words.reduce((bytes, word) => bytes.string(word), new Bytes()).done();

/** A block of thread 1 with one root of `ms`, at `after` ms since START. */
function trace(ms = 5, after = 0, tags: (bytes: Bytes) => Bytes = (bytes) => bytes): Uint8Array {
  const block = new Bytes().long(START).long(1).long(START);
  block
    .byte(ENTER | 0x80)
    .varint(after >> 5)
    .varint(RUN);
  return tags(block)
    .byte(EXIT | 0x80)
    .varint(ms >> 5)
    .byte(END)
    .done();
}

/** A record of format 4 up to its parameters; each file has its own table of threads. */
function record(
  bytes: Bytes,
  { time = 0, ms = 5, thread = 0, name = "t" as string | null, figures = [7, 2, 0] },
): Bytes {
  bytes.zigzag(time).varint(RUN).varint(ms).varint(1).varint(thread);
  if (name !== null) bytes.string(name);
  bytes.varint(0).varint(0).varint(1).varint(8).varint(0);
  for (const figure of figures) varlong(bytes, figure);
  return bytes.varint(0).varint(0).varint(0).varint(0).varint(0).varint(0);
}

/** 64 bits in groups of 7, as the agent's counters are. */
function varlong(bytes: Bytes, value: number): void {
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.byte(Number(rest & 0x7fn) | 0x80);
  bytes.byte(Number(rest));
}

const calls = (...records: ((bytes: Bytes) => Bytes)[]) =>
  records.reduce((bytes, write) => write(bytes), new Bytes().int(MAGIC).int(4).long(START)).done();
const none = (bytes: Bytes) => bytes.varint(0);

async function read(streams: Streams, more: Record<string, Uint8Array> = {}) {
  const core = await emptyCore();
  const runs = await readFolder(core, { ...asFolder(streams, FOLDER, false), ...more });
  const calls = [...(await callsOf(core, runs)).values()];
  return { core, calls, codes: codesOf(core), dumps: await core.dumps() };
}

/** Reads one call with these streams beside a dictionary and a trace. */
const one = async (streams: Streams) => {
  const answer = await read({ dictionary: [dictionary()], trace: [trace()], suspend: [suspend()], ...streams });
  return { ...answer, call: answer.calls[0]! };
};

const suspend = (...pauses: [delta: number, delay: number][]) =>
  pauses.reduce((bytes, [delta, delay]) => bytes.varint(delta).varint(delay), new Bytes().long(START)).done();

/** Bytes after their length. */
const phrase = (bytes: Uint8Array) => new Bytes().int(bytes.length).raw(bytes).done();

describe("dictionary", () => {
  it("an empty string takes an id", async () => {
    const words = ["call.info", "", "url", WORDS[RUN]!];
    expect((await one({ dictionary: [dictionary(words)], calls: [] })).call.method).toBe(WORDS[RUN]);
  });

  it("ids of posDictionary may come in any order, and an id that is absent has its number for a name", async () => {
    const placed = new Bytes().varint(INFO).string("call.info").varint(URL).string("url").varint(4).string("x").done();
    const { call, codes } = await one({ dictionary: [], posDictionary: [placed], calls: [] });
    expect([call.method, codes]).toEqual(["#3", ["cdt.dictionary.short", "cdt.stream.missing"]]);
  });

  it("callsDictionary fills a dictionary that is cut, and changes no word of a sound one", async () => {
    const more = new Bytes().varint(RUN).string("void a.B.other()").done();
    const sound = await one({ callsDictionary: [more] });
    const cut = await one({ dictionary: [dictionary().slice(0, -3)], callsDictionary: [more] });
    expect([sound.call.method, cut.call.method]).toEqual([WORDS[RUN], "void a.B.other()"]);
    expect(cut.codes).toContain("cdt.dictionary.truncated");
  });

  it("an id above a whole dictionary is damage; above a missing one, it is a number", async () => {
    const above = [dictionary(WORDS.slice(0, RUN))];
    expect((await one({ dictionary: above })).codes).toContain("cdt.trace.implausible");
    const { call, codes } = await one({ dictionary: [] });
    expect([call.method, codes.includes("cdt.trace.implausible")]).toEqual(["#3", false]);
  });
});

describe("suspend", () => {
  it.each<[string, Uint8Array]>([
    ["raw", suspend([10, 4], [20, 8])],
    ["in one phrase", phrase(suspend([10, 4], [20, 8]))],
    // The upper half of the first long is 396, which is a time of 2023 in milliseconds.
    ["in a phrase of 396 bytes", phrase(suspend([10, 4], [20, 8], ...Array(193).fill([1, 0]), [0, 0]))],
  ])("a pause ends at the sum of the deltas and lasts its delay, %s", async (_, bytes) => {
    const { dumps } = await one({ suspend: [bytes] });
    const { from, to } = dumps.pausesWithin(0, START, START + 1000);
    expect([[...from], [...to]]).toEqual([
      [START + 6, START + 22],
      [START + 10, START + 30],
    ]);
  });

  it("a file that follows begins its time again", async () => {
    const { dumps } = await one({ suspend: [suspend([10, 4]), suspend([50, 5])] });
    expect([...dumps.pausesWithin(0, START, START + 1000).to]).toEqual([START + 10, START + 50]);
  });

  it("a pause of a negative length is damage; those before it count", async () => {
    const { dumps, codes } = await one({ suspend: [suspend([10, 4], [20, -8])] });
    expect([[...dumps.pausesWithin(0, START, START + 1000).to], codes.includes("cdt.suspend.implausible")]).toEqual([
      [START + 10],
      true,
    ]);
  });
});

describe("calls", () => {
  it("times that were written as 32 bits with a sign are 0 where they are negative; counters have 64 bits", async () => {
    const { call } = await one({ calls: [calls((b) => none(record(b, { figures: [2 ** 32 - 3, 9, 2 ** 40 + 1] })))] });
    expect([call.cpu, call.wait, call.memory]).toEqual([0n, 9n, 2n ** 40n + 1n]);
  });

  it("a negative duration is 0", async () => {
    const { call } = await one({ calls: [calls((b) => none(record(b, { ms: -7 })))] });
    expect([call.recorded, call.duration]).toEqual([true, 0n]);
  });

  it("the time of a record counts from the one before, also backwards; files begin again", async () => {
    const first = calls(
      (b) => none(record(b, { time: 900 })),
      (b) => none(record(b, { time: -300, thread: 0, name: null })),
    );
    const { calls: all } = await one({ calls: [first, calls((b) => none(record(b, { time: 50, name: "other" })))] });
    expect(all.map(({ start, thread, id }) => [Number(start) - START, thread, id.split("~")[1]])).toEqual([
      [900, "t", undefined],
      [600, "t", "2"],
      [50, "other", "3"],
    ]);
  });

  it("a thread may get a further number", async () => {
    const { calls: all } = await one({
      calls: [
        calls(
          (b) => none(record(b, { thread: 0 })),
          (b) => none(record(b, { thread: 1 })),
        ),
      ],
    });
    expect(all.map(({ thread }) => thread)).toEqual(["t", "t"]);
  });

  it("a parameter without values is there, and one that comes twice has all values", async () => {
    const params = (b: Bytes) => b.varint(3).varint(THREAD).varint(0).varint(URL).varint(1).string("/a").varint(URL);
    const { call } = await one({ calls: [calls((b) => params(record(b, {})).varint(2).string("/b").string(""))] });
    expect({ ...call.params }).toEqual({ "java.thread": [], url: ["/a", "/b", ""] });
  });

  it.each<[string, (bytes: Bytes) => Bytes]>([
    ["a thread above the table", (b) => none(record(b, { thread: 2, name: null }))],
    ["more than 4096 parameters", (b) => record(b, { name: null }).varint(4097)],
    ["a negative number of values", (b) => record(b, { name: null }).varint(1).varint(URL).varint(-1)],
    [
      "a string above the file",
      (b) =>
        record(b, { name: null })
          .varint(1)
          .varint(URL)
          .varint(1)
          .varint(1 << 21),
    ],
    [
      "a negative place in the trace",
      (b) => b.zigzag(0).varint(RUN).varint(1).varint(1).varint(0).varint(0).varint(0).varint(-1).varint(8).varint(0),
    ],
  ])("%s is damage at the record, and records before it count", async (_, wrong) => {
    const good = (b: Bytes) => none(record(b, {}));
    const { core, calls: all } = await one({ calls: [calls(good, wrong, good, good)] });
    const found = core.diagnostics().find(({ code }) => code === "cdt.calls.implausible");
    expect([found?.severity, found?.stream, found?.offset]).toEqual(["error", "calls", calls(good).length]);
    expect(all.filter(({ recorded }) => recorded).length).toBe(1);
  });

  it("a record may be longer than what is read at once, also in a compressed file", async () => {
    const long = "x".repeat(3 << 20);
    const wide = (b: Bytes) => record(b, { name: null }).varint(1).varint(URL).varint(1).string(long);
    const file = calls(
      (b) => none(record(b, {})),
      wide,
      (b) => none(record(b, { name: null })),
    );
    for (const isPacked of [false, true]) {
      const core = await emptyCore();
      const runs = await readFolder(core, asFolder({ dictionary: [dictionary()], calls: [file] }, FOLDER, isPacked));
      const all = [...(await callsOf(core, runs)).values()];
      expect(all.map(({ params }) => params.url?.[0]?.length)).toEqual([undefined, long.length, undefined]);
    }
  });

  it("copies of calls by their duration, gc and lists of files are not read", async () => {
    const file = calls((b) => none(record(b, {})));
    const others = ["calls[100ms-500ms]/000001", "calls[3s-60m]/000001.gz", "gc/000001", "filelist.blst"];
    const { calls: all, codes } = await read(
      { dictionary: [dictionary()], trace: [trace()], suspend: [suspend()], calls: [file] },
      Object.fromEntries(others.map((path) => [`${FOLDER}/${path}`, file])),
    );
    expect([all.length, codes]).toEqual([1, []]);
  });
});

describe("trace", () => {
  it("texts of kind 0 and 2 are in the event", async () => {
    const tags = (b: Bytes) =>
      [0, 2].reduce((bytes, kind) => bytes.byte(TAG).varint(URL).byte(kind).string(`/${kind}`), b);
    const { call } = await one({ trace: [trace(5, 0, tags)], calls: [] });
    expect(call.frames[0]?.params).toEqual({ url: ["/0", "/2"] });
  });

  it.each([
    ["an unknown kind of text", (b: Bytes) => b.byte(TAG).varint(URL).byte(4)],
    ["an end with other bits", (b: Bytes) => b.byte(END | MILLISECOND)],
    ["a negative id", (b: Bytes) => b.byte(ENTER).varint(-5)],
  ])("%s is damage at the event", async (_, wrong) => {
    const { core } = await one({ trace: [trace(5, 0, wrong)] });
    const found = core.diagnostics().find(({ code }) => code === "cdt.trace.implausible");
    expect([found?.stream, found?.offset]).toEqual(["trace", trace().indexOf(RUN, 24) + 1]);
  });

  it("damage in the head of a block takes no root of the block before it", async () => {
    const head = new Bytes()
      .raw(trace())
      .long(1)
      .long(START + 30 * 366 * 86_400_000)
      .byte(END)
      .done();
    const { core, calls: all } = await one({ trace: [head] });
    expect(all.map(({ tree }) => tree)).toEqual(["whole"]);
    expect(core.diagnostics().map(({ code, offset }) => [code, offset])).toContainEqual([
      "cdt.trace.implausible",
      trace().length,
    ]);
  });

  it("the name of a thread is that of its first root with one, in the order of keys", async () => {
    const named = (b: Bytes) => b.byte(TAG).varint(THREAD).byte(0).string("main");
    const { calls: all } = await one({ trace: [trace(), trace(5, 64, named), trace(5, 128)], calls: [] });
    expect(all.map(({ thread }) => thread)).toEqual(["main", "main", "main"]);
    expect((await one({ calls: [] })).call.thread).toBe("#1");
  });
});

describe("sql and xml", () => {
  const TEXTS = ["select 1", "select 2", "select 3"];
  const sql = TEXTS.reduce((bytes, text) => bytes.string(text), new Bytes()).done();
  const offsets = TEXTS.map((_, i) => i * (1 + 2 * TEXTS[0]!.length));
  const tags = (b: Bytes) =>
    offsets.reduce((at, offset) => at.byte(TAG).varint(URL).byte(3).varint(1).varint(offset), b);

  it.each([
    ["longer", 20],
    ["above the file", 0x7f],
    ["shorter", 5],
  ])("a text whose length became %s costs no text after it that a reference leads to", async (_, length) => {
    const bytes = sql.slice();
    bytes[offsets[1]!] = length;
    const { core, call } = await one({ trace: [trace(5, 0, tags)], calls: [], sql: [bytes] });
    const found = call.frames[0]?.params.url ?? [];
    expect([found[0], found[2]]).toEqual(["select 1", "select 3"]);
    expect(
      core
        .diagnostics()
        .filter(({ stream }) => stream === "sql")
        .map(({ code }) => code),
    ).toContain("cdt.sql.truncated");
  });

  it("a reference that leads into a text, or above the file, has its place in place of a text", async () => {
    const into = (b: Bytes) =>
      b.byte(TAG).varint(URL).byte(3).varint(1).varint(9999).byte(TAG).varint(URL).byte(1).varint(7).varint(0);
    const { call, codes } = await one({ trace: [trace(5, 0, into)], calls: [], sql: [sql] });
    expect([call.frames[0]?.params.url, codes]).toEqual([
      ["sql:1:9999", "xml:7:0"],
      ["cdt.reference.dangling", "cdt.stream.missing"],
    ]);
  });
});

describe("runs", () => {
  const STREAMS = {
    dictionary: [dictionary()],
    trace: [trace()],
    suspend: [suspend()],
    calls: [calls((b) => none(record(b, {})))],
  };

  it("a compressed file counts where both are there; a second run of a label has a number", async () => {
    const core = await emptyCore();
    const twice = { ...asFolder(STREAMS, FOLDER, false), ...asFolder(STREAMS, FOLDER, true) };
    const again = asFolder(STREAMS, FOLDER.replace("dump/", "dump/copy/"), false);
    const runs = await readFolder(core, { ...twice, ...again });
    expect((await callsOf(core, runs)).size).toBe(2);
    expect((await core.dumps()).runs.map(({ label }) => label)).toEqual([`web/${START}`, `web/${START}#2`]);
  });

  it("a lone dictionary is no run, and a run without params has those of its server", async () => {
    const params = { params: [new Bytes().byte(1).string("url").byte(1).byte(0).varint(0).string("").done()] };
    const other = FOLDER.replace(String(START), "7");
    const { dumps } = await read(
      { ...STREAMS, ...params },
      { ...asFolder(STREAMS, other, false), ...asFolder({ dictionary: [dictionary()] }, "dump/db/x", false) },
    );
    expect(dumps.runs.map(({ label }, i) => [label, dumps.counts(i).params])).toEqual([
      [`web/${START}`, 1],
      ["web/7", 1],
    ]);
  });
});

describe("captures", () => {
  const text = (bytes: Bytes, words: string) => bytes.int(words.length).raw(new TextEncoder().encode(words));
  /** A stream of one file that is sent in one piece. */
  function send(bytes: Bytes, name: string, content: Uint8Array, handle: number): Bytes {
    text(bytes.byte(0x15), name).int(0).int(0).long(0).long(handle).long(0).long(0).int(0);
    return bytes.byte(0x02).long(0).long(handle).int(content.length).raw(content).byte(0x00);
  }
  const streams: [string, Uint8Array][] = [
    ["dictionary", phrase(dictionary())],
    ["suspend", phrase(suspend())],
    ["trace", trace()],
    ["calls", calls((b) => none(record(b, {})))],
  ];

  it("of several pods have a run each; old agents name their pod with each stream", async () => {
    const bytes = new Bytes().byte(0x14).long(100_705);
    for (const words of ["new-1_5", "shop", "prod"]) text(bytes, words);
    bytes.long(100_705);
    for (const [i, [name, content]] of streams.entries()) send(bytes, name, content, i + 1);
    bytes.byte(0x08).long(100_605);
    streams.forEach(([name, content], i) => {
      bytes.byte(0x01);
      for (const words of ["test", "cart", "old-2_6"]) text(bytes, words);
      const sent = send(new Bytes(), name, content, 100 + i).done();
      bytes.raw(sent.slice(1));
    });
    const core = await emptyCore();
    const runs = await readFile(core, "c", bytes.byte(0x11).byte(0x04).done());
    expect(codesOf(core)).toEqual([]);
    expect((await callsOf(core, runs)).size).toBe(2);
    expect(
      (await core.dumps()).runs.map(({ label, pod, service, namespace }) => [label, pod, service, namespace]),
    ).toEqual([
      ["new-1_5", "new-1", "shop", "prod"],
      ["old-2_6", "old-2", "cart", "test"],
    ]);
  });

  it.each<[string, (bytes: Bytes) => Bytes]>([
    ["data for a stream that was not opened", (b) => b.byte(0x02).long(9).long(9).int(1).byte(0)],
    ["a field above 1024 bytes", (b) => b.byte(0x02).long(0).long(1).int(1025).raw(new Uint8Array(1025))],
    ["an unknown command", (b) => b.byte(0x55)],
  ])("%s ends the reading there", async (_, wrong) => {
    const bytes = new Bytes().byte(0x14).long(100_705);
    for (const words of ["p_1", "s", "n"]) text(bytes, words);
    bytes.long(100_705);
    for (const [i, [name, content]] of streams.entries()) send(bytes, name, content, i + 1);
    const end = bytes.length;
    const core = await emptyCore();
    const runs = await readFile(core, "c", wrong(bytes).done());
    expect((await callsOf(core, runs)).size).toBe(1);
    expect(core.diagnostics().map(({ code, severity, offset }) => [code, severity, offset])).toEqual([
      ["cdt.capture.unknown", "error", end],
    ]);
  });
});
