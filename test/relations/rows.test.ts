/** A row of a list, the same filter elsewhere, and parts of a whole. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { FILTER_KINDS, type FilterKind } from "../../src/model/query/filters.ts";
import { openRecording } from "../kit/open-recording.ts";
import { buildCli, callCli } from "../kit/run-cli.ts";
import { IS_WHOLE, RECORDINGS, randomOf, withFolder } from "./kit.ts";
import { asked, LISTS, profilesIn, some } from "./questions.ts";

beforeAll(() => buildCli(), 120_000);

interface Row {
  samples: number;
  value: string;
  [member: string]: unknown;
}

/** The condition that a row of each list is; `carried` are the attributes of the profile's samples. */
const CONDITIONS: Readonly<Record<string, (row: Row, carried: readonly string[]) => string[]>> = {
  "local-root": ({ hex }) => ["--local-root", `0x${hex}`],
  span: ({ hex }) => ["--span", `0x${hex}`],
  endpoint: ({ key }) => ["--endpoint", String(key)],
  operation: ({ key }, carried) => ["--attr", `${OPERATIONS.find((key) => carried.includes(key))}=${key}`],
  thread: ({ key }) => ["--thread", String(key)],
  library: ({ key }) => ["--attr", `library=${key}`],
};

/** What profilers of the recordings call it. */
const OPERATIONS = ["_dd.trace.operation", "operation", "trace operation"];

type Part = readonly string[];

/** Two conditions of each kind that share no sample and leave none out. */
const HALVES: Readonly<Record<FilterKind, ((hint: Hint) => readonly [Part, Part] | null) | string>> = {
  file: "a recording alone is one file",
  "local-root": "has no opposite on the command line",
  span: "has no opposite on the command line",
  "no-span": "has no opposite on the command line",
  attribute: ({ attribute }) =>
    attribute && [
      ["--attr", attribute.join("=")],
      ["--attr", attribute.join("!=")],
    ],
  frame: ({ name }) => [
    ["--frame", name],
    ["--not-frame", name],
  ],
  "root-frame": "has no opposite on the command line",
  time: ({ middle }) => [
    ["--until", middle],
    ["--since", middle],
  ],
  calls: "of dumps",
  spans: "is a filter of the page",
};

interface Hint {
  name: string;
  middle: string;
  attribute: [key: string, value: string] | null;
}

it("every list has the condition of its rows, every kind of filter its halves or the reason", () => {
  expect(Object.keys(CONDITIONS)).toEqual(LISTS);
  expect(Object.keys(HALVES).sort()).toEqual([...FILTER_KINDS].sort());
});

async function totalOf(input: string, ...options: readonly string[]): Promise<bigint> {
  const answer = await asked("top", input, ...options, "--limit", "1");
  expect(answer.refused).toBeUndefined();
  return BigInt(String(answer.total));
}

async function listOf(input: string, type: unknown, by: string): Promise<Row[]> {
  const answer = await asked("spans", input, "--type", String(type), "--by", by, "--limit", "100000");
  return (answer.rows ?? []) as Row[];
}

const drawn = (relation: string, n: number) => some(randomOf(relation), RECORDINGS, IS_WHOLE ? RECORDINGS.length : n);
const named = (paths: readonly string[]) => paths.map((path): [string, string] => [basename(path), path]);

/** Of one span, `why` states wall and CPU samples alone, by weight. Of other profiles it states no sum. */
function inSpan(
  why: Record<string, unknown>,
  type: string,
  unit: unknown,
  own: readonly unknown[],
): readonly unknown[] {
  const samples = { wall: why.samples, cpu: (why.cpu as Row | undefined)?.samples }[type];
  return samples === undefined || unit !== "count" ? own : [own[0], String(samples)];
}

/** Of locks, why counts the contention alone: calls of Object.wait are beside it. */
function whyOf(type: string, why: Record<string, unknown>, own: unknown[]): unknown[] {
  const [samples] = own;
  const isPart = type === "lock-contention" && Number(why.samples) <= Number(samples);
  return isPart ? own : [why.samples, why.value];
}

describe("a row of a list has what its condition selects, here, in a conversion and in a data set", () => {
  it.each(named(drawn("rows", 3)))("%s", (_, recording) =>
    withFolder(async (folder) => {
      const random = randomOf(`rows ${basename(recording)}`);
      const profiles = await profilesIn(recording);
      for (const { type: name, unit, samplesWithAttribute } of some(random, profiles, IS_WHOLE ? profiles.length : 2)) {
        const type = String(name);
        for (const by of LISTS) {
          // A request that an event alone tells of has a row, too: its filter has nothing to add up.
          const rows = (await listOf(recording, type, by)).filter(({ samples }) => samples > 0);
          const [row] = some(random, rows, 1);
          if (row === undefined) continue;
          const condition = CONDITIONS[by]!(row, Object.keys(samplesWithAttribute as object));
          const why = await asked("why", recording, "--type", type, ...condition);
          const own = [row.samples, row.value];
          const out = join(folder, "row.pb");
          const { code, err } = await callCli(["convert", recording, "-o", out, "--type", type, ...condition, "-q"]);
          expect([code, err]).toEqual([0, ""]);
          const [written] = await profilesIn(out);
          const facts = {
            top: String(await totalOf(recording, "--type", type, ...condition)),
            why: by === "span" ? inSpan(why, type, unit, own) : whyOf(type, why, own),
            convert: [written?.samples, written?.value],
          };
          expect({ by, condition, facts }).toEqual({
            by,
            condition,
            facts: { top: row.value, why: own, convert: own },
          });
        }
      }
    }),
  );
});

describe("rows by thread and the samples of no thread add up to the profile", () => {
  it.each(named(drawn("threads", 2)))("%s", async (_, recording) => {
    using library = await openRecording({ name: basename(recording), data: readFileSync(recording) });
    for (const { type, samples, value, threads } of await profilesIn(recording)) {
      if (threads === 0) continue;
      const without = [...library.select(String(type)).samples()].filter(({ thread }) => thread === null);
      const rows = [
        ...(await listOf(recording, type, "thread")),
        ...without.map((s) => ({ samples: 1, value: String(s.value) })),
      ];
      const sum = (of: (row: Row) => bigint) => rows.reduce((all, row) => all + of(row), 0n);
      const sums = [sum((row) => BigInt(row.samples)), sum((row) => BigInt(row.value))].map(String);
      expect([type, ...sums]).toEqual([type, String(samples), String(value)]);
    }
  });
});

describe("the two halves of a filter are the whole", () => {
  const kinds = FILTER_KINDS.filter((kind) => typeof HALVES[kind] === "function");
  const trials = kinds.flatMap((kind) => named(drawn(`halves ${kind}`, 2)).map((input) => [kind, ...input] as const));
  it.each(trials)("%s of %s", async (kind, name, recording) => {
    const random = randomOf(`halves ${kind} ${name}`);
    const halves = HALVES[kind];
    if (typeof halves === "string") return;
    const profiles = await profilesIn(recording);
    for (const { type, samplesWithAttribute } of some(random, profiles, IS_WHOLE ? profiles.length : 2)) {
      const of = ["--type", String(type)];
      const top = await asked("top", recording, ...of, "--limit", "30");
      const frames = top.frames as { name: string }[];
      const [key] = some(random, Object.keys(samplesWithAttribute as object), 1);
      const [value] = key === undefined ? [] : some(random, await listOf(recording, type, `attr:${key}`), 1);
      const why = await asked("why", recording, ...of);
      const time = why.time as { startUnixNano: string; durationNano: string };
      const parts = halves({
        name: some(random, frames, 1)[0]?.name.replace(/[^\w.]/g, ".") ?? "x",
        middle: String(BigInt(time.startUnixNano) + BigInt(time.durationNano) / BigInt(2 + random.below(3))),
        attribute: key === undefined || value === undefined ? null : [key, String(value.key)],
      });
      if (parts === null) continue;
      const sums = await Promise.all(parts.map((part) => totalOf(recording, ...of, ...part)));
      expect([kind, type, parts, sums.reduce((a, b) => a + b)]).toEqual([
        ...[kind, type, parts],
        BigInt(String(top.total)),
      ]);
    }
  });
});
