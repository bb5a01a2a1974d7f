/**
 * Recordings of a small fleet: three services with two instances each, three dates, requests with endpoints, damaged
 * files among them. Equal seeds give equal files.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Selection } from "../../../src/library/selection.ts";
import { Random } from "../random.ts";
import { buildChunk, type Item } from "./jfr-builder.ts";
import {
  ALLOC,
  Constants,
  CPU,
  cpuItem,
  cpuType,
  DURATION,
  ENTER,
  event,
  field,
  JVM_TYPES,
  ref,
  STACK,
  START,
  type Stack,
  THREAD,
  type Thread,
} from "./jfr-types.ts";

const SERVICES = ["billing", "search", "shop"];
export const ENDPOINTS = ["GET /cart", "GET /search", "POST /checkout"];
/** 2026-11-19. */
const FIRST_DAY = 1_795_046_400_000_000_000n;
const DATES = 3;
const DAY = 86_400_000_000_000n;
const SECOND = 1_000_000_000n;
/** Distance of cpu samples, which differs between the services. */
const INTERVALS_MS = [5n, 10n, 20n];
const REQUESTS = 4;
const SAMPLES_OF_REQUEST = 6;

const PROPERTY = event("jdk.InitialSystemProperty", [
  START,
  field("key", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const SETTING = event("datadog.ProfilerSetting", [
  START,
  field("name", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const CONFIG = event("datadog.DatadogProfilerConfig", [START, field("cpuInterval", "long", { unit: "MILLISECONDS" })]);
const ENDPOINT = event("datadog.Endpoint", [
  START,
  ref("endpoint", "java.lang.String"),
  ref("operation", "profiler.types.AttributeValue"),
  field("localRootSpanId", "long"),
]);
const ALLOC_TYPE = event(ALLOC, [
  START,
  THREAD,
  STACK,
  field("size", "long"),
  field("allocationSize", "long"),
  field("weight", "float"),
  field("spanId", "long"),
  field("localRootSpanId", "long"),
]);
const LOCK_TYPE = event(ENTER, [START, DURATION, THREAD, STACK]);
const TYPES = [...JVM_TYPES, cpuType(), ALLOC_TYPE, LOCK_TYPE, ENDPOINT, PROPERTY, SETTING, CONFIG];

export interface Fleet {
  /** Names of the files that are recordings, in order. */
  whole: string[];
  /** Of two chunks, the second of which is cut. */
  cut: string[];
  /** No part can be read. */
  unreadable: string[];
}

/** Writes `count` recordings to a folder. Every tenth one is cut; a text and an empty file are among them. */
export function writeFleet(folder: string, count: number, seed = 1): Fleet {
  const fleet: Fleet = { whole: [], cut: [], unreadable: ["empty.jfr", "notes.jfr"] };
  for (let i = 0; i < count; i++) {
    const name = `${String(i).padStart(3, "0")}.jfr`;
    const isCut = i % 10 === 9;
    writeFileSync(join(folder, name), recording(new Random(seed, i), i, isCut));
    (isCut ? fleet.cut : fleet.whole).push(name);
  }
  writeFileSync(join(folder, "notes.jfr"), "These are no samples.\n");
  writeFileSync(join(folder, "empty.jfr"), "");
  return fleet;
}

/** A recording by itself, the same for each number. */
export function recordingOf(number: number, seed = 1): Uint8Array {
  return recording(new Random(seed, number), number, false);
}

function recording(random: Random, number: number, isCut: boolean): Uint8Array {
  const first = chunk(random, number, 0n);
  if (!isCut && number % 4 !== 3) return first;
  const second = chunk(random, number, 60n * SECOND);
  const kept = isCut ? second.length >> 1 : second.length;
  const bytes = new Uint8Array(first.length + kept);
  bytes.set(first);
  bytes.set(second.subarray(0, kept), first.length);
  return bytes;
}

function chunk(random: Random, number: number, after: bigint): Uint8Array {
  const service = number % SERVICES.length;
  const instance = number % (2 * SERVICES.length);
  const constants = new Constants();
  const day = FIRST_DAY + BigInt(random.below(DATES)) * DAY;
  // Some recordings go on to the next date.
  const start = day + (number % 7 === 3 ? DAY - SECOND / 20n : BigInt(random.below(86_000)) * SECOND);
  const items: Item[] = [
    { event: PROPERTY.name, values: { startTime: 0n, key: "dd.service", value: SERVICES[service]! } },
    { event: SETTING.name, values: { startTime: 0n, name: "runtime-id", value: `instance-${instance}` } },
    { event: CONFIG.name, values: { startTime: 0n, cpuInterval: INTERVALS_MS[service]! } },
  ];
  for (let request = 0; request < REQUESTS; request++) items.push(...requestItems(random, constants, request));
  items.push(lock(random, constants));
  const spec = { startNanos: start + after, durationNanos: SECOND, ticksPerSecond: SECOND };
  return buildChunk({ types: TYPES, items: [...items, { checkpoint: constants.all() }], ...spec }).bytes;
}

function id(random: Random): bigint {
  return (BigInt(random.next()) << 32n) | BigInt(random.next()) || 1n;
}

function requestItems(random: Random, constants: Constants, request: number): Item[] {
  const root = id(random);
  const endpoint = random.pick(ENDPOINTS);
  const items: Item[] = [];
  for (let i = 0; i < SAMPLES_OF_REQUEST; i++) {
    const at = BigInt(request * 25_000_000 + i * 1_000_003 + random.below(1000));
    const thread = threadOf(random.below(3));
    const span = i === 0 ? root : id(random);
    items.push(
      cpuItem(constants, { at, stack: stackOf(random), thread, root, span, weight: BigInt(1 + random.below(3)) }),
    );
    if (!random.one(2)) continue;
    const size = BigInt(16 * (1 + random.below(8)));
    const values = { size, allocationSize: size, weight: 1 + random.below(900), spanId: span, localRootSpanId: root };
    const places = { eventThread: constants.thread(thread), stackTrace: constants.stack(stackOf(random)) };
    items.push({ event: ALLOC, values: { startTime: at, ...places, ...values } });
  }
  // One request of a recording in two is not known by its endpoint.
  if (request > 0 || random.one(2)) {
    const text = constants.key("java.lang.String", endpoint, () => endpoint);
    const operation = constants.attribute("servlet.request");
    items.push({ event: ENDPOINT.name, values: { startTime: 0n, endpoint: text, operation, localRootSpanId: root } });
  }
  // A sample outside of requests.
  items.push(cpuItem(constants, { at: BigInt(request), stack: random.one(4) ? null : stackOf(random) }));
  return items;
}

function lock(random: Random, constants: Constants): Item {
  const places = { eventThread: constants.thread(threadOf(0)), stackTrace: constants.stack(stackOf(random)) };
  return { event: ENTER, values: { startTime: 5n, duration: BigInt(1000 + random.below(9000)), ...places } };
}

function threadOf(n: number): Thread {
  return { javaName: `worker-${n}`, javaId: BigInt(20 + n), osName: `worker-${n}`, osId: BigInt(4000 + n) };
}

const METHODS = ["total", "price", "tax", "find", "rank", "read"];

/** Leaf first. Lambdas have another class name in each recording, and two of them may be in a stack. */
function stackOf(random: Random): Stack {
  const frames = Array.from({ length: 1 + random.below(4) }, () => {
    if (random.one(5))
      return { className: `demo/Work$$Lambda$${random.below(900)}/0x00007f${random.next()}`, method: "run" };
    return { className: "demo/Cart", method: random.pick(METHODS), line: 10 + random.below(3) };
  });
  return { frames: [...frames, { className: "demo/Main", method: "run", line: 5 }] };
}

/** Event types of the recordings, by profile type. */
export const EVENTS = { cpu: CPU, "alloc-samples": ALLOC, "lock-contention": ENTER };

/** Functions of a selection as `name self total`, with a row for its samples without a stack, in any order. */
export function functionsOf(selection: Selection): string[] {
  const { rows } = selection.top({ limit: 100_000 });
  const all = [...selection.samples()].reduce((sum, { value }) => sum + value, 0n);
  const rest = all - rows.reduce((sum, { self }) => sum + self, 0n);
  const bare = rest === 0n ? [] : [{ name: "(no stack)", self: rest, total: rest }];
  return [...rows, ...bare].map(({ name, self, total }) => `${name} ${self} ${total}`).sort();
}
