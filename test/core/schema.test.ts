/** The schema of the store's tables (assembly/store/schema.ts) against what readers put into them. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { Core } from "../../src/core/core.ts";
import { readInputs } from "../../src/input/open.ts";
import { markSources } from "../../src/requests/open-files.ts";
import { asCapture } from "../kit/cdt/cdt-writer.ts";
import { compileTesting } from "../kit/core/compile.ts";
import { MESSAGE, PPROF } from "../kit/otlp/messages.ts";
import { jsonOf } from "../kit/otlp/otlp-encode.ts";
import { sound } from "../kit/otlp/sound-message.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FIXTURES = `${ROOT}fixtures/`;

/** In the order of `Table`. */
const TABLES = [
  "strings",
  "encoded",
  "attributes",
  "sets",
  "functions",
  "mappings",
  "details",
  "locations",
  "stacks",
  "links",
  "threads",
  "roots",
  "scopes",
  "profiles",
  "events",
  "samples",
  "observations",
  "facts",
  "settings",
  "incidents",
  "measurements",
  "code sources",
  "diagnostics",
] as const;
const numberOf = (table: (typeof TABLES)[number]) => TABLES.indexOf(table) + 1;

interface Schema {
  memory: WebAssembly.Memory;
  rowCount(table: number): number;
  rowPointer(table: number, i: number): number;
  rowSize(table: number, i: number): number;
  wordCount(table: number): number;
  describedWord(table: number, w: number): number;
  targetOf(table: number, w: number): number;
  brokenRow(table: number): number;
  usedWords(w: number): number;
}

let core: Core;
let schema: Schema;

beforeAll(async () => {
  core = await Core.instantiate(await compileTesting("schema"));
  schema = (core as unknown as { wasm: Schema }).wasm;
}, 120_000);

const recordings = (folder: string) =>
  readdirSync(FIXTURES + folder)
    .filter((name) => name.endsWith(".jfr"))
    .map((name) => [folder + name, () => new Uint8Array(readFileSync(FIXTURES + folder + name))] as const);
const INPUTS = [
  ...recordings(""),
  ...recordings("recorded/"),
  ["a message", () => MESSAGE],
  ["a message as JSON", () => jsonOf(sound())],
  ["a pprof file", () => PPROF],
  ["a dump", () => asCapture({ calls: [] }, "pod_1")],
] as const;

async function read(bytes: Uint8Array): Promise<void> {
  core.reset();
  await readInputs(core, [{ name: "input", source: bytesSource(bytes) }]);
  await markSources(core);
}

/** Words of each table that some input had a value in, as `table word`. */
const used = new Set<string>();

describe("what is read", () => {
  it.each(INPUTS)("of %s fits the description, and no reference leads out of its table", async (_, bytes) => {
    await read(bytes());
    for (const table of TABLES) {
      const number = numberOf(table);
      expect([table, schema.brokenRow(number)]).toEqual([table, 0]);
      for (let w = 0; w < schema.wordCount(number); w++) if (schema.usedWords(w) > 0) used.add(`${table} ${w}`);
    }
  });

  it("has a row of another table in every word that may have one", () => {
    const unused = TABLES.flatMap((table) =>
      Array.from({ length: schema.wordCount(numberOf(table)) }, (__, w) => w)
        .filter((w) => schema.targetOf(numberOf(table), w) !== 0 && !used.has(`${table} ${w}`))
        .map((w) => `${table} ${w}`),
    );
    expect(unused).toEqual([]);
  });
});

describe("the description", () => {
  it("is of every word of a row", async () => {
    await read(MESSAGE);
    for (const table of TABLES) {
      const number = numberOf(table);
      const isList = schema.describedWord(number, 1000) < 1000;
      if (!isList) expect([table, 4 * schema.wordCount(number)]).toEqual([table, schema.rowSize(number, 0)]);
    }
  });

  it("refers to tables before, so that rows can be moved table by table", () => {
    for (const table of TABLES) {
      const number = numberOf(table);
      for (let w = 0; w < schema.wordCount(number); w++) {
        const target = schema.targetOf(number, w);
        if (table === "profiles") expect(target).toBeLessThanOrEqual(number);
        else expect(target).toBeLessThan(number);
      }
    }
  });

  it.each([
    ["locations", 0],
    ["details", 0],
    ["sets", 0],
    ["samples", 1],
    ["attributes", 2],
  ] as const)("of %s is not met by any number in word %i", async (table, word) => {
    await read(MESSAGE);
    const number = numberOf(table);
    expect(schema.brokenRow(number)).toBe(0);
    const last = schema.rowCount(number) - 1;
    const at = schema.rowPointer(number, last) + 4 * word;
    const view = new DataView(schema.memory.buffer);
    // An attribute's value is a reference where it is a text.
    if (table === "attributes") view.setUint32(at - 4, 1, true);
    view.setUint32(at, 0x7fff_ffff, true);
    expect(schema.brokenRow(number)).toBe(last + 1);
  });
});
