import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { buildCli, callCli, ROOT } from "../../../test/kit/run-cli.ts";

const fixture = (name: string) => join(ROOT, "fixtures", name);
const RECORDING = fixture("recorded/ddagent-jdk17.jfr");
const REQUEST = ["--local-root", "1630705100213871486"];

interface Happened {
  type: string;
  offsetNano: string;
  startUnixNano: string;
  durationNano: string | null;
  value: { unit: string; amount: string } | null;
  thread: string;
  localRoot: string | null;
  fields: Record<string, string>;
}

interface Answer {
  types: { type: string; count: number; durationNano: string | null; p50Nano: string | null; maxNano: string | null }[];
  events: Happened[];
  total: { events: number };
}

async function asked(...args: string[]): Promise<Answer> {
  const { out, err, code } = await callCli(["events", ...args, "--json"]);
  expect(code, err).toBe(0);
  return JSON.parse(out.toString());
}

beforeAll(buildCli, 120_000);

it("lists the events of a request in order, also of types that are no profile", async () => {
  const { events, types, total } = await asked(RECORDING, ...REQUEST);
  expect(total.events).toBe(events.length);
  expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(["datadog.Endpoint", "datadog.ObjectSample"]));
  const starts = events.map(({ startUnixNano }) => BigInt(startUnixNano));
  expect(starts).toEqual([...starts].sort((a, b) => Number(a - b)));
  for (const { type, thread, localRoot, offsetNano, startUnixNano } of events) {
    expect([thread, localRoot], type).toEqual(["worker-3", REQUEST[1]]);
    expect(BigInt(startUnixNano) - BigInt(offsetNano)).toBe(starts[0]);
  }
  const sum = types.reduce((all, { count }) => all + count, 0);
  expect(sum).toBe(events.length);
  const { waits } = JSON.parse((await callCli(["waits", RECORDING, ...REQUEST, "--json"])).out.toString());
  const monitors = waits.filter(({ kind }: { kind: string }) => kind === "monitor");
  const entered = events.filter(({ type }) => type === "jdk.JavaMonitorEnter");
  const timesOf = (all: Pick<Happened, "startUnixNano" | "durationNano">[]) =>
    all.map(({ startUnixNano, durationNano }) => [startUnixNano, durationNano]);
  expect(timesOf(entered)).toEqual(timesOf(monitors));
  expect(entered.length).toBeGreaterThan(0);
});

it("says of a request what it says when everything is read", async () => {
  for (const call of [REQUEST, [...REQUEST, "--type", "alloc-samples"], ["--event", "jdk.GarbageCollection"]]) {
    const some = await callCli(["events", RECORDING, ...call, "--json"]);
    const all = await callCli(["events", RECORDING, ...call, "--json"], { env: { SPANFLAME_READ_ALL: "1" } });
    expect([some.code, `${some.out}`, `${some.err}`], call.join(" ")).toEqual([all.code, `${all.out}`, `${all.err}`]);
  }
});

it("selects by type and event, with the figures of each type and a field that is a number", async () => {
  const collections = await asked(RECORDING, "--event", "jdk.GarbageCollection");
  const durations = collections.events.map(({ durationNano }) => Number(durationNano)).sort((a, b) => a - b);
  expect(durations.length).toBeGreaterThan(2);
  const [row] = collections.types;
  expect(row).toMatchObject({
    count: durations.length,
    durationNano: `${durations.reduce((sum, each) => sum + each, 0)}`,
    p50Nano: `${durations[Math.ceil(durations.length / 2) - 1]}`,
    maxNano: `${durations.at(-1)}`,
  });
  const allocated = await asked(RECORDING, ...REQUEST, "--type", "alloc-samples");
  expect(new Set(allocated.events.map(({ type }) => type))).toEqual(new Set(["datadog.ObjectSample"]));
  const sizes = await asked(RECORDING, ...REQUEST, "--event", "datadog.ObjectSample", "--value", "size");
  expect(sizes.events).toHaveLength(allocated.events.length);
  expect(sizes.events.every(({ value }) => value?.unit === "bytes" && Number(value.amount) > 0)).toBe(true);
  expect(sizes.events[0]?.fields.objectClass).toMatch(/./);
  const text = await callCli(["events", RECORDING, ...REQUEST]);
  expect(text.out.toString()).toMatch(/12[.]5 ms +1 +12[.]5 ms.*jdk[.]JavaMonitorEnter/);
});

it("has the stacks of events on demand, cut to a limit, as text and as JSON", async () => {
  const of = ["events", RECORDING, ...REQUEST, "--event", "jdk.JavaMonitorEnter", "--stacks"];
  const { events, total } = JSON.parse((await callCli([...of, "--json", "--limit", "1"])).out.toString());
  expect([events.length, total.events]).toEqual([1, expect.any(Number)]);
  const [{ stack, frames }] = events;
  expect([stack[0], stack.length]).toEqual([expect.stringContaining("."), frames]);
  expect(stack.length).toBeGreaterThan(2);
  const lines = (await callCli([...of, "--limit", "1"])).out.toString().trimEnd().split("\n");
  expect(lines[0]).toMatch(/^[+].*12[.]5 ms {2}jdk[.]JavaMonitorEnter {2}worker-3$/);
  expect(lines.slice(1)).toEqual(stack.map((name: string) => `    ${name}`));
  const allocations = await callCli(["events", RECORDING, "--event", "datadog.ObjectSample", "--stacks"]);
  expect(allocations.out.toString().match(/^[+]/gm)).toHaveLength(20);
  expect(allocations.err.toString()).toMatch(/more events: --limit N/);
});

it("is wrong usage with a field but no event, and with a type that does not exist", async () => {
  for (const wrong of [
    ["--value", "size"],
    ["--type", "no-such-type"],
  ])
    expect((await callCli(["events", RECORDING, ...wrong])).code).toBe(2);
  const none = await callCli(["events", RECORDING, "--event", "no.such.Event"]);
  expect([none.code, none.err.toString()]).toEqual([0, expect.stringContaining("no events")]);
});
