/**
 * The fuzzer of copies of a data set (docs/fuzzing.md). Writers add, merge and remove parts, and some die in the middle
 * of a commit. A copy takes files in any order, also while they are written, and stops anywhere; it never deletes. It
 * has one state that the data set had, or is refused; a copy that was made to its end has the last one.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import { DataSet } from "../../src/fleet/data-set.ts";
import { completeParts } from "../../src/fleet/data-set-files.ts";
import type { Batch } from "../../src/fleet/data-set-names.ts";
import { pathOf } from "../../src/fleet/parquet/parts.ts";
import { Random } from "../kit/random.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

/** Steps on the disk until a writer is dead, which does nothing more; 0 for never. */
const { life } = vi.hoisted(() => ({ life: { steps: 0, isOver: false } }));
class Dead extends Error {}
vi.mock(import("../../src/node/disk.ts"), async (original) => {
  const own = await original();
  const step = () => {
    if (life.steps > 0 && --life.steps === 0) life.isOver = true;
    if (life.isOver) throw new Dead("the writer is dead");
  };
  class Folder extends own.Folder {
    override move(from: string, to: string): boolean {
      step();
      return super.move(from, to);
    }
    override replace(below: string, content: string | Uint8Array): void {
      step();
      super.replace(below, content);
    }
    override remove(below: string): void {
      step();
      super.remove(below);
    }
    override removeFolder(below: string): void {
      step();
      super.removeFolder(below);
    }
  }
  return { ...own, Folder };
});
// No machine fails here, and most of the time is the disk's.
vi.mock(import("node:fs"), async (original) => ({ ...(await original()), fsyncSync: () => {} }));
vi.mock(import("../../src/node/terminal.ts"), async (original) => ({ ...(await original()), say: () => {} }));

const DATES = ["2026-11-22", "2026-11-23", "2026-11-24"];
const TABLES = ["samples", "stacks", "recordings"];
const MOST_STEPS = 25;
const answered = { right: 0, refused: 0, deaths: 0 };

interface CopyCase extends FuzzCase {
  seed: number;
  index: number;
}

/** Rows by recording, as the parts of a folder have them. */
const rowsIn = (folder: string) =>
  completeParts(folder)
    .filter(({ table }) => table === "samples")
    .flatMap((part) => readFileSync(join(folder, pathOf(part)), "utf8").split("\n"))
    .sort()
    .join();

class Source {
  readonly folder: string;
  /** All states, and the rows by date and part. */
  readonly states = new Set([""]);
  private parts = new Map<string, string[]>();
  private readonly random: Random;
  private made = 0;

  constructor(folder: string, random: Random) {
    this.folder = folder;
    this.random = random;
    DataSet.open(folder).close();
  }

  get last(): string {
    return [...this.parts.values()].flat().sort().join();
  }

  /** A batch is added, merged or removed. A writer that stops is followed by another one. */
  change(): void {
    const set = DataSet.open(this.folder);
    const files: Batch["files"] = [];
    const next = new Map(this.parts);
    const date = this.random.pick(DATES);
    const old = [...this.parts.keys()].filter((path) => path.startsWith(date));
    const add = (on: string, rows: string[]) => {
      const part = `${on}-${String(this.made++).padStart(16, "0")}`;
      for (const table of TABLES) {
        const file = set.newFile();
        file.write(new TextEncoder().encode(table === "samples" ? rows.join("\n") : part));
        file.close();
        files.push({ from: file.path, to: `${table}/date=${on}/${part}.parquet` });
      }
      next.set(part, rows);
    };
    const take = (part: string) => {
      const on = part.slice(0, 10);
      for (const table of TABLES) files.push({ from: null, to: `${table}/date=${on}/${part}.parquet` });
      next.delete(part);
      return this.parts.get(part)!;
    };
    if (old.length > 1 && this.random.one(2)) add(date, old.flatMap(take));
    else if (old.length > 0 && this.random.one(3)) for (const each of this.parts.keys()) take(each);
    else for (const on of DATES.filter((each) => each === date || this.random.one(3))) add(on, [`row ${this.made}`]);
    const before = this.batches();
    if (this.random.one(3)) life.steps = 1 + this.random.below(MOST_STEPS);
    try {
      set.commit({ recordings: [], files });
    } catch (error) {
      if (!(error instanceof Dead)) throw error;
    }
    const isDead = life.isOver;
    Object.assign(life, { steps: 0, isOver: false });
    // It counts from the moment at which its record is among the commits.
    if (this.batches() > before) {
      this.parts = next;
      this.states.add(this.last);
    }
    if (isDead) {
      answered.deaths++;
      const facts = join(this.folder, "_spanflame/writers", set.writer);
      writeFileSync(facts, JSON.stringify({ host: "another", pid: 1, start: "" }));
      utimesSync(facts, 1, 1);
      DataSet.open(this.folder).close();
    } else set.close();
    const rows = rowsIn(this.folder);
    if (rows !== this.last) throw new Error(`the data set has ${rows}, not ${this.last}`);
  }

  private batches(): number {
    return ["commits", "done"].reduce(
      (sum, name) => sum + readdirSync(join(this.folder, "_spanflame", name)).length,
      0,
    );
  }
}

/** Copies files that are new or other ones, in any order, and up to `share` of them. `meanwhile`: after each file. */
function copy(from: string, to: string, random: Random, share: number, meanwhile: () => void): void {
  const files = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("_spanflame"))
    .map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1));
  const order = files.map((name) => ({ name, at: random.next() })).sort((a, b) => a.at - b.at);
  for (const { name } of order.slice(0, Math.ceil(order.length * share))) {
    const [source, target] = [join(from, name), join(to, name)];
    meanwhile();
    // It may have been removed or merged since.
    if (!existsSync(source)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(source, target);
  }
}

fuzz<CopyCase>({
  of: "copies",
  cases: 6,
  fresh: 3,
  make: (seed, index) => ({ inputs: [], said: [], seed, index }),
  async check({ seed, index }) {
    const random = new Random(seed, index);
    const around = mkdtempSync(join(tmpdir(), "spanflame-copies-"));
    try {
      const source = new Source(join(around, "set"), random);
      const to = join(around, "copy");
      for (let round = 0; round < 6; round++) {
        for (let i = random.below(4); i >= 0; i--) source.change();
        const isBusy = random.one(3);
        const share = random.one(2) ? 1 : random.below(100) / 100;
        copy(source.folder, to, random, share, () => {
          if (isBusy && random.one(8)) source.change();
        });
        const rows = answerOf(to);
        if (rows !== null && !source.states.has(rows))
          throw new Error(`the copy has ${rows}, as the data set never had`);
        if (share === 1 && !isBusy && rows !== source.last)
          throw new Error(`a whole copy has ${rows}, not ${source.last}`);
        answered[rows === null ? "refused" : "right"]++;
      }
    } finally {
      rmSync(around, { recursive: true });
    }
  },
  async renew() {},
  summary: () => `${answered.right} copies are right, ${answered.refused} are refused; ${answered.deaths} writers died`,
});

/** Rows of a copy; null if it is refused. */
function answerOf(folder: string): string | null {
  try {
    return rowsIn(folder);
  } catch (error) {
    if (error instanceof Error && /not complete/.test(error.message)) return null;
    throw error;
  }
}
