/** The events of a selection on the page are those of `spanflame events`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asking } from "../../test/kit/asking.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk, event, field, JVM_TYPES, START, THREAD } from "../../test/kit/jfr/jfr-types.ts";
import { buildCli, callCli, ROOT } from "../../test/kit/run-cli.ts";
import { PLAIN } from "../core/tables/extra-events.ts";
import type { Filter } from "../core/types.ts";
import { filterChipsOf } from "../model/query/chips.ts";
import { argsOf } from "../model/query/filters.ts";
import type { EventChoice } from "./api.ts";
import { Session } from "./session.ts";

const at = (path: string) => readFile(join(ROOT, path));
const FIRST = WebAssembly.compile(await at("build/core-first.wasm"));
const REST = WebAssembly.compile(await at("build/core-rest.wasm"));
const AGENT = join(ROOT, "fixtures/recorded/ddagent-jdk17.jfr");
const HOLDERS = join(ROOT, "fixtures/waits/holders-jdk25.jfr");
const JDK = join(ROOT, "fixtures/recorded/jdk17-profile.jfr");
const CHUNKS = join(ROOT, "fixtures/shop-chunks.jfr");
const ASYNC = join(ROOT, "fixtures/recorded/ap46-jdk17-all.jfr");
const ROOT_ID = 1630705100213871486n;
const FOLDER = mkdtempSync(join(tmpdir(), "events-"));

beforeAll(buildCli, 120_000);
afterAll(() => rmSync(FOLDER, { recursive: true }));

/** A blob that knows which of its bytes were asked for. */
class Watched extends Blob {
  read: [start: number, end: number][] = [];
  override slice(start = 0, end = this.size, type?: string): Blob {
    this.read.push([start, end]);
    return super.slice(start, end, type);
  }
}

async function opened(...paths: string[]) {
  const session = asking(new Session({ first: () => FIRST, rest: () => REST }));
  const blobs = await Promise.all(paths.map(async (path) => new Watched([new Uint8Array(await readFile(path))])));
  const files = paths.map((path, i) => ({ name: basename(path), blob: blobs[i]! }));
  const answer = await session.open(files, PLAIN, () => {});
  expect(answer.ok).toBe(true);
  return { session, blobs };
}

type Opened = Awaited<ReturnType<typeof opened>>["session"];

async function given<T>(answer: Promise<{ ok: true; value: T } | { ok: false; error: unknown }>): Promise<T> {
  const found = await answer;
  if (!found.ok) throw new Error(JSON.stringify(found.error));
  return found.value;
}

// biome-ignore lint/suspicious/noExplicitAny: as the command line prints it
type Json = any;
const printed = (value: unknown): Json =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each)));

/** As `spanflame events --json` has it. */
async function onPage(session: Opened, filter: Filter, field: EventChoice["field"] = null): Promise<Json> {
  const choice: EventChoice = { filter, find: "", field };
  const { types, count } = await given(session.eventTypes(choice));
  const events: Json[] = [];
  for (const { type, count } of types ?? []) {
    for (let offset = 0; offset < count; offset += 1000) {
      const page = await given(session.eventList(choice, type, offset, 1000));
      expect(page.count).toBe(count);
      events.push(...page.rows);
    }
  }
  const plain = events
    .sort((a, b) => a.number - b.number)
    .map(({ number: _, fields, ...row }) => ({ ...row, fields: Object.fromEntries(fields) }));
  return printed({
    types: types?.map(({ fields: _, isOther: __, ...row }) => row),
    events: plain,
    total: { events: count },
  });
}

async function onCommandLine(paths: readonly string[], args: readonly string[]): Promise<Json> {
  const { out, err, code } = await callCli(["events", ...paths, ...args, "--json"]);
  expect(code, String(err)).toBe(0);
  const { schema: _, ...answer } = JSON.parse(out.toString());
  return answer;
}

const argsFor = (filter: Filter) => argsOf(filterChipsOf(filter)).args;

describe("the events of a selection", () => {
  it.each<[string, string, Filter]>([
    ["a request", AGENT, { localRoot: [ROOT_ID] }],
    ["a thread", AGENT, { attributes: [{ key: "thread.name", value: "worker-3" }] }],
    ["everything", AGENT, {}],
    ["a thread of a plain recording", JDK, { attributes: [{ key: "thread.name", value: "main" }] }],
    ["a recording of async-profiler", ASYNC, {}],
    ["several chunks", CHUNKS, {}],
  ])("are those of the command line: %s", async (_, path, filter) => {
    const { session } = await opened(path);
    const page = await onPage(session, filter);
    expect(page.events.length).toBeGreaterThan(0);
    expect(page).toEqual(await onCommandLine([path], argsFor(filter)));
  });

  it("are those of the command line for requests with inferred context, for spans and for a time", async () => {
    const { session } = await opened(HOLDERS);
    const all = await onPage(session, {});
    const ids = [...new Set<string>(all.events.map(({ localRoot }: Json) => localRoot))].filter((id) => id !== null);
    const [some = "", other = ""] = [ids[3], ids.at(-1)];
    const times = all.events.map(({ startUnixNano }: Json) => BigInt(startUnixNano));
    const [from, to] = [times[Math.floor(times.length / 3)], times[Math.floor(times.length / 2)]];
    for (const filter of [
      { localRoot: [BigInt(some)] },
      { localRoot: [BigInt(some), BigInt(other)] },
      { span: [BigInt(some)] },
      { time: { from, to } },
      { localRoot: [BigInt(other)], time: { from: times[0], to: times.at(-1) } },
    ] satisfies Filter[]) {
      const page = await onPage(session, filter);
      expect(page, JSON.stringify(argsFor(filter))).toEqual(await onCommandLine([HOLDERS], argsFor(filter)));
    }
  });

  it("have a field that is a number, as --event and --value select it, and a histogram of it", async () => {
    const { session } = await opened(AGENT);
    const filter = { localRoot: [ROOT_ID] };
    const field = { event: "datadog.ObjectSample", value: "size" };
    const page = await onPage(session, filter, field);
    expect(page.events.length).toBeGreaterThan(2);
    const args = ["--event", field.event, "--value", field.value];
    expect(page).toEqual(await onCommandLine([AGENT], [...argsFor(filter), ...args]));
    const { histogram } = await given(session.eventList({ filter, find: "", field }, field.event, 0, 1));
    expect(histogram?.unit).toBe("bytes");
    for (const { from, to, count } of histogram?.bins ?? []) {
      const within = page.events.filter(({ value }: Json) => from <= Number(value.amount) && Number(value.amount) < to);
      expect(within).toHaveLength(count);
    }
    // Without the field they are as before.
    expect(await onPage(session, filter)).toEqual(await onCommandLine([AGENT], argsFor(filter)));
  });

  it("are found by words of type, field and thread, and have their stacks", async () => {
    const { session } = await opened(AGENT);
    const filter = { localRoot: [ROOT_ID] };
    const all = (await onPage(session, filter)).events;
    const find = async (words: string) => {
      const choice = { filter, find: words, field: null };
      const { types, count } = await given(session.eventTypes(choice));
      return { names: types?.map(({ type }) => type), count };
    };
    const entered = all.filter(({ type }: Json) => type === "jdk.JavaMonitorEnter").length;
    expect(await find("monitorenter WORKER-3")).toEqual({ names: ["jdk.JavaMonitorEnter"], count: entered });
    expect((await find("worker-4")).count).toBe(0);
    const ofInts = all.filter(({ fields }: Json) => Object.values(fields).some((text) => String(text).includes("[]")));
    expect(ofInts.length).toBeGreaterThan(0);
    expect((await find("[]")).count).toBe(ofInts.length);
    const choice = { filter, find: "", field: null };
    const { rows } = await given(session.eventList(choice, "jdk.JavaMonitorEnter", 0, 10));
    const stack = await given(session.eventStack(choice, rows[0]!.number));
    expect(stack.at(-1)).toMatch(/Thread[.]run$/);
    await session.forgetEvents();
    expect(await given(session.eventStack(choice, rows[0]!.number))).toEqual(stack);
  });

  it("are read from the chunks near the request, and from all of them for a thread", async () => {
    const MINUTE = 60_000_000_000n;
    const mark = event("my.Mark", [START, field("size", "long"), THREAD]);
    const chunk = (root: bigint, minutes: bigint) => {
      const spec = cpuChunk([
        { at: 5_000_000n, span: root, root },
        { at: 15_000_000n, span: root, root },
      ]);
      const marks = Array.from({ length: 800 }, (_, i) => ({
        event: mark.name,
        values: { startTime: 6_000_000n + BigInt(i) * 10_000n, size: root, eventThread: 1n },
      }));
      const items = [...spec.items, ...marks];
      const types = [
        ...JVM_TYPES,
        ...spec.types.filter(({ name }) => !JVM_TYPES.some((each) => each.name === name)),
        mark,
      ];
      return buildChunk({ ...spec, types, items, startNanos: 1_700_000_000_000_000_000n + minutes * MINUTE }).bytes;
    };
    const path = join(FOLDER, "far.jfr");
    writeFileSync(path, Buffer.concat([chunk(71n, 0n), chunk(72n, 10n), chunk(73n, 20n)]));
    const { session, blobs } = await opened(path);
    const [blob] = blobs;
    const filter = { localRoot: [72n] };
    const last = (5 / 6) * blob!.size;
    const hasReadLast = () => blob!.read.some(([start, end]) => start <= last && last < end);
    blob!.read = [];
    const page = await onPage(session, filter);
    expect(hasReadLast()).toBe(false);
    expect(page).toEqual(await onCommandLine([path], argsFor(filter)));
    expect(page.types.map(({ type }: Json) => type)).toContain("my.Mark");
    const thread = { attributes: [{ key: "thread.name", value: page.events[0].thread }] };
    expect(await onPage(session, thread)).toEqual(await onCommandLine([path], argsFor(thread)));
    expect(hasReadLast()).toBe(true);
  });
});
