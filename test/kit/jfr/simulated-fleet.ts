/**
 * A simulated fleet for data sets: services with recordings of two days, traces over four of them, overlapping dumps,
 * copies, and traces that come later than their recordings. The model has each sample once.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { Random } from "../random.ts";
import { buildChunk, type Item } from "./jfr-builder.ts";
import { Constants, cpuItem, cpuType, event, field, JVM_TYPES, START } from "./jfr-types.ts";

/** 2026-11-19. */
const FIRST_DAY = 1_795_046_400_000_000_000n;
const DAY = 86_400_000_000_000n;
const SECOND = 1_000_000_000n;
const SETTING = event("datadog.ProfilerSetting", [
  START,
  field("name", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const SERVICES_OF_TRACE = 4;
const METHODS = ["find", "price", "rank", "read", "tax", "total"];

/** A sample of the model. */
export interface ModelSample {
  service: string;
  day: number;
  method: string;
  span: bigint;
  trace: bigint;
}

export interface SimulatedFleet {
  samples: ModelSample[];
  /** Files of recordings, relative to the folder, and of traces: those that come early, and those that come late. */
  recordings: string[];
  early: string[];
  late: string[];
  /** Trace ids, each over four services. */
  traces: bigint[];
}

interface Chunk {
  bytes: Uint8Array;
  samples: ModelSample[];
}

/** Writes the fleet to a folder. */
export function writeSimulatedFleet(folder: string, services: number, traceCount: number, seed = 1): SimulatedFleet {
  const random = new Random(seed, 99);
  const fleet: SimulatedFleet = { samples: [], recordings: [], early: [], late: [], traces: [] };
  const put = (path: string, bytes: Uint8Array | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
    return path;
  };
  const wanted = Array.from({ length: services }, (): { trace: bigint; span: bigint; day: number }[] => []);
  for (let t = 0; t < traceCount; t++) {
    const trace = (BigInt(0x6b000000 + t) << 96n) | idOf(random);
    const day = t % 2;
    const spans = Array.from({ length: SERVICES_OF_TRACE }, (_, i) => ({
      id: idOf(random),
      service: (t * 3 + i * 5) % services,
    }));
    for (const { id, service } of spans) wanted[service]!.push({ trace, span: id, day });
    fleet.traces.push(trace);
    const isLate = t % 3 === 0;
    (isLate ? fleet.late : fleet.early).push(
      put(`${isLate ? "late" : "early"}/${t}.json`, traceFile(trace, spans, day)),
    );
  }
  for (let service = 0; service < services; service++) {
    const chunks = [0, 1, 2].map((number) => chunkOf(random, service, number, wanted[service]!));
    for (const { samples } of chunks) fleet.samples.push(...samples);
    const [a, b, c] = chunks.map(({ bytes }) => bytes) as [Uint8Array, Uint8Array, Uint8Array];
    const name = nameOf(service);
    // Dumps of a running recording overlap; copies have other names, or are compressed.
    fleet.recordings.push(
      put(`in/${name}/1.jfr`, Buffer.concat([a, b])),
      put(`in/${name}/2.jfr`, Buffer.concat([b, c])),
    );
    if (service % 3 === 0) fleet.recordings.push(put(`in/${name}/copy.jfr`, Buffer.concat([a, b])));
    if (service % 3 === 1) fleet.recordings.push(put(`in/${name}/3.jfr.gz`, gzipSync(Buffer.concat([b, c]))));
  }
  return fleet;
}

const nameOf = (service: number) => `service-${String(service).padStart(2, "0")}`;

function idOf(random: Random): bigint {
  return ((BigInt(random.next()) << 32n) | BigInt(random.next())) & ((1n << 63n) - 1n) || 1n;
}

/** Chunk 0 is of the first day, 1 goes over midnight, 2 is of the second. */
function chunkOf(
  random: Random,
  service: number,
  number: number,
  wanted: readonly { trace: bigint; span: bigint; day: number }[],
): Chunk {
  const constants = new Constants();
  const start = FIRST_DAY + [DAY / 2n, DAY - SECOND / 2n, DAY + DAY / 3n][number]!;
  const samples: ModelSample[] = [];
  const items: Item[] = [
    { event: SETTING.name, values: { startTime: 0n, name: "service", value: nameOf(service) } },
    { event: SETTING.name, values: { startTime: 0n, name: "runtime-id", value: `${nameOf(service)}-a` } },
  ];
  const add = (at: bigint, span: bigint, trace: bigint) => {
    const method = random.pick(METHODS);
    const stack = {
      frames: [
        { className: "demo/Cart", method, line: 1 },
        { className: "demo/Main", method: "run", line: 5 },
      ],
    };
    const thread = { javaName: "worker", javaId: 20n, osName: "worker", osId: 4000n };
    items.push(cpuItem(constants, { at, stack, thread, root: span, span, weight: 1n }));
    samples.push({ service: nameOf(service), day: start + at < FIRST_DAY + DAY ? 0 : 1, method, span, trace });
  };
  for (const { trace, span, day } of number === 1 ? [] : wanted)
    if (day === (number === 0 ? 0 : 1)) for (let i = 0n; i < 3n; i++) add(1000n + i * 10_000_000n, span, trace);
  for (let i = 0; i < 20; i++) add(BigInt(random.below(990)) * 1_000_000n + BigInt(i), idOf(random), 0n);
  const spec = { startNanos: start, durationNanos: SECOND, ticksPerSecond: SECOND };
  const types = [...JVM_TYPES, cpuType(), SETTING];
  return { bytes: buildChunk({ types, items: [...items, { checkpoint: constants.all() }], ...spec }).bytes, samples };
}

/** OTLP JSON: the first service calls the others. */
function traceFile(trace: bigint, spans: readonly { id: bigint; service: number }[], day: number): string {
  const start = FIRST_DAY + (day === 0 ? DAY / 2n : DAY + DAY / 3n);
  const hex = (id: bigint, digits: number) => id.toString(16).padStart(digits, "0");
  const resourceSpans = spans.map(({ id, service }, i) => ({
    resource: { attributes: [{ key: "service.name", value: { stringValue: nameOf(service) } }] },
    scopeSpans: [
      {
        spans: [
          {
            ...{ traceId: hex(trace, 32), spanId: hex(id, 16), parentSpanId: i === 0 ? "" : hex(spans[0]!.id, 16) },
            ...{ name: `GET /${nameOf(service)}`, kind: 2 },
            startTimeUnixNano: String(start + BigInt(i) * 1_000_000n),
            endTimeUnixNano: String(start + 100_000_000n - BigInt(i) * 1_000_000n),
          },
        ],
      },
    ],
  }));
  return JSON.stringify({ resourceSpans });
}
