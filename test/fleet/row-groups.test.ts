/**
 * A data set whose files have several row groups, as the page reads it by the list of parts: few requests, the answers
 * of a reader that knows no row groups and no index, and damage in the footer of a row group.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { UNPACKERS } from "../../src/fleet/data-set-codec.ts";
import { listedParts, localFiles } from "../../src/fleet/data-set-files.ts";
import { Opened, type Row } from "../../src/fleet/parquet/file-reader.ts";
import { type DataSetFiles, type Part, pathOf, placesOf } from "../../src/fleet/parquet/parts.ts";
import { tableOf } from "../../src/fleet/parquet/schema.ts";
import { type Selected, selectSamples } from "../../src/fleet/tables/select.ts";
import type { Wanted } from "../../src/fleet/tables/selectors.ts";
import { buildCli, callCli, ROOT } from "../kit/run-cli.ts";

const ROWS = 140_000;
const SERVICES_OF_TRACE = 4;
const MOST_REQUESTS = 12;
const folder = mkdtempSync(join(tmpdir(), "spanflame-groups-"));
const set = join(folder, "set");
afterAll(() => rmSync(folder, { recursive: true }));

const listed = () => listedParts(set);
const listedOf = (name: Part["table"]) => listed().filter(({ table }) => table === name);

/** The answer of the list, and the requests that it took with that for the list. */
async function asked(wanted: Wanted): Promise<Selected & { requests: number }> {
  let requests = 1;
  const local = localFiles(set);
  const files: DataSetFiles = {
    ...local,
    parts: listed(),
    open: (part) => {
      const { byteLength, slice } = local.open(part);
      const counted = (from: number, to: number) => {
        requests++;
        return slice(from, to);
      };
      return { byteLength, slice: counted };
    },
  };
  return { ...(await selectSamples(files, wanted)), requests };
}

/** The answer of the footers of files. */
function plain(wanted: Wanted): Promise<Selected> {
  const local = localFiles(set);
  return selectSamples({ ...local, parts: local.parts.filter(({ table }) => table !== "ids") }, wanted);
}

async function rowsIn(table: "samples" | "spans", columns: string[]): Promise<Row[]> {
  const [part] = listedOf(table);
  return (await Opened.open(localFiles(set).open(part!), tableOf(table), UNPACKERS)).allRows(columns);
}

/** Runs with a byte of a file that is another one. */
async function withDamage(part: Part, at: number, run: () => Promise<void>): Promise<void> {
  const path = join(set, pathOf(part));
  const bytes = readFileSync(path);
  try {
    writeFileSync(
      path,
      Uint8Array.from(bytes, (byte, i) => (i === at ? byte ^ 1 : byte)),
    );
    await run();
  } finally {
    writeFileSync(path, bytes);
  }
}

let roots: bigint[];
let traces: Uint8Array[];
beforeAll(async () => {
  await buildCli();
  const { makeRows } = (await import(pathToFileURL(join(ROOT, "bench/fleet-rows.mjs")).href)) as {
    makeRows(folder: string, rows: number, options: { dates: string[]; share: number }): Promise<number>;
  };
  await makeRows(set, ROWS, { dates: ["2026-11-20"], share: 0.12 });
  expect(await callCli(["compact", set, "--index", "-q"])).toMatchObject({ code: 0 });
  const samples = await rowsIn("samples", ["local_root_span_id"]);
  const all = [...new Set(samples.map(({ local_root_span_id: root }) => BigInt(root as bigint)))];
  roots = Array.from({ length: 24 }, (_, i) => all[Math.floor((i * (all.length - 1)) / 23)]!);
  const spans = await rowsIn("spans", ["trace_id"]);
  const ids = new Map(spans.map(({ trace_id: id }) => [String(id), id as Uint8Array]));
  traces = [...ids.values()].slice(0, 12);
}, 120_000);

it("lists row groups of samples, stacks and the index", () => {
  for (const table of ["samples", "stacks", "ids"] as const)
    expect(placesOf(listedOf(table)[0]?.groups ?? []).length, table).toBeGreaterThan(1);
});

it("answers local roots in at most 12 requests", async () => {
  for (const root of roots) {
    const own = await asked({ root });
    const expected = await plain({ root });
    expect([own.samples, own.damaged]).toEqual([expected.samples, []]);
    expect(own.samples).toBeGreaterThan(0);
    expect(Buffer.compare(own.message, expected.message)).toBe(0);
    expect(own.spans).toEqual(expected.spans);
    expect(own.requests).toBeLessThanOrEqual(MOST_REQUESTS);
  }
}, 60_000);

it("answers traces in at most 12 requests for each service", async () => {
  expect(traces.length).toBeGreaterThan(5);
  for (const trace of traces) {
    const own = await asked({ trace });
    const expected = await plain({ trace });
    expect(own.samples).toBe(expected.samples);
    expect(Buffer.compare(own.message, expected.message)).toBe(0);
    expect(own.spans).toEqual(expected.spans);
    expect(own.requests).toBeLessThanOrEqual(SERVICES_OF_TRACE * MOST_REQUESTS);
  }
}, 60_000);

it.each(["samples", "stacks", "ids"] as const)(
  "names damage in the footer of a row group of %s",
  async (table) => {
    const part = listedOf(table)[0]!;
    const [root] = roots;
    const expected = await plain({ root: root! });
    const named = new Set<string>();
    for (const { to } of placesOf(part.groups!)) {
      await withDamage(part, to - 40, async () => {
        const { code, err } = await callCli(["verify", set]);
        expect([code, String(err)]).toEqual([1, expect.stringContaining(pathOf(part))]);
        const own = await asked({ root: root! }).catch((error: Error) => ({ samples: 0, damaged: [error.message] }));
        expect(own.samples).toBe(own.damaged.length > 0 && table !== "ids" ? 0 : expected.samples);
        for (const text of own.damaged) named.add(text);
      });
      if (named.size > 0) break;
    }
    expect([...named].join()).toContain(`${pathOf(part)}: `);
  },
  120_000,
);
