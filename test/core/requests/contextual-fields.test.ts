/** Contextual fields (`@Contextual`) of events: the attributes, and the ids, of all events that lie inside. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inferredSpans } from "../../../src/model/query/inferred-spans.ts";
import { type Happening, inferredFrom } from "../../kit/core/happenings.ts";
import { observations } from "../../kit/core/read-store.ts";
import type { FieldSpec, TypeSpec, Value } from "../../kit/jfr/jfr-builder.ts";
import {
  CPU,
  cpuType,
  DURATION,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  ref,
  STACK,
  START,
  THREAD,
  type Thread,
} from "../../kit/jfr/jfr-types.ts";

const SLEEP = "jdk.ThreadSleep";
const TEXT = "java.lang.String";
const contextual = (name: string, type = TEXT): FieldSpec => field(name, type, { annotation: "jdk.jfr.Contextual" });
const inside = (name: string, ...fields: FieldSpec[]) => event(name, [START, DURATION, THREAD, ...fields]);

const ORDER = [contextual("tenant"), contextual("orderId", "long"), contextual("express", "boolean")];
const NUMBERS = ["byte", "short", "int", "float", "double", "char"].map((type) => contextual(type, type));
const METHOD = { ...ref("method", "jdk.types.Method"), annotation: "jdk.jfr.Contextual" };
const TYPES: TypeSpec[] = [
  ...JVM_TYPES,
  cpuType(),
  event(SLEEP, [START, DURATION, THREAD, STACK]),
  inside("acme.Order", ...ORDER, field("note", TEXT)),
  inside("acme.Step", contextual("step"), contextual("tenant")),
  inside("acme.Numbers", ...NUMBERS),
  inside("acme.Call", contextual("traceId"), contextual("spanId"), contextual("operation")),
  inside("acme.Trace", contextual("trace_id")),
  inside("acme.Reserved", contextual("thread.name"), contextual("trace endpoint")),
  inside("jdk.MethodTrace", METHOD),
  inside("io.opentelemetry.context.Scope", field("traceId", TEXT), field("spanId", TEXT)),
];

const within = (name: string, from: number, to: number, values: Record<string, Value>, thread = MAIN): Happening => ({
  ...{ type: `acme.${name}`, from, to, values, thread },
});
const order = (from: number, to: number, tenant: string | null, orderId = 0n, express = false): Happening =>
  within("Order", from, to, { tenant, orderId, express });
const sleep = (from: number, to = from, thread = MAIN): Happening => ({
  ...{ type: SLEEP, from, to, thread, stack: javaStack("work") },
});
const sample = (at: number, span: bigint): Happening => ({
  ...{ type: CPU, from: at, stack: javaStack("work"), values: { weight: 1n, spanId: span, localRootSpanId: 1n } },
});

/** Attributes of the first sleep, without those of threads. */
async function ofSleep(...happenings: Happening[]): Promise<Record<string, unknown>> {
  const [first] = observations(await inferredFrom(TYPES, happenings), "sleep");
  const { "thread.name": _, "thread.id": __, "profile.type": ___, ...attributes } = first?.attributes ?? {};
  return { ...attributes, ...(first?.link && { link: `${first.link.traceId} ${first.link.spanId}` }) };
}

const MARKS = { "spanflame.context": "inferred", "spanflame.context.rule": "scope" };

describe("contextual fields", () => {
  it("are attributes of what lies inside, from start to end", async () => {
    const red = { ...MARKS, tenant: "red", orderId: 7n, express: true };
    expect(await ofSleep(order(10, 50, "red", 7n, true), sleep(20, 30))).toEqual(red);
    expect(await ofSleep(order(10, 50, "red", 7n, true), sleep(10, 50))).toEqual(red);
    expect(await ofSleep(order(10, 50, "red", 7n, true), sleep(20, 51))).toEqual({});
    expect(await ofSleep(order(10, 50, "red", 7n, true), sleep(9, 20))).toEqual({});
  });

  it("count where they are 0, false or empty, and not where they are null", async () => {
    const zeros = { ...MARKS, orderId: 0n, express: false };
    expect(await ofSleep(order(0, 50, null), sleep(20, 30))).toEqual(zeros);
    expect(await ofSleep(order(0, 50, ""), sleep(20, 30))).toEqual({ ...zeros, tenant: "" });
  });

  it("are of the innermost event for each key, and of outer ones for the others", async () => {
    const nested = [order(0, 100, "red", 7n), within("Step", 10, 90, { step: "pay", tenant: "blue" })];
    const pay = { ...MARKS, orderId: 7n, express: false, step: "pay", tenant: "blue" };
    expect(await ofSleep(...nested, sleep(20, 30))).toEqual(pay);
    expect(await ofSleep(...nested, sleep(91, 95))).toEqual({ ...MARKS, orderId: 7n, express: false, tenant: "red" });
    const silent = within("Step", 10, 90, { step: "pay", tenant: null });
    expect(await ofSleep(order(0, 100, "red", 7n), silent, sleep(20, 30))).toEqual({ ...pay, tenant: "red" });
  });

  it("may be of any type", async () => {
    const values = { byte: -1n, short: -300n, int: 2n ** 31n - 1n, float: 0.5, double: -0.25, char: 0xe9n };
    const numbers = { byte: -1n, short: -300n, int: 2147483647n, float: 0.5, double: -0.25, char: "é" };
    expect(await ofSleep(within("Numbers", 0, 9, values), sleep(1, 2))).toEqual({ ...MARKS, ...numbers });
  });

  it("are of one thread", async () => {
    const other: Thread = { javaName: "other", javaId: 2n, osName: "other", osId: 4712n };
    expect(await ofSleep(order(0, 50, "red"), sleep(20, 30, other))).toEqual({});
    const virtual: Thread = { javaName: "", javaId: 77n, osName: null, osId: 0n };
    const ofVirtual = within("Order", 0, 50, { tenant: "red", orderId: 1n, express: true }, virtual);
    expect(await ofSleep(ofVirtual, sleep(20, 30, virtual))).toEqual({
      ...MARKS,
      tenant: "red",
      orderId: 1n,
      express: true,
    });
  });

  it("get a prefix where the key has a meaning", async () => {
    const values = { "thread.name": "pool", "trace endpoint": "/x" };
    const prefixed = { ...MARKS, "context.thread.name": "pool", "context.trace endpoint": "/x" };
    expect(await ofSleep(within("Reserved", 0, 9, values), sleep(1, 2))).toEqual(prefixed);
  });
});

describe("contextual ids", () => {
  const call = { traceId: "00000000000000ab00000000000000cd", spanId: "00000000000000ef", operation: "pay" };
  const link = "00000000000000ab00000000000000cd 00000000000000ef";

  it("are the span and the trace of what lies inside", async () => {
    expect(await ofSleep(within("Call", 0, 50, call), sleep(20, 30))).toEqual({ ...MARKS, link, operation: "pay" });
    const decimal = { ...call, spanId: "12345678901234567890" };
    const found = await ofSleep(within("Call", 0, 50, decimal), sleep(20, 30));
    expect(found.link).toBe("00000000000000ab00000000000000cd ab54a98ceb1f0ad2");
  });

  it("may be of two events", async () => {
    const outer = within("Trace", 0, 50, { trace_id: call.traceId });
    const both = await ofSleep(outer, within("Call", 10, 40, { ...call, traceId: null }), sleep(20, 30));
    expect(both).toEqual({ ...MARKS, link, operation: "pay" });
    const alone = await ofSleep(outer, sleep(20, 30));
    expect(alone).toEqual({ ...MARKS, "trace.id": call.traceId });
  });

  it("are attributes where they are no ids", async () => {
    const broken = { traceId: "order-7", spanId: "-", operation: null };
    expect(await ofSleep(within("Call", 0, 50, broken), sleep(20, 30))).toEqual({
      ...MARKS,
      traceId: "order-7",
      spanId: "-",
    });
  });

  it("of OpenTelemetry's scopes stay ids", async () => {
    const scope = { type: "io.opentelemetry.context.Scope", from: 0, to: 50, values: call };
    expect(await ofSleep(scope, sleep(20, 30))).toEqual({ ...MARKS, link });
  });
});

describe("samples that state their span", () => {
  it("keep it, take the attributes, and are not counted as inferred spans", async () => {
    const core = await inferredFrom(TYPES, [order(0, 50, "red"), sample(20, 5n), sample(70, 6n), sample(30, 0n)]);
    const [profile] = core.profiles();
    expect(profile).toMatchObject({ samples: 3, samplesWithSpan: 2, inferredSpan: 0, inferredRoot: 0 });
    expect(profile?.samplesWithAttribute).toMatchObject({ tenant: 2, express: 2, "spanflame.context": 2 });
    core.select(0, {});
    expect(core.views.rank({ kind: "span" }, 0, 9).rows.map(({ inferred }) => inferred)).toEqual([0, 0]);
    const [red] = core.views.rank({ kind: "attribute", key: "tenant" }, 0, 9).rows;
    expect(red).toMatchObject({ label: "red", samples: 2, inferred: 2 });
    expect(core.select(0, { attributes: inferredSpans() }).samples).toBe(0);
    expect(core.select(0, { attributes: inferredSpans(true) }).samples).toBe(3);
  });
});

describe("the fields of a recording", () => {
  it("are known without inference", async () => {
    const core = await inferredFrom(TYPES, [order(0, 9, "red"), within("Step", 1, 2, { step: "a", tenant: null })]);
    const known = core.eventTypes().filter(({ contextFields }) => contextFields.length > 0);
    expect(known.map(({ event: name, contextFields }) => [name, contextFields])).toEqual([
      ["acme.Order", ["tenant", "orderId", "express"]],
      ["acme.Step", ["step", "tenant"]],
    ]);
  });
});

const stretch = fc
  .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length }));
const scopes = fc.array(fc.tuple(stretch, fc.constantFrom("red", "blue", null)), { maxLength: 6 });

describe("random events", () => {
  it("have the text of the innermost event around them", async () => {
    await fc.assert(
      fc.asyncProperty(scopes, stretch, async (all, { from, to }) => {
        const around = all
          .filter(([scope, tenant]) => tenant !== null && scope.from <= from && to <= scope.to)
          .toSorted(([a], [b]) => a.from - b.from || b.to - a.to);
        const steps = all.map(([scope, tenant]) => within("Step", scope.from, scope.to, { step: null, tenant }));
        expect((await ofSleep(...steps, sleep(from, to))).tenant).toBe(around.at(-1)?.[1]);
      }),
      { numRuns: 60 },
    );
  });
});
