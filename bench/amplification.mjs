#!/usr/bin/env node
/**
 * node bench/amplification.mjs [NAME…]: what one byte can cost. Makes a small hostile input for each reader, asks for
 * each answer about it, and prints the table of docs/fuzzing.md: bytes of the input, peak memory and seconds of the
 * command. Needs `npm run build` and Linux. With names, only the rows whose name contains one of them.
 */
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { build } from "esbuild";
import { zipSync } from "fflate";

const MiB = 2 ** 20;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const CLI = join(ROOT, "dist-node/cli.js");
const RECORDING = join(ROOT, "fixtures/shop.jfr");
const KIT = join(ROOT, ".cache/bench/amplification.bundle.mjs");
/** Seconds after which a command is ended, and the row says so. */
const PATIENCE = 180;

const wanted = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "spanflame-amplification."));

const kit = ["hostile-libraries", "jfr/jfr-builder", "jfr/jfr-types"].map(
  (name) => `export * from "./test/kit/${name}.ts";`,
);
await build({
  stdin: { contents: kit.join("\n"), resolveDir: ROOT },
  ...{ bundle: true, format: "esm", platform: "node", outfile: KIT },
});
const { buildChunk, cpuChunk, HOSTILE_LIBRARIES, javaStack } = await import(KIT);

// Protobuf: varint, a number and a delimited field.
const varint = (n) => (n < 128 ? [n] : [(n % 128) + 128, ...varint(Math.floor(n / 128))]);
const number = (field, n) => Buffer.from([...varint(field * 8), ...varint(n)]);
const bytes = (field, ...content) => {
  const all = Buffer.concat(content.map((each) => (typeof each === "string" ? Buffer.from(each) : each)));
  return Buffer.concat([Buffer.from([...varint(field * 8 + 2), ...varint(all.length)]), all]);
};
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/** `n` samples of `depth` locations of 64 lines, each sample with another root. */
function pprof(n, depth) {
  const lines = times(64, (i) => bytes(4, number(1, 1), number(2, i + 1)));
  return Buffer.concat([
    bytes(1, number(1, 1), number(2, 2)),
    bytes(4, number(1, 1), ...lines),
    ...times(n, (i) => bytes(4, number(1, i + 2), bytes(4, number(1, 1), number(2, 1000 + i)))),
    bytes(5, number(1, 1), number(2, 3)),
    ...["", "cpu", "samples", "f"].map((text) => bytes(6, text)),
    ...times(n, (i) =>
      bytes(2, bytes(1, Buffer.alloc(depth, 1), Buffer.from(varint(i + 2))), bytes(2, Buffer.from([7]))),
    ),
  ]);
}

/** The same as OTLP: a dictionary of one location, and stacks of it. */
function otlp(n, depth) {
  const lines = times(64, (i) => bytes(3, number(1, 1), number(2, i + 1)));
  const roots = times(n, (i) => bytes(2, bytes(3, number(1, 1), number(2, 1000 + i))));
  const stacks = times(n, (i) => bytes(7, bytes(1, Buffer.alloc(depth, 1), Buffer.from(varint(i + 2)))));
  const texts = ["", "cpu", "samples", "f"].map((text) => bytes(5, text));
  const dictionary = [bytes(1), bytes(2), bytes(2, ...lines), ...roots, bytes(3), bytes(3, number(1, 3)), bytes(4)];
  const samples = times(n, (i) => bytes(2, number(1, i + 1), bytes(4, Buffer.from([7]))));
  return Buffer.concat([
    bytes(1, bytes(2, bytes(2, bytes(1, number(1, 1), number(2, 2)), ...samples))),
    bytes(2, ...dictionary, ...texts, bytes(6), bytes(7), ...stacks),
  ]);
}

const attribute = (key, stringValue) => ({ key, value: { stringValue } });

function logs(profile, n) {
  const body = { stringValue: gzipSync(profile).toString("base64") };
  const record = {
    timeUnixNano: "1700000000000000000",
    body,
    attributes: [attribute("profiling.data.format", "pprof-gzip-base64")],
  };
  const scopeLogs = [{ scope: { name: "otel.profiling" }, logRecords: times(n, () => record) }];
  return gzipSync(JSON.stringify({ resourceLogs: [{ resource: { attributes: [] }, scopeLogs }] }));
}

function spans(n, more = () => ({}), parent = () => 1) {
  const id = (i) => i.toString(16).padStart(16, "0");
  const traceId = "1".padStart(32, "0");
  const list = times(n, (i) => ({
    traceId,
    spanId: id(i + 1),
    ...(i === 0 ? {} : { parentSpanId: id(parent(i)) }),
    name: "a",
    startTimeUnixNano: String(1_700_000_000_000_000_000n + BigInt(i)),
    endTimeUnixNano: "1700000001000000000",
    ...more(i),
  }));
  return gzipSync(JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: list }] }] }));
}

/** A recording with one stack of so many frames of one method. */
function jfr(depth) {
  const stack = { frames: Array(depth).fill(javaStack("f").frames[0]) };
  return buildChunk(cpuChunk(times(2, () => ({ stack, root: 1n, span: 1n })))).bytes;
}

/** A data set of two parts, each with the 322 samples of the recording so many times. */
async function dataSet(at, repeats) {
  rmSync(at, { recursive: true, force: true });
  execFileSync(process.execPath, [CLI, "export", RECORDING, "--parquet", at, "--quiet"]);
  const parts = ["samples", "stacks", "functions", "recordings"].map((table) => {
    const day = join(at, table, readdirSync(join(at, table))[0]);
    return join(day, readdirSync(day)[0]);
  });
  const many = join(folder, "many.parquet");
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const rows = `select samples.* from '${parts[0]}' samples, range(${repeats}) order by samples.time`;
  await connection.run(`copy (${rows}) to '${many}' (format parquet, compression zstd, row_group_size 1000000)`);
  connection.closeSync();
  renameSync(many, parts[0]);
  for (const part of parts)
    cpSync(
      part,
      part.replace(/[0-9a-f]\.parquet$/, (end) => (end[0] === "0" ? "1" : "0") + end.slice(1)),
    );
  return 2 * statSync(parts[0]).size;
}

/** A run with one empty trace, and a stream of zeros that is compressed a thousandfold. */
function dump(at, stream) {
  const time = Buffer.alloc(8);
  time.writeBigInt64BE(1_706_918_400_000n);
  const zeros = gzipSync(Buffer.alloc(64 * MiB));
  const tail = Buffer.concat(times(12, () => zeros));
  const heads = {
    calls: time,
    suspend: time,
    trace: time,
    params: Buffer.from([1]),
    dictionary: Buffer.from([1, 0, 97]),
  };
  for (const [name, head] of Object.entries(heads)) {
    const path = join(at, name);
    mkdirSync(path, { recursive: true });
    const more = name === stream ? tail : Buffer.alloc(0);
    writeFileSync(join(path, "000001.gz"), Buffer.concat([gzipSync(head), more]));
  }
  return statSync(join(at, stream, "000001.gz")).size;
}

const little = (value, width) => Buffer.from(times(width, (i) => Math.floor(value / 256 ** i) % 256));

/** A frame of blocks that repeat one byte: four bytes for each 128 KiB. */
function zstdZeros(mib) {
  const blocks = times(mib * 8, (i) => little(2 ** 17 * 8 + 2 + (i === mib * 8 - 1 ? 1 : 0), 3));
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
  return Buffer.concat([head, ...blocks.flatMap((block) => [block, Buffer.alloc(1)])]);
}

/** A frame of blocks with one literal and a match of 4 MiB. */
function lz4Zeros(mib) {
  const length = 4 * MiB - 24;
  const extra = Buffer.from([...times(Math.floor((length - 19) / 255), () => 255), (length - 19) % 255]);
  const block = Buffer.concat([Buffer.from([0x1f, 0, 1, 0]), extra, Buffer.from([0x50, 0, 0, 0, 0, 0])]);
  const blocks = times(mib / 4, () => Buffer.concat([little(block.length, 4), block]));
  return Buffer.concat([Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x40, 0x70, 0xdf]), ...blocks, little(0, 4)]);
}

/** Spans of other trace formats. */
const zipkin = (n) =>
  gzipSync(JSON.stringify(times(n, (i) => ({ traceId: "1", id: (i + 1).toString(16), timestamp: 1, duration: 1 }))));
const jaeger = (n) => {
  const list = times(n, (i) => ({ traceID: "1", spanID: (i + 1).toString(16), startTime: 1, duration: 1, tags: [] }));
  return gzipSync(JSON.stringify({ data: [{ traceID: "1", spans: list, processes: {} }] }));
};
const datadog = (n) =>
  gzipSync(JSON.stringify([times(n, (i) => ({ trace_id: 1, span_id: i + 1, start: 1, duration: 1, name: "a" }))]));

/** A span so many times, in the lists of its format. */
const same = (head, span, tail, n) =>
  gzipSync(Buffer.concat([Buffer.from(head + span), repeated(`,${span}`, n), Buffer.from(tail)]));
/** OTLP of so many samples with 1,024 values of one byte. */
const values = (n) => {
  const sample = bytes(2, number(1, 0), bytes(4, Buffer.alloc(1024, 7)));
  const profile = bytes(2, bytes(1, number(1, 1), number(2, 2)), Buffer.alloc(n * sample.length, sample));
  const texts = ["", "cpu", "samples"].map((text) => bytes(5, text));
  return Buffer.concat([
    bytes(1, bytes(2, profile)),
    bytes(2, ...[1, 2, 3, 4, 6, 7].map((table) => bytes(table)), ...texts),
  ]);
};

const zeros = (n) => Buffer.alloc(n * MiB);
const repeated = (text, n) => Buffer.from(text.repeat(n));
const part = (name, content) =>
  Buffer.concat([
    Buffer.from(`--b\r\ncontent-disposition: form-data; name="a"; filename="${name}"\r\n\r\n`),
    content,
    Buffer.from("\r\n"),
  ]);
const parts = (n) =>
  Buffer.concat([
    Buffer.alloc(n * 54, '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\nx\r\n'),
    Buffer.from("--b--"),
  ]);
/** An upload of so many attachments, each a recording and `mib` of zeros in gzip. */
function upload(n, mib) {
  const packed = gzipSync(Buffer.concat([readFileSync(RECORDING), zeros(mib)]));
  const names = times(n, (i) => `${i}.jfr.gz`);
  const event = Buffer.from(JSON.stringify({ attachments: names, tags_profiler: "service:shop" }));
  return Buffer.concat([part("event.json", event), ...names.map((name) => part(name, packed)), Buffer.from("--b--")]);
}

/**
 * Inputs by name, and the answers that are asked about each. An input is the bytes of a file, or makes a folder at its
 * path and gives its bytes.
 */
const INPUTS = {
  "frames.jfr": [() => jfr(250_000), ["info", "top", "svg", "html", "otlp", "export", "why"]],
  ...Object.fromEntries(Object.entries(HOSTILE_LIBRARIES).map(([name, make]) => [`${name}.so`, [make, ["symbolize"]]])),
  "rows.set": [(at) => dataSet(at, 20_000), ["open", "query", "compact"]],
  "fewer rows.set": [(at) => dataSet(at, 2000), ["open", "query", "compact"]],
  "zeros.jfr.gz": [() => gzipSync(Buffer.concat([readFileSync(RECORDING), zeros(1024)])), ["info"]],
  "nested.gz": [() => gzipSync(gzipSync(zeros(1024))), ["info"]],
  "stack.pprof": [
    () => pprof(1, 1_000_000),
    ["info", "top", "svg", "html", "pprof", "otlp", "speedscope", "firefox", "collapsed", "export", "diff"],
  ],
  "stacks.pprof": [
    () => pprof(1000, 1000),
    ["info", "top", "svg", "html", "pprof", "otlp", "speedscope", "firefox", "collapsed", "export", "diff"],
  ],
  "values.otlp.gz": [() => gzipSync(values(200_000)), ["info", "top", "export", "otlp", "svg", "html"]],
  "chunks.jfr.gz": [() => gzipSync(Buffer.alloc(200 * MiB, jfr(1))), ["info", "svg", "html"]],
  "stacks.otlp": [() => otlp(1000, 1000), ["info", "top", "svg", "html"]],
  "line.collapsed": [() => Buffer.from(`${"a;".repeat(2 * MiB - 8)}a 1\n`), ["info", "top", "svg", "html"]],
  "lines.collapsed.gz": [() => gzipSync(repeated("a;b 1\n", 40 * MiB)), ["info", "svg", "html"]],
  "logs-zeros.json.gz": [() => logs(zeros(64), 200), ["info"]],
  "logs-fields.json.gz": [() => logs(repeated("\x48\x00", 24 * MiB), 200), ["info"]],
  "calls.dump": [(at) => dump(at, "calls"), ["calls"]],
  "suspend.dump": [(at) => dump(at, "suspend"), ["calls"]],
  "dictionary.dump": [(at) => dump(at, "dictionary"), ["calls"]],
  "params.dump": [(at) => dump(at, "params"), ["calls"]],
  "trace.dump": [(at) => dump(at, "trace"), ["calls"]],
  "million.json.gz": [() => spans(1_000_000), ["trace"]],
  "chain.json.gz": [() => spans(200_000, undefined, (i) => i), ["trace"]],
  "attributes.json.gz": [
    () => spans(1000, () => ({ attributes: times(900, (k) => attribute(`k${k}`, "v")) })),
    ["trace"],
  ],
  "name.json.gz": [() => spans(2, () => ({ name: "a".repeat(30 * MiB) })), ["trace"]],
  "zipkin.json.gz": [() => zipkin(300_000), ["trace"]],
  "jaeger.json.gz": [() => jaeger(300_000), ["trace"]],
  "datadog.json.gz": [() => datadog(300_000), ["trace"]],
  "equal zipkin.json.gz": [() => same("[", '{"traceId":"1","id":"2"}', "]", 8 * MiB), ["trace"]],
  "equal jaeger.json.gz": [
    () => same('{"data":[{"spans":[', '{"traceID":"1","spanID":"2"}', "]}]}", 8 * MiB),
    ["trace"],
  ],
  "equal datadog.json.gz": [() => same("[[", '{"trace_id":1,"span_id":2}', "]]", 8 * MiB), ["trace"]],
  "spans.json.gz": [() => spans(100_000), ["trace", "spans", "report"]],
  "zeros.zst": [() => zstdZeros(1024), ["info"]],
  "zeros.lz4": [() => lz4Zeros(1024), ["info"]],
  "zeros.zip": [() => Buffer.from(zipSync({ "a.jfr": new Uint8Array(512 * MiB) }, { level: 9 })), ["info", "symbols"]],
  "parts.multipart": [() => parts(200_000), ["info"]],
  "packed parts.multipart.gz": [() => gzipSync(parts(2_000_000)), ["info"]],
  "attachments.multipart": [() => upload(100, 64), ["info"]],
  "entries.zip": [
    () => Buffer.from(zipSync(Object.fromEntries(times(20_000, (i) => [`${i}.jfr`, [jfr(1), { level: 9 }]])))),
    ["info"],
  ],
};

const convert = (ending) => (file) => ["convert", file, "-o", join(folder, `out.${ending}`)];
const ANSWERS = {
  info: (file) => ["info", file],
  why: (file) => ["why", file],
  symbolize: (file) => ["symbolize", "--symbols", file, ...times(500, (i) => `0x${(0x1000 + 3989 * i).toString(16)}`)],
  open: (file) => ["open", file, "--since", "36500d", "-o", join(folder, "out.pb")],
  query: (file) => ["query", file, "--top", "--type", "cpu"],
  compact: (file) => ["compact", file],
  top: (file) => ["top", file, "--type", file.endsWith(".collapsed") ? "samples" : "cpu"],
  calls: (file) => ["calls", file, "--limit", "3"],
  diff: (file) => ["diff", file, file, "--type", "cpu"],
  trace: (file) => ["trace", RECORDING, "--trace", file],
  spans: (file) => ["spans", RECORDING, "--type", "cpu", "--by", "operation", "--trace", file],
  report: (file) => ["convert", RECORDING, "--type", "cpu", "--trace", file, "-o", join(folder, "out.html")],
  symbols: (file) => ["symbols", RECORDING, "--symbols", file],
  export: (file) => ["export", file, "--parquet", join(folder, "set")],
  svg: convert("svg"),
  html: convert("html"),
  pprof: convert("pprof"),
  otlp: convert("pb"),
  speedscope: convert("speedscope.json"),
  firefox: convert("firefox.json"),
  collapsed: convert("collapsed"),
};

/** Runs a command; its seconds, and the peak of its memory. A child's `maxRSS` begins with that of its parent. */
async function measured(args) {
  const before = process.hrtime.bigint();
  const script = `process.argv.splice(1, 1, ${JSON.stringify(CLI)});
    process.on("exit", () => require("fs").writeSync(3, require("fs").readFileSync("/proc/self/status")));
    import(process.argv[1]);`;
  const child = spawn(process.execPath, ["-e", script, "cli", ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  let [peak, words] = ["", ""];
  child.stdio[3].on("data", (data) => (peak += data));
  child.stderr.on("data", (data) => (words = (words + data).slice(0, 300)));
  const timer = setTimeout(() => child.kill(), PATIENCE * 1000);
  const code = await new Promise((done) => child.on("close", done));
  clearTimeout(timer);
  const seconds = Number(process.hrtime.bigint() - before) / 1e9;
  return { seconds, peak: Number(/VmHWM:\s*(\d+)/.exec(peak)?.[1]) / 1024, code, words: words.split("\n")[0] };
}

console.log("| input | bytes | answer | peak MiB | seconds | exit |\n|---|---|---|---|---|---|");
try {
  for (const [name, [make, answers]] of Object.entries(INPUTS)) {
    const asked = answers.filter(
      (answer) => wanted.length === 0 || wanted.some((each) => `${name} ${answer}`.includes(each)),
    );
    if (asked.length === 0) continue;
    const file = join(folder, name);
    const made = await make(file);
    if (typeof made !== "number") writeFileSync(file, made);
    const size = typeof made === "number" ? made : made.length;
    for (const answer of asked) {
      rmSync(join(folder, "set"), { recursive: true, force: true });
      const { seconds, peak, code, words } = await measured(ANSWERS[answer](file));
      const exit = code === null ? `ended after ${PATIENCE} s` : code;
      console.log(
        `| ${name} | ${size.toLocaleString("en")} | ${answer} | ${peak.toFixed(0)} | ${seconds.toFixed(1)} | ${exit} |`,
      );
      if (code !== 0) console.error(`  ${words}`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
