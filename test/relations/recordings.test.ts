/** A recording in another format, packing, order or number of files has the same answers. */
import { basename, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCli, callCli } from "../kit/run-cli.ts";
import { IS_WHOLE, RECORDINGS, randomOf, withFolder } from "./kit.ts";
import { asked, COMMAND_NAMES, NO_QUESTION, profilesIn, QUESTIONS, some, subjectsOf, wholeOf } from "./questions.ts";
import { held, WAYS, type Way } from "./ways.ts";

beforeAll(() => buildCli(), 120_000);

it("every command is a question, or has the reason why it is none", () => {
  expect([...Object.keys(QUESTIONS), ...Object.keys(NO_QUESTION)].sort()).toEqual([...COMMAND_NAMES].sort());
});

it("what a format lacks is a fact of a question", () => {
  const lacks = WAYS.flatMap((way) => way.lacks ?? []);
  expect(lacks.filter(({ question }) => !Object.hasOwn(QUESTIONS, question))).toEqual([]);
});

interface Profile {
  type: string;
  stacks: number;
  threads: number;
  samples: number;
  value: string;
  periods?: readonly unknown[];
  meaning: { kind: string };
}

/**
 * The types that the profiles of a recording have in another form: by name; where names are of a preset, that with as
 * many stacks that is most alike. Null where a preset has a profile for each of its periods (docs/otlp.md).
 */
async function typesOf(recording: string, inputs: string[], { isRenamed = false }: Way) {
  const [own, other] = (await Promise.all([profilesIn(recording), profilesIn(...inputs)])) as unknown as Profile[][];
  const alike = (a: Profile, b: Profile) =>
    Number(a.meaning.kind === b.meaning.kind) * 2 +
    [a.threads === b.threads, a.samples === b.samples, a.value === b.value].filter(Boolean).length;
  return new Map<string, string | null>(
    own!.map((profile) => {
      const { type, stacks, periods = [] } = profile;
      const [same] = other!
        .filter((each) => each.stacks === stacks)
        .sort((a, b) => alike(b, profile) - alike(a, profile));
      const named = isRenamed ? undefined : other!.find((each) => each.type === type);
      if (isRenamed && periods.length > 1) return [type, null];
      return [type, (named ?? same)?.type ?? type];
    }),
  );
}

describe.each(WAYS)("$name", (way) => {
  const random = randomOf(way.name);
  it.each(some(random, RECORDINGS, IS_WHOLE ? RECORDINGS.length : 1).map((path) => [basename(path), path]))(
    "%s",
    (_, recording) =>
      withFolder(async (folder) => {
        const inputs = await way.make(recording, folder);
        if (inputs.length === 0) return;
        const types = await typesOf(recording, inputs, way);
        const questions = Object.entries(QUESTIONS);
        const parts = await subjectsOf(recording, random, IS_WHOLE ? 4 : 1);
        const subjects = way.hasThreadsOnly ? parts.map(({ type }) => wholeOf(type)) : parts;
        expect(subjects.length).toBeGreaterThan(0);
        for (const subject of subjects) {
          if (types.get(subject.type) === null) continue;
          for (const [name, question] of IS_WHOLE ? questions : some(random, questions, 4)) {
            const [own, other] = [
              await question.ask([recording], subject, (type) => type),
              await question.ask(inputs, subject, (type) => types.get(type) ?? type),
            ].map((facts) => held(facts, name, way));
            expect({ name, subject, facts: other }).toEqual({ name, subject, facts: own });
          }
        }
      }),
  );
});

interface Change {
  significant: boolean;
}
interface Compared {
  self: Change;
  total: Change;
}

describe("two sources of the same samples", () => {
  const random = randomOf("diff");
  const ways = some(random, WAYS, IS_WHOLE ? WAYS.length : 3);
  it.each(ways)("diff finds no change: $name", (way) =>
    withFolder(async (folder) => {
      const [recording = ""] = some(random, RECORDINGS, 1);
      const inputs = await way.make(recording, folder);
      if (inputs.length !== 1) return;
      const [profile] = some(random, await profilesIn(recording), 1);
      const type = String(profile?.type);
      const answer = await asked("diff", recording, ...inputs, "--type", type, "--per", "share");
      const rows = [answer.total, ...((answer.rows ?? []) as Compared[]).flatMap(({ self, total }) => [self, total])];
      expect([answer.refused, rows.filter((row) => (row as Change | null)?.significant)]).toEqual([undefined, []]);
    }),
  );
});

describe("a data set has the observations and values of its recordings", () => {
  const random = randomOf("data set");
  it.each(some(random, RECORDINGS, IS_WHOLE ? RECORDINGS.length : 1).map((path) => [basename(path), path]))(
    "%s",
    (_, recording) =>
      withFolder(async (folder) => {
        const set = join(folder, "set");
        const { code, err } = await callCli(["export", recording, "--parquet", set, "-q"]);
        expect([code, err]).toEqual([0, ""]);
        const sql = "SELECT profile_type, count(*) AS n, sum(value) AS value FROM samples GROUP BY 1";
        const answer = await asked("query", set, sql);
        const rows = (answer.rows ?? []) as Record<string, unknown>[];
        const profiles = await profilesIn(recording);
        expect(Object.fromEntries(rows.map((row) => [row.profile_type, [Number(row.n), String(row.value)]]))).toEqual(
          Object.fromEntries(profiles.map(({ type, samples, value }) => [type, [Number(samples), String(value)]])),
        );
      }),
  );
});
