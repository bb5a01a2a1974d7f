/**
 * Recordings whose cause is known, because it was planted: the largest part that the sentence names is the cause, and
 * its function is the one at fault. The page's sample has one cause for each endpoint; fixtures/planted has twenty
 * recordings, most without ids, some of other languages.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type CAUSE_WORDS, isNamedIn } from "../../../test/kit/planted-words.ts";
import { askCli, buildCli, ROOT } from "../../../test/kit/run-cli.ts";

interface Planted {
  /** The slowest request says it: the sentence of several is of their samples, and time on no thread has none. */
  slowest?: boolean;
  file?: string;
  cause: keyof typeof CAUSE_WORDS;
  function: string | null;
  endpoint?: string | null;
}

const RECORDED = join(ROOT, "fixtures");
const causesOf = (folder: string): Record<string, Planted> =>
  JSON.parse(readFileSync(join(RECORDED, folder, "causes.json"), "utf8"));
const SAMPLE = causesOf("bookshop");
const PLANTED = causesOf("planted");
/** So many of the twenty have to be named. */
const NAMED = 18;

async function slowest(file: string, endpoint: string[]): Promise<string> {
  const sorted = ["--type", "wall", "--by", "local-root", "--sort", "duration", "--limit", "1"];
  const { rows } = await askCli<{ rows: { id: string }[] }>("spans", file, ...endpoint, ...sorted);
  return rows[0]?.id ?? "";
}

/** What is wrong with the sentence of a recording, or of an endpoint of it. */
async function faultOf(file: string, endpoint: string | null, planted: Planted): Promise<string | null> {
  const all = endpoint === null ? [] : ["--endpoint", endpoint];
  const asked = planted.slowest ? ["--local-root", await slowest(file, all)] : all;
  const { sentence } = await askCli<{ sentence: string }>("why", file, ...asked);
  return isNamedIn(sentence, planted) ? null : `${planted.cause} in ${planted.function}: ${sentence}`;
}

beforeAll(buildCli, 120_000);

describe("the sample", () => {
  it.each(Object.entries(SAMPLE))("names the cause of %s", async (endpoint, planted) => {
    expect(await faultOf(join(ROOT, "public", "sample.jfr"), endpoint, planted)).toBe(null);
  });
});

describe("twenty recordings with one cause each", () => {
  it("are named in their first part", async () => {
    const faults: string[] = [];
    for (const [name, planted] of Object.entries(PLANTED)) {
      const file = join(RECORDED, "planted", planted.file ?? name);
      const fault = await faultOf(file, planted.endpoint ?? null, planted);
      if (fault !== null) faults.push(`${name}: ${fault}`);
    }
    expect([faults.length <= Object.keys(PLANTED).length - NAMED, faults]).toEqual([true, faults]);
  });
});
