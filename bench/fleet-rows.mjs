/**
 * A data set of observations that no recording has, written by the encoder of `export`: three dates, eight services
 * with five instances, 20 endpoints, 16,000 functions, 48,000 stacks of 30 to 80 frames. A date is one part, as after
 * `compact`, or has several, each of a share of the day. Of each hundredth request there is a trace over four services.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const DATES = ["2026-11-18", "2026-11-19", "2026-11-20"];
const SERVICES = 8;
const INSTANCES = 5;
const ENDPOINTS = 20;
const THREADS = 64;
const COMMON_FUNCTIONS = 2000;
const SERVICE_FUNCTIONS = 1750;
const STACKS = 6000;
const BASES = 40;
const BASE_FRAMES = 25;
/** Observations of a request by profile type; types in the order of the rows. */
const TYPES = [
  { type: "alloc-samples", unit: "bytes", event: "datadog.ObjectSample", period: 0, of: 5 },
  { type: "cpu", unit: "samples", event: "datadog.ExecutionSample", period: 1, of: 15 },
  { type: "wall", unit: "samples", event: "datadog.MethodSample", period: 2, of: 30 },
];
const PERIODS_MS = [0n, 10n, 20n];
const SPANS = 5;
const TENANTS = 50;
const DAY_SECONDS = 86_400;
const SERVICES_OF_TRACE = 4;
const REQUESTS_OF_TRACE = 100;

/** The encoder, from the sources: it is in no entry of the package. */
async function encoderIn(folder) {
  const { build } = await import("esbuild");
  const outfile = join(folder, "encoder.mjs");
  const contents = `export { writeFile } from "./src/fleet/parquet/file.ts"; export * from "./src/fleet/parquet/schema.ts";
    export { fileOptions } from "./src/fleet/data-set-codec.ts"; export * from "./src/fleet/parquet/column-data.ts";
    export * from "./src/fleet/data-set-files.ts"; export { Kernels } from "./src/fleet/parquet/kernels.ts"; export { MARKER } from "./src/core/tables/data-sets.ts";`;
  const stdin = { contents, resolveDir: join(import.meta.dirname, "..") };
  await build({ stdin, bundle: true, platform: "node", format: "esm", outfile });
  return import(pathToFileURL(outfile));
}

/** xorshift32 with a fixed seed: equal data in every run. */
function randomOf(seed) {
  let x = seed | 0 || 1;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return x >>> 0;
  };
}

const times = (count, of) => Array.from({ length: count }, (_, i) => of(i));
const numbered = (text, i) => `${text}${String(i).padStart(4, "0")}`;

/** Writes the data set, unless it is there. Returns its number of rows. `share`: of the observations of a request. */
export async function makeRows(folder, wanted, { dates = DATES, slices = 1, share = 1 } = {}) {
  const types = TYPES.map((type) => ({ ...type, of: Math.max(1, Math.round(type.of * share)) }));
  const perRequest = types.reduce((sum, { of }) => sum + of, 0);
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const encoder = await encoderIn(unfinished);
  const wasm = readFileSync(join(import.meta.dirname, "..", "build", "parquet.wasm"));
  const kernels = await encoder.Kernels.create(await WebAssembly.compile(wasm));
  const requests = Math.ceil(wanted / dates.length / slices / SERVICES / perRequest);
  const names = functionNames();
  const stacks = stacksOf();
  let rows = 0;
  const all = dates.flatMap((date) => times(slices, (slice) => ({ date, slice })));
  for (const [i, { date, slice }] of all.entries()) {
    const part = `${date}-${slice.toString(16).padStart(16, "0")}`;
    const write = (table, columns, count) => {
      const place = join(unfinished, table, `date=${date}`);
      mkdirSync(place, { recursive: true });
      const file = openSync(join(place, `${part}.parquet`), "w");
      const own = withNone(encoder, encoder.tableOf(table), columns, count);
      encoder.writeFile(encoder.tableOf(table), own, count, encoder.fileOptions(kernels, table), (bytes) =>
        writeSync(file, bytes),
      );
      closeSync(file);
    };
    write("functions", functionRows(encoder, part, names), names.length);
    write("stacks", stackRows(encoder, part, stacks), stacks.count);
    write("recordings", { part: encoder.sameText(part, SERVICES * INSTANCES) }, SERVICES * INSTANCES);
    const count = requests * SERVICES * perRequest;
    const begin =
      BigInt(Date.parse(date)) * 1_000_000n + (BigInt(slice) * BigInt(DAY_SECONDS) * 10n ** 9n) / BigInt(slices);
    const samples = sampleRows(encoder, part, {
      day: i,
      begin,
      seconds: DAY_SECONDS / slices,
      requests,
      names,
      stacks,
      types,
      count,
    });
    write("samples", samples.rows, count);
    const spans = spanRows(encoder, part, { begin, requests, roots: samples.roots, random: randomOf(7000 + i) });
    write("spans", spans.rows, spans.count);
    rows += count;
  }
  const { FORMAT_NAME: format, FORMAT_VERSION: version, MARKER } = encoder;
  writeFileSync(join(unfinished, MARKER), JSON.stringify({ format, version }));
  encoder.listFolder(unfinished);
  renameSync(unfinished, folder);
  return rows;
}

/** The rows, in which columns that are not given have no values. */
function withNone({ sameText, textValues }, { columns }, given, count) {
  const offsets = new Uint32Array(count + 1);
  const empty = textValues([], false);
  const none = ({ type, nullable }) => {
    if (type === "map<text,text>") return { kind: "map", offsets, keys: empty, values: empty };
    if (type.startsWith("list")) return { kind: "list", offsets, absent: null, items: empty };
    if (type === "text") return sameText(nullable ? null : "", count);
    if (type === "int32") return { kind: "ints", values: new Int32Array(count), hasNone: false };
    if (type !== "bytes16") return { kind: "longs", words: new Uint32Array(2 * count), none: nullable ? 0 : null };
    return {
      kind: "coded",
      codes: new Uint32Array(count),
      dictionary: { of: "bytes16", values: [new Uint8Array(16)] },
      none: 0,
    };
  };
  return Object.fromEntries(columns.map((column) => [column.name, given[column.name] ?? none(column)]));
}

/** Spans of traces: a gateway, and the local roots of four services. */
function spanRows({ textValues }, part, { begin, requests, roots, random }) {
  const traces = [];
  for (let i = 0; i < requests; i += REQUESTS_OF_TRACE) {
    const gateway = (BigInt(random()) << 31n) | BigInt(random());
    const trace = new Uint8Array(new BigUint64Array([gateway, gateway + 1n]).buffer);
    const own = times(SERVICES_OF_TRACE, (n) => {
      const place = 1 + ((i / REQUESTS_OF_TRACE + n) % SERVICES) * requests + i;
      return {
        id: new BigInt64Array(roots.buffer)[place],
        parent: gateway,
        service: `service-${(i / REQUESTS_OF_TRACE + n) % SERVICES}`,
      };
    });
    traces.push({ trace, spans: [{ id: gateway, parent: 0n, service: "gateway" }, ...own] });
  }
  traces.sort((a, b) => Buffer.compare(a.trace, b.trace));
  const all = traces.flatMap(({ spans }) => spans);
  const longs = (values) => ({ kind: "longs", words: new Uint32Array(BigInt64Array.from(values).buffer), none: null });
  const text = (of) => textValues(all.map(of), false);
  const trace_id = {
    kind: "coded",
    codes: Uint32Array.from(traces.flatMap(({ spans }, i) => spans.map(() => i + 1))),
    dictionary: { of: "bytes16", values: [new Uint8Array(16), ...traces.map(({ trace }) => trace)] },
    none: 0,
  };
  return {
    count: all.length,
    rows: {
      part: text(() => part),
      trace_id,
      span_id: longs(all.map(({ id }) => id)),
      parent_span_id: longs(all.map(({ parent }) => parent)),
      service: { ...text(({ service }) => service), none: null },
      kind: text(() => "server"),
      start_unix_nano: longs(all.map(() => begin)),
      duration_nano: longs(all.map(() => 1_000_000_000n)),
      origin: text(() => "trace"),
    },
  };
}

/** In the order of their numbers, as the rows of a part are. */
function functionNames() {
  const common = times(
    COMMON_FUNCTIONS,
    (i) => `com.example.common.${numbered("Class", i >> 3)}.${numbered("method", i)}`,
  );
  const own = times(SERVICES * SERVICE_FUNCTIONS, (i) => {
    const service = Math.floor(i / SERVICE_FUNCTIONS);
    return `com.example.service${service}.${numbered("Class", (i % SERVICE_FUNCTIONS) >> 3)}.${numbered("method", i % SERVICE_FUNCTIONS)}`;
  });
  return [...common, ...own];
}

/** Frames of all stacks, leaf first, sorted from the root; `first[s]` is the first stack of a service. */
function stacksOf() {
  const lists = [];
  const first = [];
  for (let service = 0; service < SERVICES; service++) {
    const random = randomOf(service + 1);
    const start = COMMON_FUNCTIONS + service * SERVICE_FUNCTIONS;
    const bases = times(BASES, () => times(BASE_FRAMES, () => random() % COMMON_FUNCTIONS));
    const own = times(STACKS, () => {
      const frames = [...bases[random() % BASES]];
      const depth = 30 + (random() % 51);
      while (frames.length < depth) {
        // Few functions are called by each one, and one of them mostly.
        const choice = Math.min(random() % 4, random() % 3);
        const next = Math.imul(frames.at(-1) * 4 + choice, 0x9e3779b1) >>> 8;
        frames.push(next % 5 === 0 ? next % COMMON_FUNCTIONS : start + (next % SERVICE_FUNCTIONS));
      }
      return frames;
    });
    own.sort((a, b) => {
      for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
      return a.length - b.length;
    });
    first.push(lists.length);
    lists.push(...own.map((frames) => frames.reverse()));
  }
  const offsets = new Uint32Array(lists.length + 1);
  for (const [i, list] of lists.entries()) offsets[i + 1] = offsets[i] + list.length;
  return { count: lists.length, first, offsets, frames: Int32Array.from(lists.flat()) };
}

function functionRows({ sameText, textValues, intValues }, part, names) {
  const text = textValues(names, false);
  return {
    part: sameText(part, names.length),
    function_id: intValues(names.map((_, i) => i)),
    function_name: text,
    display_name: text,
    class_name: textValues(
      names.map((name) => name.slice(0, name.lastIndexOf("."))),
      true,
    ),
    file: sameText("Source.java", names.length),
    frame_type: sameText("jvm", names.length),
  };
}

function stackRows({ sameText, intValues }, part, { count, offsets, frames }) {
  const hashes = times(count, (s) => {
    const words = new Uint32Array(4).fill(0x811c9dc5);
    for (let i = offsets[s]; i < offsets[s + 1]; i++) {
      for (let k = 0; k < 4; k++) words[k] = Math.imul(words[k] ^ frames[i] ^ (words[k] >>> 15) ^ k, 0x01000193);
    }
    return new Uint8Array(words.buffer);
  });
  const ints = (values) => ({ kind: "ints", values, hasNone: false });
  const list = (items) => ({ kind: "list", offsets, absent: null, items: ints(items) });
  return {
    part: sameText(part, count),
    stack_id: intValues(times(count, (i) => i)),
    stack_hash: {
      kind: "coded",
      codes: Uint32Array.from({ length: count }, (_, i) => i),
      dictionary: { of: "bytes16", values: hashes },
      none: null,
    },
    frames: list(frames),
    lines: list(frames.map((frame) => 10 + (frame % 200))),
  };
}

/** Rows by service, request, profile type and time. */
function sampleRows({ sameText, textValues }, part, { day, begin, seconds, requests, names, stacks, types, count }) {
  const random = randomOf(1000 + day);
  const codes = () => new Uint32Array(count);
  const longs = () => ({ kind: "longs", words: new Uint32Array(2 * count), none: null });
  const c = { type: codes(), value: codes(), root: codes(), span: codes(), service: codes(), instance: codes() };
  Object.assign(c, { endpoint: codes(), thread: codes(), leaf: codes(), tenant: codes() });
  const stackId = new Int32Array(count);
  const [nanos, micros] = [longs(), { ...longs(), none: 0 }];
  const [nano64, micro64] = [nanos, micros].map(({ words }) => new BigInt64Array(words.buffer));
  const ids = (length) => Uint32Array.from({ length: 2 * length }, random);
  const [roots, spans] = [ids(1 + requests * SERVICES), ids(1 + requests * SERVICES * SPANS)];
  let row = 0;
  for (let service = 0; service < SERVICES; service++) {
    const all = times(requests, (i) => ({
      at: ((i + (random() % 900) / 1000) * seconds) / requests,
      endpoint: Math.min(random() % ENDPOINTS, random() % ENDPOINTS),
      instance: random() % INSTANCES,
      thread: random() % THREADS,
    }));
    for (const [i, { at, endpoint, instance, thread }] of all.entries()) {
      for (const [type, { of }] of types.entries()) {
        const request = service * requests + i;
        let time = begin + BigInt(Math.round(at * 1e9));
        for (let n = 0; n < of; n++, row++) {
          time += BigInt(1_000_000 + (random() % 20_000_000));
          nano64[row] = time;
          micro64[row] = time / 1000n;
          const stack =
            stacks.first[service] +
            ((endpoint * 211 + Math.min(random() % 3000, random() % 3000, random() % 3000)) % STACKS);
          stackId[row] = stack;
          c.leaf[row] = stacks.frames[stacks.offsets[stack]] + 1;
          c.type[row] = type;
          c.value[row] = type === 0 ? random() % 200 : 0;
          c.root[row] = request + 1;
          c.span[row] = 1 + request * SPANS + (random() % SPANS);
          c.service[row] = service + 1;
          c.instance[row] = 1 + service * INSTANCES + instance;
          c.endpoint[row] = 1 + endpoint;
          c.thread[row] = 1 + thread;
          c.tenant[row] = 1 + (request % TENANTS);
        }
      }
    }
  }
  const coded = (rows, values, none = null) => ({ kind: "coded", codes: rows, dictionary: values, none });
  const texts = (values) => textValues(["", ...values], false).dictionary;
  const int64 = (words) => ({ of: "int64", words });
  const bigs = (values) => int64(new Uint32Array(BigInt64Array.from(values).buffer));
  const byType = (of) => c.type.map((type) => of(TYPES[type], type));
  const typed = (of) => {
    const { codes: numbers, dictionary } = textValues(TYPES.map(of), false);
    return coded(
      byType((_, type) => numbers[type]),
      dictionary,
    );
  };
  const rows = {
    part: sameText(part, count),
    recording_id: { kind: "ints", values: Int32Array.from(c.instance, (code) => code - 1), hasNone: false },
    time: micros,
    time_unix_nano: nanos,
    profile_type: typed(({ type }) => type),
    unit: typed(({ unit }) => unit),
    value: coded(c.value, bigs(times(200, (i) => (i === 0 ? 1n : BigInt(i * 4096))))),
    period: coded(
      byType(({ period }) => period),
      bigs(PERIODS_MS.map((ms) => ms * 1_000_000n)),
      0,
    ),
    event: typed(({ event }) => event),
    local_root_span_id: coded(c.root, int64(roots)),
    span_id: coded(c.span, int64(spans)),
    service: coded(c.service, texts(times(SERVICES, (i) => `service-${i}`)), 0),
    instance: coded(c.instance, texts(times(SERVICES * INSTANCES, (i) => `instance-${i}`)), 0),
    operation: coded(codes().fill(1), texts(["servlet.request"]), 0),
    endpoint: coded(c.endpoint, texts(times(ENDPOINTS, (i) => `GET /endpoint-${i}`)), 0),
    thread: coded(c.thread, texts(times(THREADS, (i) => `worker-${i}`)), 0),
    thread_id: coded(c.thread, bigs(times(THREADS + 1, BigInt)), 0),
    leaf: coded(c.leaf, texts(names), 0),
    stack_id: { kind: "ints", values: stackId, hasNone: true },
    attributes: {
      kind: "map",
      offsets: Uint32Array.from({ length: count + 1 }, (_, i) => i),
      keys: sameText("tenant", count),
      values: coded(
        c.tenant,
        textValues(
          times(TENANTS, (i) => `tenant-${i}`),
          false,
        ).dictionary,
      ),
    },
  };
  return { rows, roots };
}
