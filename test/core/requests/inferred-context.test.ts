/** Inferred context: the edges of each rule, on recordings made for them. */
import { beforeAll, describe, expect, it } from "vitest";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import { keepContexts } from "../../../src/core/samples/contexts.ts";
import { openSpans } from "../../../src/core/samples/spans.ts";
import { inference } from "../../../src/model/context/infer.ts";
import { canInfer } from "../../../src/model/trace/coverage.ts";
import { type Happening, inferredFrom, ms } from "../../kit/core/happenings.ts";
import { emptyCore, type Observation, observations } from "../../kit/core/read-store.ts";
import type { FieldSpec, TypeSpec } from "../../kit/jfr/jfr-builder.ts";
import {
  CONTEXT,
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
  type Stack,
  THREAD,
  type Thread,
} from "../../kit/jfr/jfr-types.ts";

const SLEEP = "jdk.ThreadSleep";
const TIMELINE = "datadog.Timeline";
const OTEL = "io.opentelemetry.context.Scope";
const TAGGED = "profiler.Span";
const BORDER = "datadog.Endpoint";
const QUEUE = "datadog.QueueTime";
const OWN = "app.Request";
const QUERY = "app.Query";
const STEP = "lib.Step";

const TEXT_IDS = [field("traceId", "java.lang.String"), field("spanId", "java.lang.String")];
const SNAKE_IDS = [field("trace_id", "java.lang.String"), field("span_id", "java.lang.String")];
const CONTEXTUAL: FieldSpec = { ...field("spanId", "long"), annotation: "jdk.jfr.Contextual" };

const TYPES: TypeSpec[] = [
  ...JVM_TYPES,
  cpuType(),
  event(SLEEP, [START, DURATION, THREAD, STACK]),
  event(TIMELINE, [START, DURATION, THREAD, ...CONTEXT]),
  event(OTEL, [START, DURATION, THREAD, ...TEXT_IDS]),
  event(TAGGED, [START, DURATION, THREAD, field("tag", "java.lang.String")]),
  event(BORDER, [START, DURATION, THREAD, ref("endpoint", "jdk.types.Symbol"), field("localRootSpanId", "long")]),
  event(QUEUE, [START, DURATION, THREAD, ...CONTEXT]),
  event(OWN, [START, DURATION, THREAD, CONTEXTUAL]),
  event(QUERY, [START, DURATION, THREAD, STACK, field("spanId", "long"), field("parentSpanId", "long")]),
  event(STEP, [START, DURATION, THREAD, ...SNAKE_IDS, field("span_name", "java.lang.String")]),
];

const VIRTUAL: Thread = { javaName: "virtual", javaId: 77n, osName: null, osId: 0n };
const CODE = javaStack("work", "main");
const OTHER_CODE = javaStack("other", "main");

/** Frames by their full names, leaf first. */
function stackOf(...names: string[]): Stack {
  return {
    frames: names.map((name) => {
      const dot = name.lastIndexOf(".");
      return { className: name.slice(0, dot).replaceAll(".", "/"), method: name.slice(dot + 1), line: 1 };
    }),
  };
}

function scope(from: number, to: number, span: bigint, root = 1n, thread = MAIN): Happening {
  return { type: TIMELINE, from, to, thread, values: { spanId: span, localRootSpanId: root } };
}

function sample(at: number, span: bigint, root = 1n, stack = CODE, thread = MAIN): Happening {
  return { type: CPU, from: at, thread, stack, values: { weight: 1n, spanId: span, localRootSpanId: root } };
}

function sleep(from: number, to: number, stack = CODE, thread = MAIN): Happening {
  return { type: SLEEP, from, to, thread, stack };
}

const inferred = (...happenings: Happening[]) => inferredFrom(TYPES, happenings);

/** Rule, span and root of the only sleep. */
function contextOf({ attributes, link }: Observation): string {
  const rule = attributes["spanflame.context.rule"];
  if (rule === undefined) {
    expect(attributes["spanflame.context"]).toBeUndefined();
    return link === null ? "none" : "own";
  }
  expect(attributes["spanflame.context"]).toBe("inferred");
  const id = (text: unknown) => BigInt(`0x${text ?? "0"}`);
  const span = id(link?.spanId ?? attributes["span.id"]);
  return `${rule} ${span} ${id(link?.traceId ?? attributes["local_root_span.id"])}`;
}

async function sleepIn(...happenings: Happening[]): Promise<string> {
  const [only] = observations(await inferred(...happenings), "sleep");
  if (only === undefined) throw new Error("no sleep");
  return contextOf(only);
}

describe("scopes", () => {
  it("give the innermost one that contains all of the event", async () => {
    expect(await sleepIn(scope(0, 100, 1n), scope(10, 50, 2n), scope(60, 90, 3n), sleep(20, 40))).toBe("scope 2 1");
    expect(await sleepIn(scope(0, 100, 1n), scope(10, 50, 2n), scope(60, 90, 3n), sleep(52, 58))).toBe("scope 1 1");
  });

  it("give nothing where one cuts the event, or where the thread is outside of all", async () => {
    expect(await sleepIn(scope(0, 100, 1n), scope(10, 50, 2n), sleep(45, 70))).toBe("none");
    expect(await sleepIn(scope(0, 100, 1n), scope(40, 50, 2n), sleep(30, 70))).toBe("none");
    expect(await sleepIn(scope(0, 30, 1n), sample(30, 1n), sleep(40, 50), sample(60, 1n))).toBe("none");
  });

  it("allow for the clocks of two chunks", async () => {
    expect(await sleepIn(scope(10, 50, 2n), sleep(9.9, 50.1))).toBe("scope 2 1");
    expect(await sleepIn(scope(10, 50, 2n), sleep(9.7, 50))).toBe("none");
  });

  it("give nothing where those around the event are of two roots, or where the innermost has no span", async () => {
    expect(await sleepIn(scope(0, 100, 1n, 1n), scope(10, 50, 2n, 9n), sleep(20, 40))).toBe("none");
    expect(await sleepIn(scope(0, 100, 1n), scope(10, 50, 0n), sleep(20, 40))).toBe("none");
  });

  it("are of one thread; virtual threads are told by Java's number", async () => {
    expect(await sleepIn(scope(0, 100, 1n), sleep(20, 40, CODE, VIRTUAL))).toBe("none");
    const all = [scope(0, 100, 1n), scope(0, 100, 7n, 7n, VIRTUAL)];
    expect(await sleepIn(...all, sleep(20, 40, CODE, VIRTUAL))).toBe("scope 7 7");
  });

  it("are read in all forms", async () => {
    const ids = { traceId: "00000000000000ab00000000000000cd", spanId: "00000000000000ef" };
    expect(await sleepIn({ type: OTEL, from: 0, to: 100, values: ids }, sleep(20, 40))).toBe(
      `scope 239 ${(0xabn << 64n) | 0xcdn}`,
    );
    const tag = { tag: "checkout span=17 root=0x1F" };
    expect(await sleepIn({ type: TAGGED, from: 0, to: 100, values: tag }, sleep(20, 40))).toBe("scope 17 31");
    expect(await sleepIn({ type: OWN, from: 0, to: 100, values: { spanId: 5n } }, sleep(20, 40))).toBe("scope 5 0");
    expect(await sleepIn({ type: TAGGED, from: 0, to: 100, values: { tag: "no id" } }, sleep(20, 40))).toBe("none");
  });

  it("are no events with a plain span id", async () => {
    expect(await sleepIn({ type: QUERY, from: 0, to: 100, values: { spanId: 5n } }, sleep(20, 40))).toBe("none");
  });

  it("are known to the page before it infers", async () => {
    const sources = async (...happenings: Happening[]) => {
      const core = await inferred(...happenings);
      return { profiles: core.profiles(), files: core.files(), eventTypes: core.eventTypes() };
    };
    expect(canInfer(await sources(sleep(20, 40)))).toBe(false);
    expect(canInfer(await sources(sleep(20, 40), { type: QUERY, from: 0, to: 9, values: { spanId: 5n } }))).toBe(false);
    expect(canInfer(await sources(sleep(20, 40), { type: OWN, from: 0, to: 9, values: { spanId: 5n } }))).toBe(true);
    expect(canInfer(await sources(sleep(20, 40), scope(0, 100, 1n)))).toBe(true);
    expect(canInfer(await sources(sample(20, 1n)))).toBe(true);
  });

  it("are rows of the table of spans", async () => {
    const core = await inferred(
      scope(1, 3, 2n),
      { type: OTEL, from: 4, to: 5, values: { traceId: "ab00000000000000cd", spanId: "ef" } },
      { type: TAGGED, from: 6, to: 8, values: { tag: "00-00000000000000010000000000000002-0000000000000003-01" } },
    );
    const { id, root, traceHigh, traceLow, start, end } = (await openSpans(core)).columns();
    expect([...id]).toEqual([2n, 0xefn, 3n]);
    expect([...root]).toEqual([1n, 0n, 0n]);
    expect([...traceHigh]).toEqual([0n, 0xabn, 1n]);
    expect([...traceLow]).toEqual([0n, 0xcdn, 2n]);
    expect(Array.from(end, (each, i) => each - (start[i] ?? 0n))).toEqual([ms(2), ms(1), ms(2)]);
  });
});

describe("events with a span id and a duration", () => {
  it("are spans, with ids and names of either style", async () => {
    const core = await inferred(
      { type: QUERY, from: 1, to: 3, values: { spanId: 5n, parentSpanId: 4n } },
      { type: STEP, from: 4, to: 6, values: { trace_id: "ab00000000000000cd", span_id: "ef", span_name: "load" } },
    );
    const spans = await openSpans(core);
    const { id, parent, traceHigh, traceLow, start, end, name, origin } = spans.columns();
    expect([...id]).toEqual([5n, 0xefn]);
    expect([...parent]).toEqual([4n, 0n]);
    expect([...traceHigh]).toEqual([0n, 0xabn]);
    expect([...traceLow]).toEqual([0n, 0xcdn]);
    expect([...end].map((at, i) => at - (start[i] ?? 0n))).toEqual([ms(2), ms(2)]);
    expect([...name].map((text) => spans.string(text))).toEqual([QUERY, "load"]);
    expect(new Set(origin)).toEqual(new Set([Origin.SpanEvent]));
  });

  it("are no spans without a duration, and if they are samples", async () => {
    const none = [
      { type: QUERY, from: 1, values: { spanId: 5n } },
      { type: QUEUE, from: 1, to: 3, values: { spanId: 5n, localRootSpanId: 1n } },
      sample(5, 5n),
      sleep(6, 8),
    ];
    expect((await openSpans(await inferred(...none))).count).toBe(0);
  });
});

describe("waits for the next task", () => {
  it.each([
    ["java.util.concurrent.LinkedBlockingQueue.take"],
    ["java.util.concurrent.LinkedBlockingDeque.pollFirst"],
    ["java.util.concurrent.ThreadPoolExecutor.getTask"],
    ["sun.nio.ch.EPollSelectorImpl.doSelect"],
    ["io.netty.channel.epoll.EpollEventLoop.epollWait"],
  ])("have no context: %s", async (method) => {
    const wait = stackOf("jdk.internal.misc.Unsafe.park", method, "java.lang.Thread.run");
    expect(await sleepIn(scope(0, 100, 1n), sleep(20, 40, wait))).toBe("none");
    expect(await sleepIn(sample(10, 1n, 1n, wait), sleep(20, 40, wait), sample(50, 1n, 1n, wait))).toBe("none");
  });

  it("are no other methods of similar names", async () => {
    const work = stackOf("app.Queue.takeOrder", "app.Selectors.selected", "java.lang.Thread.run");
    expect(await sleepIn(scope(0, 100, 1n), sleep(20, 40, work))).toBe("scope 1 1");
  });
});

describe("neighbours", () => {
  it("of one span give the span where the code is the same, else the root", async () => {
    expect(await sleepIn(sample(10, 2n), sleep(20, 40), sample(50, 2n))).toBe("neighbours 2 1");
    expect(await sleepIn(sample(10, 2n), sleep(20, 40, OTHER_CODE), sample(50, 2n))).toBe("neighbours 0 1");
    const jdk = stackOf("java.lang.Thread.sleep", "java.lang.Thread.run");
    expect(await sleepIn(sample(10, 2n, 1n, jdk), sleep(20, 40, jdk), sample(50, 2n, 1n, jdk))).toBe("neighbours 0 1");
  });

  it("of two spans give their root; of two roots, or without one, nothing", async () => {
    expect(await sleepIn(sample(10, 2n), sleep(20, 40), sample(50, 3n))).toBe("neighbours 0 1");
    expect(await sleepIn(sample(10, 2n, 1n), sleep(20, 40), sample(50, 2n, 9n))).toBe("none");
    expect(await sleepIn(sample(10, 2n, 0n), sleep(20, 40), sample(50, 2n, 0n))).toBe("none");
  });

  it("count from both sides, and all within", async () => {
    expect(await sleepIn(sleep(20, 40), sample(50, 2n))).toBe("none");
    expect(await sleepIn(sample(10, 2n), sleep(20, 40))).toBe("none");
    expect(await sleepIn(sample(10, 2n), sleep(20, 40), sample(30, 0n, 0n), sample(50, 2n))).toBe("none");
    expect(await sleepIn(sample(10, 2n), sleep(20, 40), sample(30, 3n), sample(50, 2n))).toBe("neighbours 0 1");
  });

  it("end at a border: the end of a request, and of a wait in a queue", async () => {
    const end = { type: BORDER, from: 45, values: { localRootSpanId: 1n } };
    expect(await sleepIn(sample(10, 2n), sleep(20, 40), end, sample(50, 2n))).toBe("none");
    const queue = { type: QUEUE, from: 0, to: 15, values: { spanId: 2n, localRootSpanId: 1n } };
    expect(await sleepIn(sample(10, 2n), queue, sleep(20, 40), sample(50, 2n))).toBe("none");
    const before = { ...queue, to: 5 };
    expect(await sleepIn(before, sample(10, 2n), sleep(20, 40), sample(50, 2n))).toBe("neighbours 2 1");
  });

  it("are of the same thread", async () => {
    const other = { ...MAIN, javaName: "other", javaId: 2n, osId: 4712n };
    expect(await sleepIn(sample(10, 2n), sleep(20, 40, CODE, other), sample(50, 2n))).toBe("none");
  });
});

describe("inferred samples", () => {
  let core: Awaited<ReturnType<typeof inferred>>;
  beforeAll(async () => {
    core = await inferred(
      sample(10, 2n),
      sleep(20, 40),
      sleep(41, 42),
      sample(50, 2n),
      sleep(55, 56, OTHER_CODE),
      sample(60, 2n),
      sleep(70, 90),
    );
  });

  it("are counted beside those with a span of their own", () => {
    const profiles = core.profiles();
    const own = profiles.find(({ type }) => type === "cpu");
    expect(own).toMatchObject({ samplesWithSpan: 3, inferredSpan: 0 });
    const sleeps = profiles.find(({ type }) => type === "sleep");
    expect(sleeps).toMatchObject({ samples: 4, samplesWithSpan: 0, samplesWithRoot: 0, stacks: 2 });
    expect(sleeps).toMatchObject({ inferredSpan: 2, inferredRoot: 3 });
    expect(sleeps?.inferredBy).toEqual({ scope: 0, trace: 0, neighbours: 3 });
  });

  it("are found by span and by root, and sum up with the others", () => {
    const id = core.profiles().find(({ type }) => type === "sleep")?.id ?? -1;
    expect(core.select(id, { span: 2n })).toEqual({ samples: 2, value: ms(21) });
    expect(core.select(id, { localRoot: 1n })).toEqual({ samples: 3, value: ms(22) });
    expect(core.select(id, { noSpan: true })).toEqual({ samples: 1, value: ms(20) });
    expect(core.select(id, {})).toEqual({ samples: 4, value: ms(42) });
    const { rows } = core.views.rank({ kind: "attribute", key: "spanflame.context" }, 0, 10);
    expect(rows.map(({ label, samples }) => [label, samples])).toEqual([["inferred", 3]]);
  });

  it("are no evidence of their span", async () => {
    const times = (await openSpans(core)).times().get(2n);
    expect(times?.last).toBe((times?.first ?? 0n) + ms(50));
  });
});

it.each([true, false])("facts of observations are kept where context is inferred: %s", async (isInferred) => {
  const core = await emptyCore();
  await keepContexts(core, isInferred ? inference() : null);
  const { wasm } = core.instance;
  expect(wasm.notedRows() > 0).toBe(isInferred);
});
