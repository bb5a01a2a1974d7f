/**
 * What every command answers about recordings, as facts that two sources of the same samples have in common. A command
 * of the table is a question here, or has the reason why it is none.
 */
import { tmpdir } from "node:os";
import { COMMANDS } from "../../src/node/usage/commands.ts";
import type { Random } from "../kit/random.ts";
import { callCli, type Ended } from "../kit/run-cli.ts";

export type Facts = Readonly<Record<string, unknown>>;

/** A part of a recording that is asked about. Ids and names are of the recording itself. */
export interface Subject {
  type: string;
  /** Conditions as options of the command line. */
  filter: readonly string[];
  span: string | null;
  root: string | null;
}

/** The name of a relation's profile: some outputs rename it. */
type Named = (type: string) => string;

interface Question {
  ask(inputs: readonly string[], subject: Subject, named: Named): Promise<Facts>;
}

interface Row {
  [member: string]: unknown;
}

/** Answers about recordings of the project, which no test changes, by the words of the command. */
const known = new Map<string, Promise<Ended>>();

/** The JSON that a command prints; the text of its refusal where it ends otherwise. */
export async function asked(command: string, ...args: readonly string[]): Promise<Row> {
  const words = [command, ...args, "--json", "-q"];
  const key = words.join("\0");
  const answer = known.get(key) ?? callCli(words);
  if (!key.includes(tmpdir())) known.set(key, answer);
  const { code, out, err } = await answer;
  if (code !== 0) return { refused: code, words: err.trim().split("\n").at(-1) };
  return JSON.parse(out.toString()) as Row;
}

const rowsOf = (answer: Row, member: string): Row[] => (answer[member] as Row[] | undefined) ?? [];
/** Rows by the members that name them, without order: rows of one value are in any. */
function table(rows: readonly Row[], key: (row: Row) => unknown, ...members: string[]): Facts {
  return Object.fromEntries(rows.map((row) => [String(key(row)), members.map((member) => row[member])]).sort());
}
const all = ["--limit", "100000"];
const rounded = (value: unknown) => (typeof value === "number" ? Number(value.toPrecision(6)) : value);

/** Lists of `spans --by` that every source has; those of calls are of dumps. */
export const LISTS = ["local-root", "span", "endpoint", "operation", "thread", "library"];

export const QUESTIONS: Readonly<Record<string, Question>> = {
  info: {
    async ask(inputs, { type }, named) {
      const answer = await asked("info", ...inputs);
      const profile = rowsOf(answer, "profiles").find((each) => each.type === named(type)) ?? answer;
      const members = [
        "samples",
        "value",
        "unit",
        "stacks",
        "threads",
        "samplesWithSpan",
        "samplesWithRoot",
        "refused",
      ];
      return Object.fromEntries(members.map((member) => [member, profile[member]]));
    },
  },
  top: {
    async ask(inputs, { type, filter }, named) {
      const answer = await asked("top", ...inputs, "--type", named(type), ...filter, ...all);
      const { total, unit, refused } = answer;
      return { total, unit, refused, ...table(rowsOf(answer, "frames"), ({ name }) => name, "self", "total") };
    },
  },
  spans: {
    async ask(inputs, { type, filter }, named) {
      const lists = await Promise.all(
        LISTS.map(async (by) => {
          const answer = await asked("spans", ...inputs, "--type", named(type), "--by", by, ...filter, ...all);
          return [
            by,
            table(rowsOf(answer, "rows"), ({ hex, key, operation }) => hex ?? key ?? operation, "samples", "value"),
          ];
        }),
      );
      return Object.fromEntries(lists);
    },
  },
  why: {
    async ask(inputs, { type, filter, span }, named) {
      const whole = await asked("why", ...inputs, "--type", named(type), ...filter);
      const own = span === null ? {} : await asked("why", ...inputs, "--span", span);
      return {
        samples: whole.samples,
        value: whole.value,
        refused: whole.refused ?? own.refused,
        findings: rowsOf(whole, "findings")
          .filter(({ profile }) => profile === named(type))
          .map(({ name, amount }) => [name, rounded(amount)]),
        states: rowsOf(own, "states").map((row) => Object.entries(row).map(([key, value]) => [key, rounded(value)])),
        cpu: own.cpu,
      };
    },
  },
  trace: {
    async ask(inputs, { root }) {
      if (root === null) return {};
      const answer = await asked("trace", ...inputs, "--local-root", root);
      return {
        refused: answer.refused,
        ...table(
          rowsOf(answer, "spans"),
          ({ hex, id }) => hex ?? id,
          "operation",
          "startUnixNano",
          "durationNano",
          "samples",
        ),
      };
    },
  },
  symbols: {
    async ask(inputs) {
      const answer = await asked("symbols", ...inputs);
      return table(rowsOf(answer, "libraries"), ({ name, buildId }) => `${name} ${buildId}`, "frames", "weights");
    },
  },
};

/** Commands without an answer of their own about samples. */
export const NO_QUESTION: Readonly<Record<string, string>> = {
  waits: "events of recordings, with addresses and owners that no other format has",
  events: "events of recordings, of any type and with fields that no other format has",
  calls: "of dumps, which no other format holds",
  pauses: "of JFR and dumps: messages have no pauses (docs/formats.md)",
  dictionary: "of dumps",
  diff: "asked by the relation of two sources",
  gate: "asked by the relation of two sources",
  convert: "makes the sources",
  record: "records a process",
  receive: "waits for what others send",
  push: "sends what convert writes",
  export: "asked by the relation of data sets",
  compact: "asked by the relation of data sets",
  remove: "changes a data set (test/fleet/)",
  verify: "reads a data set (test/fleet/)",
  query: "asked by the relation of data sets",
  open: "asked by the relation of data sets",
  symbolize: "of libraries",
  validate: "of one message",
  guide: "prints words",
  schemas: "prints schemas",
  completion: "prints a script",
  help: "prints words",
};

export const COMMAND_NAMES = Object.keys(COMMANDS);

/** Some of a list, drawn once each. */
export function some<T>(random: Random, from: readonly T[], n: number): T[] {
  const left = [...from];
  return Array.from({ length: Math.min(n, left.length) }, () => left.splice(random.below(left.length), 1)[0] as T);
}

/** Profiles of a recording that have samples, by type. */
export async function profilesIn(...inputs: string[]): Promise<Row[]> {
  return rowsOf(await asked("info", ...inputs), "profiles").filter(({ samples }) => Number(samples) > 0);
}

export const wholeOf = (type: string): Subject => ({ type, filter: [], span: null, root: null });

/** Parts of a recording to ask about: a whole profile, one of its requests, one of its spans. */
export async function subjectsOf(input: string, random: Random, n: number): Promise<Subject[]> {
  const types = (await profilesIn(input)).map(({ type }) => String(type));
  const subjects: Subject[] = [];
  for (const type of some(random, types, n)) {
    const list = async (by: string) =>
      rowsOf(await asked("spans", input, "--type", type, "--by", by, "--limit", "20"), "rows").map(({ id }) =>
        String(id),
      );
    const [span = null] = some(random, await list("span"), 1);
    const [root = null] = some(random, await list("local-root"), 1);
    const filter = root !== null && random.one(2) ? ["--local-root", root] : [];
    subjects.push({ type, filter, span, root });
  }
  return subjects;
}
