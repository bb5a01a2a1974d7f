/** The index of ids answers as the parts themselves do, and spares requests to them. */
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listedParts, localFiles } from "../../src/fleet/data-set-files.ts";
import type { DataSetFiles } from "../../src/fleet/parquet/parts.ts";
import { selectSamples } from "../../src/fleet/tables/select.ts";
import type { Wanted } from "../../src/fleet/tables/selectors.ts";
import { type SimulatedFleet, writeSimulatedFleet } from "../kit/jfr/simulated-fleet.ts";
import { buildCli, callCli, ROOT } from "../kit/run-cli.ts";

const SERVICES = 8;
const folder = mkdtempSync(join(tmpdir(), "spanflame-index-"));
const set = join(folder, "set");
let fleet: SimulatedFleet;
afterAll(() => rmSync(folder, { recursive: true }));

const at = (paths: readonly string[]) => paths.map((path) => join(folder, path));
const traceArgs = (paths: readonly string[]) => at(paths).flatMap((path) => ["--trace", path]);

async function run(...args: [string, ...string[]]): Promise<void> {
  expect(await callCli([...args, "-q"])).toMatchObject({ code: 0 });
}

/** The data set, and the files that are asked. */
function asked(isIndexed: boolean, of = set): { files: DataSetFiles; opened: Set<string>; requests: () => number } {
  const local = localFiles(of);
  const opened = new Set<string>();
  let count = 0;
  const files: DataSetFiles = {
    ...local,
    parts: local.parts.filter(({ table }) => isIndexed || table !== "ids"),
    open: (part) => {
      opened.add(`${part.table}/${part.part}`);
      const { byteLength, slice } = local.open(part);
      return {
        byteLength,
        slice: (from, to) => {
          count++;
          return slice(from, to);
        },
      };
    },
  };
  return { files, opened, requests: () => count };
}

const bytesOf = (id: bigint) => Uint8Array.from(Buffer.from(id.toString(16).padStart(32, "0"), "hex"));
const lowerOf = (id: bigint) => BigInt.asIntN(64, id);

/** Each trace, by its id and by the lower half; roots of samples in no trace; ids that nothing has. */
function questions(): Wanted[] {
  const roots = fleet.samples.filter(({ trace }) => trace === 0n).map(({ span }) => BigInt.asIntN(64, span));
  return [
    ...fleet.traces.map((trace) => ({ trace: bytesOf(trace) })),
    ...fleet.traces.map((trace) => ({ root: lowerOf(trace) })),
    ...fleet.samples.filter((_, i) => i % 40 === 0).map(({ span }) => ({ root: BigInt.asIntN(64, span) })),
    ...roots.slice(0, 10).map((root) => ({ root })),
    ...fleet.traces.slice(0, 2).map((trace) => ({ trace: bytesOf(trace), service: "service-00" })),
    { root: 12345n },
    { trace: bytesOf((7n << 64n) | 12345n) },
    { trace: bytesOf((7n << 64n) | BigInt.asUintN(64, fleet.traces[0]!)) },
  ];
}

async function expectSameAnswers(of = set, all = questions()): Promise<void> {
  for (const wanted of all) {
    const [own, plain] = [
      await selectSamples(asked(true, of).files, wanted),
      await selectSamples(asked(false, of).files, wanted),
    ];
    expect(own.samples).toBe(plain.samples);
    expect(Buffer.compare(own.message, plain.message)).toBe(0);
    expect(own.spans).toEqual(plain.spans);
  }
}

beforeAll(async () => {
  await buildCli();
  fleet = writeSimulatedFleet(folder, SERVICES, 12);
  // A part of each service and date.
  for (const name of readdirSync(join(folder, "in"))) await run("export", join(folder, "in", name), "--parquet", set);
  await run("export", ...(at(fleet.recordings.slice(0, 1)) as [string]), "--parquet", set, ...traceArgs(fleet.early));
}, 300_000);

it("has every id of the parts that it knows, and others are asked themselves", async () => {
  await run("compact", set, "--index");
  await expectSameAnswers();
  await run("export", ...(at(fleet.recordings.slice(0, 1)) as [string]), "--parquet", set, ...traceArgs(fleet.late));
  await expectSameAnswers();
  await run("compact", set);
  await expectSameAnswers();
  const { files, opened } = asked(true);
  expect(await selectSamples(files, { root: 12345n })).toMatchObject({ samples: 0, spans: null, damaged: [] });
  expect([...opened].every((path) => path.startsWith("ids/"))).toBe(true);
}, 120_000);

it.each(["ddctx-jdk17.captured.datadog", "apctx-jdk17.whole.otlp"])(
  "has the samples of recorded traces that came later, %s",
  async (trace) => {
    const [name = ""] = trace.split(".");
    const of = join(folder, name);
    const [recording, file] = [`${name}.jfr`, `${trace}.json.gz`].map((each) => join(ROOT, "fixtures/traces", each));
    await run("export", recording!, "--parquet", of);
    await run("export", recording!, "--trace", file!, "--parquet", of);
    await run("compact", of, "--index");
    const { out } = await callCli(["trace", recording!, "--trace", file!, "--json"]);
    const { spans } = JSON.parse(out.toString()) as { spans: { id: string; traceId: string }[] };
    const traces = [...new Set(spans.map(({ traceId }) => BigInt(`0x${traceId}`)))];
    expect(traces.length).toBeGreaterThan(10);
    const wanted = traces.slice(0, 30).flatMap((id) => [{ trace: bytesOf(id) }, { root: lowerOf(id) }]);
    await expectSameAnswers(of, [...wanted, ...spans.slice(0, 30).map(({ id }) => ({ root: lowerOf(BigInt(id)) }))]);
  },
  120_000,
);

it("is in the list of parts with its keys", () => {
  const own = listedParts(set).filter(({ table }) => table === "ids");
  expect(own).toHaveLength(2);
  for (const { from, to, footer } of own) {
    expect(from).toBeLessThan(to!);
    expect(footer).toBeGreaterThan(0);
  }
});

it("takes few requests for each service of a trace", async () => {
  for (const trace of fleet.traces) {
    const { files, requests } = asked(true);
    const { samples } = await selectSamples(files, { trace: bytesOf(trace) });
    expect(samples).toBe(fleet.samples.filter((sample) => sample.trace === trace).length);
    expect(requests()).toBeLessThanOrEqual(4 * 12);
  }
});

it("has nothing of what is removed", async () => {
  await run("remove", set, "--service", "service-00");
  await expectSameAnswers();
  const gone = fleet.samples.find(({ service, trace }) => service === "service-00" && trace === 0n)!;
  const { files, opened } = asked(true);
  expect(await selectSamples(files, { root: BigInt.asIntN(64, gone.span) })).toMatchObject({ samples: 0 });
  expect([...opened].every((path) => path.startsWith("ids/"))).toBe(true);
}, 60_000);

it("that is damaged is named, and the parts are asked", async () => {
  const place = join(set, "ids", "date=2026-11-19");
  const [name = ""] = readdirSync(place);
  truncateSync(join(place, name), 100);
  const { files } = asked(true);
  const wanted = { trace: bytesOf(fleet.traces[2]!) };
  const own = await selectSamples(files, wanted);
  expect(own.samples).toBe((await selectSamples(asked(false).files, wanted)).samples);
  expect(own.damaged.join()).toMatch(/^ids\/date=2026-11-19\/.*the index of the date is not used/);
  const { code, err } = await callCli(["verify", set]);
  expect([code, String(err)]).toEqual([1, expect.stringContaining(`ids/date=2026-11-19/${name}`)]);
}, 60_000);
