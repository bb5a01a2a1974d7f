/** Recordings of which the recorder left out something: events above a limit, a few of each kind, lost samples. */
import type { ChunkSpec, Item, Value } from "./jfr-builder.ts";
import { Constants, DURATION, event, field, JVM_TYPES, javaStack, MAIN, STACK, START, THREAD } from "./jfr-types.ts";

const number = (name: string) => field(name, "long");
const text = (name: string) => field(name, "java.lang.String");
const IDS = [number("spanId"), number("localRootSpanId")];

export const LOSS_TYPES = [
  event("jdk.ActiveSetting", [START, number("id"), text("name"), text("value")]),
  event("jdk.FileRead", [START, DURATION, THREAD, STACK, number("bytesRead"), ...IDS]),
  event("jdk.JavaExceptionThrow", [START, THREAD, STACK, text("message"), ...IDS]),
  event("jdk.ExceptionStatistics", [START, number("throwables")]),
  event("jdk.ExecutionSample", [START, THREAD, STACK]),
  event("jdk.ObjectAllocationInNewTLAB", [START, THREAD, STACK, number("tlabSize")]),
  event("jdk.ObjectAllocationSample", [START, THREAD, STACK, number("weight")]),
  event("jdk.CPUTimeSample", [START, THREAD, STACK, field("samplingPeriod", "long", { unit: "NANOSECONDS" })]),
  event("jdk.CPUTimeSamplesLost", [START, THREAD, number("lostSamples")]),
  event("jdk.DataLoss", [START, field("amount", "long", { unit: "BYTES", annotation: "jdk.jfr.DataAmount" })]),
  event("datadog.ExceptionSample", [START, THREAD, STACK, text("type")]),
  event("datadog.ExceptionCount", [START, text("type"), number("count")]),
  event("acme.Order", [START, THREAD, STACK]),
  event("com.oracle.jdk.FileWrite", [START, DURATION, THREAD, STACK]),
].map((type, i) => ({ ...type, id: BigInt(400 + i) }));

export const MS = 1_000_000n;
export const SECOND = 1000n * MS;

const CONSTANTS = new Constants();
const USUAL: Record<string, Value> = {
  eventThread: CONSTANTS.thread(MAIN),
  stackTrace: CONSTANTS.stack(javaStack("leaf", "root")),
};

export function item(name: string, startTime: bigint, values: Record<string, Value> = {}): Item {
  const fields = LOSS_TYPES.find((each) => each.name === name)?.fields ?? [];
  const empty = fields.map((each) => [each.name, USUAL[each.name] ?? (each.type === "java.lang.String" ? "" : 0n)]);
  return { event: name, values: { ...Object.fromEntries(empty), startTime, ...values } };
}

export function setting(name: string, key: string, value: string): Item {
  const id = LOSS_TYPES.find((each) => each.name === name)?.id ?? 0n;
  return item("jdk.ActiveSetting", 0n, { id, name: key, value });
}

/** So many events, `step` ns apart. */
export function events(name: string, count: number, step: bigint, values: Record<string, Value> = {}): Item[] {
  return Array.from({ length: count }, (_, i) => item(name, BigInt(i) * step, values));
}

export function lossChunk(...items: Item[]): ChunkSpec {
  return {
    types: [...JVM_TYPES, ...LOSS_TYPES],
    items: [...items, { checkpoint: CONSTANTS.all() }],
    durationNanos: 2n * SECOND,
  };
}

/** Two seconds of a program that throws `perSecond` exceptions and reads files; JDK 25 records 300 a second. */
export function limitedChunk(perSecond: bigint): ChunkSpec {
  const ids = { spanId: 7n, localRootSpanId: 7n };
  return lossChunk(
    setting("jdk.FileRead", "throttle", "300/s"),
    setting("jdk.JavaExceptionThrow", "throttle", "300/s"),
    ...events("jdk.FileRead", 600, (10n * MS) / 3n, { duration: MS, bytesRead: 10n, ...ids }),
    ...events("jdk.JavaExceptionThrow", 600, (10n * MS) / 3n, ids),
    ...[0n, 1n, 2n].map((i) => item("jdk.ExceptionStatistics", i * SECOND, { throwables: i * perSecond })),
    ...events("jdk.CPUTimeSample", 20, 10n * MS, { samplingPeriod: 10n * MS }),
    item("jdk.CPUTimeSamplesLost", 0n, { lostSamples: 5n }),
  );
}
