/**
 * The fuzzer of trace files (docs/fuzzing.md): small traces in all formats, damaged blindly and at their values. Sound
 * files have all their spans; the others give rows that keep the rules of the table, and findings; a file that arrives
 * in small pieces gives the same; the tree and the clock of any rows are finite and add up.
 */
import { gzipSync } from "node:zlib";
import { type ByteSource, bytesSource } from "../../src/bytes/byte-source.ts";
import { clockOf } from "../../src/model/trace/clock.ts";
import { evidenceFrom } from "../../src/model/trace/evidence.ts";
import { traceTree } from "../../src/model/trace/tree.ts";
import { readTraceFile } from "../../src/traces/read.ts";
import { Random } from "../kit/random.ts";
import { drawn, ENTRIES, KeptSpans } from "../kit/span-table.ts";
import { TRACE_WRITERS, type WrittenSpan } from "../kit/trace-writer.ts";
import { damageBlindly } from "./damage.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

interface TraceCase extends FuzzCase {
  /** Null if the file is damaged. */
  sound: WrittenSpan[] | null;
  /** Of the case, for the pieces and the evidence. */
  random: Random;
}

const TEXTS = ["GET /a", "", "zürich 北京", '"quoted" \\ text', "\u0000\ufeff"];
const BASE = 1_795_310_259_000_000_000n;
const WORDS = ["-1", "1e9", "18446744073709551616", '"x"', "null", "[]", "{}", "true", '"\\ud800"', "0.5", '""'];

function spansOf(random: Random): WrittenSpan[] {
  const count = 1 + random.small(24);
  return Array.from({ length: count }, (_, i): WrittenSpan => {
    const isRoot = i === 0 || random.one(8);
    return {
      trace: (BigInt(random.next()) << 64n) | BigInt(1 + random.below(3)),
      id: random.one(6) ? (1n << 64n) - 1n - BigInt(i) : BigInt(i + 1),
      parent: isRoot ? 0n : BigInt(random.below(count + 2)),
      name: random.pick(TEXTS),
      start: (BASE / 1000n + BigInt(random.small(1 << 20))) * 1000n,
      duration: BigInt(random.small(1 << 20)) * 1000n,
      thread: random.pick(TEXTS),
      kind: random.pick(["server", "client", "internal"] as const),
    };
  });
}

/** A value, a bracket or a comma of a JSON text replaced. */
function damageText(bytes: Uint8Array, random: Random): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  const places = [...text.matchAll(/(?<=:)(?:"(?:[^"\\]|\\.)*"|-?\d+)|[[\]{},]/g)];
  if (places.length === 0) return bytes;
  const place = random.pick(places);
  const put = random.one(4) ? "[".repeat(random.small(5000)) : random.pick(WORDS);
  return new TextEncoder().encode(text.slice(0, place.index) + put + text.slice(place.index + place[0].length));
}

function make(seed: number, index: number): TraceCase {
  const random = new Random(seed, index);
  const spans = spansOf(random);
  const [name, write] = random.pick(Object.entries(TRACE_WRITERS));
  let bytes = write(spans);
  const said = [`${name} of ${spans.length} spans`];
  let isSound = true;
  for (let n = random.below(4); n > 0; n--) {
    isSound = false;
    if (bytes.length === 0) break;
    const isText = !name.endsWith("pb") && !name.endsWith("framed");
    if (isText && random.one(2)) {
      bytes = damageText(bytes, random);
      said.push("value");
    } else {
      const [what, damaged] = damageBlindly(bytes, random, TRACE_WRITERS.jaeger?.(spans) ?? bytes);
      bytes = damaged;
      said.push(what);
    }
  }
  if (random.one(5)) {
    bytes = gzipSync(bytes);
    said.push("gzip");
    if (random.one(2)) {
      const [what, damaged] = damageBlindly(bytes, random, bytes);
      bytes = damaged;
      isSound = false;
      said.push(what);
    }
  }
  return { inputs: [{ name, bytes }], said, sound: isSound ? spans : null, random };
}

/** The same bytes in pieces, after a head by which a format is known. */
function inPieces(bytes: Uint8Array, random: Random): ByteSource {
  return {
    byteLength: bytes.length,
    slice: async (start, end) =>
      bytes.subarray(start, start < 4096 ? end : Math.min(end, start + 1 + random.small(64))),
    ahead: async (start, end) => Math.max(0, Math.min(end, bytes.length) - start),
  };
}

async function rowsOf(source: ByteSource) {
  const store = new KeptSpans();
  const file = await readTraceFile("t", source, store, 1);
  return { file, rows: store.list() };
}

function checkTree(rows: Awaited<ReturnType<typeof rowsOf>>["rows"], random: Random): void {
  const columns = drawn(rows.map((row) => ({ ...row, instance: "i0" })));
  const tree = traceTree(columns, Uint32Array.from(rows.keys()), ENTRIES);
  const spans = rows.filter(({ id }) => id !== 0n);
  if (tree.count > spans.length || (spans.length > 0 && tree.count === 0)) throw new Error(`${tree.count} spans`);
  let left = 0n;
  for (let place = 0; place < tree.count; place++) {
    const duration = (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n);
    const [self, critical] = [tree.self[place] ?? -1n, tree.critical[place] ?? -1n];
    if (self < 0n || self > duration || critical < 0n) throw new Error(`self ${self}, critical ${critical}`);
    if ((tree.up[place] ?? 0) >= place) throw new Error("a parent after its child");
    if (tree.depth[place] === 0) {
      if (left !== 0n) throw new Error("the critical path is not the root's duration");
      left = duration;
    }
    left -= critical;
  }
  const times = new Map(
    [...tree.id]
      .filter(() => random.one(2))
      .map((id, i) => [id, { first: tree.start[i] ?? 0n, last: tree.start[i] ?? 0n }]),
  );
  const clock = clockOf(tree, evidenceFrom(tree, times));
  if (clock !== null && (clock.agree > clock.asked || clock.low > clock.high)) throw new Error("no clock");
}

fuzz<TraceCase>({
  of: "traces",
  cases: 1500,
  fresh: 300,
  make,
  async check({ inputs, sound, random }) {
    const bytes = inputs[0]?.bytes ?? new Uint8Array(0);
    const { file, rows } = await rowsOf(bytesSource(bytes));
    // A row of span id 0 is no span: it has the upper half of the id of its trace, from a span that was left out.
    const spans = rows.filter(({ id }) => id !== 0n);
    if (file.spans !== spans.length) throw new Error(`${file.spans} spans, ${spans.length} rows`);
    for (const { id, trace, start, end } of rows) {
      if (end < start || (id === 0n && (trace >> 64n === 0n || file.diagnostics.length === 0)))
        throw new Error(`row ${id} of ${trace}: ${start}..${end}`);
    }
    const isRefused = file.diagnostics.some(({ severity }) => severity === "error");
    if (spans.length === 0 && !isRefused) throw new Error("no span and no error");
    for (const { code, message, offset } of file.diagnostics) {
      if (!code.startsWith("trace.") || message === "" || (offset ?? 0) > 1 << 20)
        throw new Error(`${code}: ${message}`);
    }
    if (sound !== null) {
      const wanted = sound.map(({ id, name, start, thread }) => `${id} ${name} ${start} ${thread}`).sort();
      const found = rows.map(({ id, name, start, thread }) => `${id} ${name} ${start} ${thread}`).sort();
      if (wanted.join() !== found.join() || file.diagnostics.length > 0) throw new Error("a sound file is misread");
    }
    const pieces = await rowsOf(inPieces(bytes, random));
    const text = (value: unknown) => JSON.stringify(value, (_, v) => (typeof v === "bigint" ? `${v}n` : v));
    if (text(pieces) !== text({ file, rows })) throw new Error("in pieces it is another file");
    checkTree(rows, random);
  },
  async renew() {},
});
