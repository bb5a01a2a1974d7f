/**
 * The fuzzer of data sets' state (docs/fuzzing.md): writers, claims, commits and manifests of strangers, damaged
 * blindly, at their values and in their names, with links. Whatever they are, files outside stay as they are, parts
 * that no sound commit names stay, sound commits are completed, and the next writer finds nothing left to do.
 */
import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { PARTS_FILE } from "../../src/core/tables/data-sets.ts";
import { DataSet } from "../../src/fleet/data-set.ts";
import { completeParts } from "../../src/fleet/data-set-files.ts";
import { COMMIT_CLAIM, isPart } from "../../src/fleet/data-set-names.ts";
import { datesText, listPath, partsText } from "../../src/fleet/parquet/part-lists.ts";
import { type Part, pathOf } from "../../src/fleet/parquet/parts.ts";
import { TABLES } from "../../src/fleet/parquet/schema.ts";
import { OutsideError } from "../../src/node/disk.ts";
import { UsageError } from "../../src/node/exit.ts";
import { Random } from "../kit/random.ts";
import { damageBlindly } from "./damage.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const { said } = vi.hoisted(() => ({ said: [] as string[] }));
vi.mock(import("../../src/node/terminal.ts"), async (original) => ({
  ...(await original()),
  say: (line: string) => {
    said.push(line);
  },
}));

const DATE = "2026-11-23";
const hex = (random: Random, digits: number) =>
  Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
const PATHS = [
  "../victim/a",
  join(tmpdir(), "spanflame-fuzz-none"),
  "..",
  ".",
  "",
  "samples",
  "spanflame.json",
  "a\u0000",
  "\\..\\x",
];

interface StateCase extends FuzzCase {
  /** Links by their place, to the folder or a file outside. */
  links: { at: string; to: "victim" | "victim/a" }[];
  /** Steps of commits that nothing was done to, by writer. */
  sound: { from: string | null; to: string }[];
}

function make(seed: number, index: number): StateCase {
  const random = new Random(seed, index);
  const files = new Map<string, string>();
  const sound: StateCase["sound"] = [];
  const said: string[] = [];
  const part = () => {
    const { name } = random.pick(TABLES);
    return `${name}/date=${DATE}/${DATE}-${hex(random, 16)}.parquet`;
  };
  for (let i = random.below(4); i >= 0; i--) files.set(part(), `part ${i}`);
  for (let i = random.below(3); i >= 0; i--) {
    const writer = hex(random, 16);
    const moves: StateCase["sound"] = [];
    for (let m = random.below(4); m >= 0; m--) {
      const own = `_spanflame/files/${writer}/${hex(random, 16)}`;
      const old = [...files.keys()].filter((name) => !name.startsWith("_") && !sound.some(({ to }) => to === name));
      if (random.one(3) && old.length > 0) moves.push({ from: null, to: random.pick(old) });
      else {
        files.set(own, `rows of ${own}`);
        moves.push({ from: own, to: part() });
      }
    }
    const recordings = [{ sha256: hex(random, 64), file: "a.jfr", bytes: random.below(1 << 30) }];
    const commit = { recordings, files: moves as unknown[] };
    const isSound = random.one(2);
    if (isSound) sound.push(...moves);
    else damage(commit, random, said);
    let text = JSON.stringify(commit);
    if (!isSound && random.one(3)) {
      const bytes = new TextEncoder().encode(text);
      text = new TextDecoder().decode(damageBlindly(bytes, random, bytes)[1]);
      said.push("bytes of a commit");
    }
    files.set(`_spanflame/commits/${writer}-${hex(random, 8)}${i}`, text);
    const facts = random.one(4) ? "{" : JSON.stringify({ host: "another", pid: 1, start: "" });
    files.set(`_spanflame/writers/${random.one(6) ? `${hex(random, 16)}~${writer}` : writer}`, facts);
    const claim = random.one(4) ? COMMIT_CLAIM : hex(random, 64);
    files.set(`_spanflame/claims/${claim}`, random.pick([writer, "", ...PATHS]));
  }
  while (random.one(2)) {
    const folder = random.pick(["writers", "claims", "commits", "done", "files"]);
    const name = random.pick(["x~..", "..~x", "zz", `${hex(random, 16)}~..`, hex(random, 16), `.${hex(random, 8)}`]);
    files.set(
      `_spanflame/${folder}/${name}`,
      random.pick(["", "{}", "null", '{"recordings":[],"files":[]}', "[".repeat(9)]),
    );
    said.push(`${folder}/${name}`);
  }
  if (random.one(3)) addLists(files, random, said);
  const links: StateCase["links"] = [];
  while (random.one(3)) {
    const place = random.pick([...files.keys()]);
    const isFile = random.one(2);
    links.push({ at: isFile ? place : dirname(place), to: isFile ? "victim/a" : "victim" });
    said.push(`a link at ${links.at(-1)!.at}`);
  }
  const inputs = [...files].map(([name, text]) => ({ name, bytes: new TextEncoder().encode(text) }));
  return { inputs, said, links, sound: links.length > 0 ? [] : sound };
}

/** Lists of parts that no writer of the set made: sound, damaged, and with names that are no parts. */
function addLists(files: Map<string, string>, random: Random, said: string[]): void {
  const name = `${DATE}-${hex(random, 16)}.json`;
  const parts = PATHS.map(
    (path): Part => ({ table: random.one(2) ? "samples" : path, date: DATE, part: path, bytes: 7 }),
  );
  const list = partsText(random.one(2) ? [] : parts.slice(0, random.below(parts.length)));
  const dates = datesText([{ date: DATE, list: random.one(3) ? random.pick(PATHS) : name }]);
  for (const [path, text] of [
    [listPath(name), list],
    [PARTS_FILE, random.one(4) ? list : dates],
  ] as const) {
    const isCut = random.one(4);
    if (!random.one(5)) files.set(path, isCut ? text.slice(0, random.below(text.length)) : text);
  }
  said.push("lists of parts");
}

function damage(commit: { recordings: unknown; files: unknown[] }, random: Random, said: string[]): void {
  const step = commit.files[random.below(commit.files.length)] as Record<string, unknown>;
  const value = random.pick<unknown>([...PATHS, null, 7, [], {}, `${step.to}\n`, String(step.to).toUpperCase()]);
  const how = random.below(6);
  if (how < 3) step.to = value;
  else if (how < 5) step.from = value === null ? "../victim/a" : value;
  else if (random.one(2)) commit.recordings = value;
  else (commit as { files: unknown }).files = value;
  said.push(`commit with ${JSON.stringify(value)}`);
}

/** Files and links of a folder with their content. */
function tree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found.set(path.slice(folder.length + 1), readFileSync(path, "latin1"));
    else if (entry.isSymbolicLink()) found.set(path.slice(folder.length + 1), "link");
  }
  return found;
}

fuzz<StateCase>({
  of: "data-sets",
  cases: 60,
  fresh: 20,
  make,
  async check({ inputs, links, sound }) {
    const around = realpathSync(mkdtempSync(join(tmpdir(), "spanflame-fuzz-")));
    try {
      const set = join(around, "set");
      mkdirSync(join(around, "victim"));
      writeFileSync(join(around, "victim/a"), "precious");
      DataSet.open(set).close();
      const then = new Date(Date.now() - 5 * 3600 * 1000);
      for (const { name, bytes } of inputs) {
        const path = join(set, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, bytes);
        utimesSync(path, then, then);
      }
      for (const { at, to } of links) {
        const path = join(set, at);
        mkdirSync(dirname(path), { recursive: true });
        // Not a link below a link.
        if (realpathSync(dirname(path)) !== dirname(path)) continue;
        rmSync(path, { recursive: true, force: true });
        symlinkSync(join(around, to), path);
      }
      const before = tree(set);
      run(set);
      checkReader(set);
      const outside = tree(join(around, "victim"));
      if (outside.size !== 1 || outside.get("a") !== "precious") throw new Error("files outside have changed");
      if (readdirSync(around).length !== 2) throw new Error(`files beside the data set: ${readdirSync(around)}`);
      const after = tree(set);
      checkParts(before, after, sound);
      run(set);
      const again = tree(set);
      if (JSON.stringify([...again].sort()) !== JSON.stringify([...after].sort())) throw new Error("work was left");
    } finally {
      rmSync(around, { recursive: true });
    }
  },
  async renew() {},
});

/** A writer comes, asks for a recording, and goes. A state that is a link is refused. */
function run(set: string): void {
  try {
    const writer = DataSet.open(set);
    const key = createHash("sha256").update("x").digest("hex");
    if (writer.claim(key) === "mine") writer.unclaim(key);
    writer.close();
  } catch (error) {
    if (!(error instanceof OutsideError || error instanceof UsageError)) throw error;
  }
}

/** Readers refuse the data set with an error that has words, or have parts of it. */
function checkReader(set: string): void {
  try {
    for (const part of completeParts(set)) if (!isPart(pathOf(part))) throw new RangeError(pathOf(part));
  } catch (error) {
    if (!(error instanceof Error) || error instanceof RangeError || error.message === "") throw error;
  }
}

function checkParts(before: Map<string, string>, after: Map<string, string>, sound: StateCase["sound"]): void {
  const isFile = (name: string) => name.endsWith(".parquet");
  const gone = new Set(sound.flatMap(({ from, to }) => (from === null ? [to] : [])));
  // Commits that were damaged may still be sound ones: only such of their writer's files are moved.
  for (const [name, text] of before) {
    if (!isFile(name) || gone.has(name) || text === "link" || after.get(name) === text) continue;
    if (!after.has(name) && sound.length === 0) continue;
    if (after.get(name)?.startsWith("rows of ") !== true && after.has(name)) throw new Error(`${name} was changed`);
  }
  for (const { from, to } of sound) {
    if (from === null || gone.has(to)) continue;
    if (after.get(to) !== `rows of ${from}`) throw new Error(`${to} of a sound commit is not there`);
  }
  for (const [name, text] of after) {
    if (!isFile(name) || before.has(name)) continue;
    if (!/^(samples|stacks|functions|recordings|spans|calls)\/date=[\d-]{10}\/[\w-]+\.parquet$/.test(name))
      throw new Error(`${name} is no place of a part`);
    if (!text.startsWith("rows of ")) throw new Error(`${name} has other rows`);
  }
}
