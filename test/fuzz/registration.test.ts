/**
 * The fuzzer of registration (docs/fuzzing.md): a data set is exported to, merged, removed from, damaged and handed
 * over, while the script of examples/iceberg takes its parts, in runs that are killed, twice at once, or with --keep,
 * and while the table is rewritten and rows are deleted. The table has each row once.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { completeParts } from "../../src/fleet/data-set-files.ts";
import { pathOf } from "../../src/fleet/parquet/parts.ts";
import { ProfileBuilder } from "../../src/library/builder/builder.ts";
import { ICEBERG, PYTHON, REGISTER } from "../kit/iceberg.ts";
import { loadCore } from "../kit/open-recording.ts";
import { Random } from "../kit/random.ts";
import { buildCli, callCli } from "../kit/run-cli.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

/** Runs the jobs of each line at once, each in a fork of this process: to load pyiceberg takes seconds. */
const SERVER = `
import json, os, runpy, sys, tempfile
from pathlib import Path
import pyarrow.parquet, sqlite3
import pyiceberg.io.pyarrow, pyiceberg.expressions, pyiceberg.exceptions
from pyiceberg.catalog.sql import SqlCatalog

def job(code, args, die):
    steps = iter(range(1, 1 << 30))
    def step():
        if next(steps) == die:
            os._exit(9)
    def watch(owner, name):
        original = getattr(owner, name)
        def watched(*args, **named):
            step()
            answer = original(*args, **named)
            step()
            return answer
        setattr(owner, name, watched)
    if die:
        for owner, name in [(SqlCatalog, "commit_table"), (Path, "write_text"), (Path, "replace"),
                            (pyiceberg.io.pyarrow.PyArrowFileIO, "new_output")]:
            watch(owner, name)
    sys.argv = args
    if code:
        exec(code, {"argv": args})
    else:
        runpy.run_path(args[0], run_name="__main__")

def start(code, args, die):
    out = tempfile.TemporaryFile()
    child = os.fork()
    if child:
        return child, out
    os.dup2(out.fileno(), 1)
    os.dup2(out.fileno(), 2)
    status = 0
    try:
        job(code, args, die)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1 if end.code else 0
        if status == 1:
            print(end.code)
    except BaseException:
        import traceback
        traceback.print_exc()
        status = 70
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

for line in sys.stdin:
    answers = []
    for child, out in [start(*each) for each in json.loads(line)]:
        _, status = os.waitpid(child, 0)
        out.seek(0)
        answers.append([os.waitstatus_to_exitcode(status), out.read().decode(errors="replace")])
    print(json.dumps(answers), flush=True)
`;
/** Runs a statement on the table of samples; prints rows by service, their values, and samples without a stack. */
const ASK = `
import collections, json
from pyiceberg.catalog.sql import SqlCatalog
catalog = SqlCatalog("spanflame", uri=f"sqlite:///{argv[1]}/catalog.db")
names = {name for _, name in catalog.list_tables("profiles")} if catalog.list_namespaces() else set()
samples = catalog.load_table("profiles.samples") if "samples" in names else None
if samples is not None:
    exec(argv[2])
def rows(name, *columns):
    if name not in names:
        return []
    return catalog.load_table(f"profiles.{name}").scan(selected_fields=columns).to_arrow().to_pylist()
stacks = {(row["part"], row["stack_id"]) for row in rows("stacks", "part", "stack_id")}
own = rows("samples", "service", "value", "part", "stack_id")
print(json.dumps({
    "rows": collections.Counter(row["service"] for row in own),
    "values": sum(row["value"] for row in own),
    "recordings": collections.Counter(row["service"] for row in rows("recordings", "service")),
    "loose": sum((row["part"], row["stack_id"]) not in stacks for row in own),
}))
`;

type Job = [code: string, args: string[], die: number];

class Python {
  private readonly child: ChildProcess = spawn(PYTHON, ["-c", SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  private readonly lines: AsyncIterator<string>;

  constructor() {
    const lines: Interface = createInterface({ input: this.child.stdout! });
    this.lines = lines[Symbol.asyncIterator]();
  }

  async run(...jobs: Job[]): Promise<[code: number, words: string][]> {
    this.child.stdin!.write(`${JSON.stringify(jobs)}\n`);
    const { value, done } = await this.lines.next();
    if (done === true) throw new Error("Python has ended");
    return JSON.parse(value);
  }

  end(): void {
    this.child.kill();
  }
}

const DAY_MS = 86_400_000;
const NANOS_OF_MS = 1_000_000n;
/** Ages in days of the recordings. Two are of one day. */
const AGES = [1, 5, 9, 1, 5, 9];

/** Recording i is of service si, and has 2^i samples: a sum tells which they are. */
interface Own {
  age: number;
  /** The data set has its rows; it knows the recording. */
  isIn: boolean;
  isKnown: boolean;
  /** The catalogue has its part, and so many samples of it. */
  isTaken: boolean;
  rows: number;
  /** `remove --registered` removes it. */
  isMarked: boolean;
  /** It may do so: a run that wants the part was killed. */
  mayBeMarked: boolean;
}

interface RegistrationCase extends FuzzCase {
  steps: { do: string; with: number[] }[];
}

const STEPS = ["export", "export", "export", "compact", "remove", "hand over", "register", "register", "killed"];
const MORE = ["killed", "twice", "beside an export", "keep", "rewrite", "delete", "expire", "damaged", "stray"];

function make(seed: number, index: number): RegistrationCase {
  const random = new Random(seed, index);
  const steps = Array.from({ length: 3 + random.below(6) }, () => ({
    do: random.pick([...STEPS, ...MORE]),
    with: Array.from({ length: 4 }, () => random.next()),
  }));
  // The first export has a recording, so that there is a data set.
  steps.unshift({ do: "export", with: [random.next() | 1] });
  steps.push({ do: "register", with: [] });
  return { inputs: [], said: steps.map((step) => `${step.do} ${step.with}`), steps };
}

const counts = { runs: 0, kills: 0, damaged: 0 };

class Model {
  readonly set: string;
  readonly warehouse: string;
  readonly own: Own[] = AGES.map((age) => {
    const none = { isIn: false, isKnown: false, isTaken: false, isMarked: false, mayBeMarked: false };
    return { age, rows: 0, ...none };
  });
  private readonly files: string[];
  private readonly python: Python;
  private words = "";

  constructor(around: string, files: string[], python: Python) {
    [this.set, this.warehouse] = [join(around, "set"), join(around, "warehouse")];
    [this.files, this.python] = [files, python];
  }

  private get isRegistered(): boolean {
    return existsSync(join(this.set, "_spanflame", "registered"));
  }

  /** Runs of the script, at once. */
  private async register(count = 1, options: string[] = [], die = 0): Promise<number[]> {
    const args = [REGISTER, this.set, this.warehouse, ...options];
    const ended = await this.python.run(...Array.from({ length: count }, (): Job => ["", args, die]));
    counts.runs += count;
    const wrong = ended.find(([code]) => ![0, 3, 9].includes(code));
    if (wrong !== undefined) throw new Error(`register.py ends with ${wrong[0]}: ${wrong[1]}`);
    this.words = ended.map(([, words]) => words).join("");
    return ended.map(([code]) => code);
  }

  private taken(keep = Number.POSITIVE_INFINITY): void {
    for (const [i, own] of this.own.entries()) {
      [own.isMarked, own.mayBeMarked] = [own.isIn, own.isIn];
      if (own.age > keep) Object.assign(own, { isTaken: false, rows: 0 });
      else if (own.isIn && !own.isTaken) Object.assign(own, { isTaken: true, rows: 2 ** i });
    }
  }

  private async export(chosen: number): Promise<void> {
    const files = this.files.filter((_, i) => (chosen >> i) & 1);
    if (files.length === 0) return;
    await succeed("export", ...files, "--parquet", this.set);
    for (const [i, own] of this.own.entries())
      if ((chosen >> i) & 1 && !own.isKnown) Object.assign(own, { isIn: true, isKnown: true });
  }

  /** What the tables have; `run`: a statement on the samples before. */
  private async ask(run = "") {
    const [[code, words] = [0, ""]] = await this.python.run([ASK, ["", this.warehouse, run], 0]);
    if (code !== 0) throw new Error(`a question ends with ${code}: ${words}`);
    return JSON.parse(words.trim().split("\n").at(-1)!) as {
      rows: Record<string, number>;
      values: number;
      recordings: Record<string, number>;
      loose: number;
    };
  }

  /** The run may have taken a part or not: the table tells it. */
  private async adopt(): Promise<void> {
    const { rows } = await this.ask();
    for (const [i, own] of this.own.entries()) {
      if (own.isIn && !own.isTaken && rows[`s${i}`] === 2 ** i) Object.assign(own, { isTaken: true, rows: 2 ** i });
      // Without --keep the run takes what one with it left out.
      if (!own.isTaken) own.isMarked = false;
    }
  }

  async check(isWhole: boolean, run = ""): Promise<void> {
    const { rows, values, recordings, loose } = await this.ask(run);
    const wanted = this.own.flatMap((own, i) => (own.rows > 0 ? [`s${i} ${own.rows}`] : []));
    const found = Object.entries(rows).map(([service, count]) => `${service} ${count}`);
    if (found.sort().join() !== wanted.sort().join()) throw new Error(`samples: ${found}, not ${wanted}`);
    if (values !== this.own.reduce((sum, own) => sum + own.rows, 0)) throw new Error(`values: ${values}`);
    if (loose > 0) throw new Error(`${loose} samples have no stack`);
    const taken = this.own.flatMap(({ isTaken }, i) => (isTaken ? [`s${i} 1`] : []));
    const named = Object.entries(recordings).map(([service, count]) => `${service} ${count}`);
    if (isWhole && named.sort().join() !== taken.join()) throw new Error(`recordings: ${named}, not ${taken}`);
  }

  /** Whether the tables are those of the last whole run. */
  async step(name: string, [first = 0, second = 0, third = 0]: number[]): Promise<boolean> {
    const which = first % AGES.length;
    if (name === "export") await this.export(first);
    else if (name === "compact") await this.refused("compact", this.set);
    else if (name === "remove") await this.remove(which);
    else if (name === "hand over") await this.handOver();
    else if (name === "register") await this.whole(1);
    else if (name === "twice") await this.whole(2 + (first % 2));
    else if (name === "keep") await this.whole(1 + (second % 2), [3, 7][first % 2], third % 3 === 0 ? third % 40 : 0);
    else if (name === "beside an export")
      await Promise.all([this.register(), this.export(first)]).then(() => this.whole(1));
    else if (name === "killed") return this.killed(1 + (first % 60));
    else if (name === "damaged") await this.damaged(new Random(first, second));
    else if (name === "stray") this.stray(first, second);
    else if (this.isRegistered) await this.inTable(name, which);
    return true;
  }

  private async whole(count: number, keep?: number, die = 0): Promise<void> {
    const options = keep === undefined ? [] : ["--keep", String(keep)];
    if (die > 0) {
      await this.register(1, options, die);
      const { loose } = await this.ask();
      if (loose > 0) throw new Error(`${loose} samples have no stack after a run that was killed`);
    }
    const codes = await this.register(count, options);
    if (codes.some((code) => code !== 0)) throw new Error(`register.py ends with ${codes}: ${this.words}`);
    this.taken(keep);
  }

  private async killed(die: number): Promise<boolean> {
    const [code] = await this.register(1, [], die);
    if (code === 9) counts.kills++;
    else this.taken();
    await this.adopt();
    return code !== 9;
  }

  /** Commands that a registered data set refuses. */
  private async refused(...args: string[]): Promise<boolean> {
    const { code, err } = await callCli(args);
    if (this.isRegistered ? code !== 2 : code !== 0 && code !== 1)
      throw new Error(`${args[0]} ends with ${code}: ${err}`);
    return this.isRegistered;
  }

  private async remove(which: number): Promise<void> {
    if (await this.refused("remove", this.set, "--service", `s${which}`)) return;
    Object.assign(this.own[which]!, { isIn: false, isKnown: false });
  }

  /** Of a run that was killed, the parts that are marked are those of before or those of all. */
  private async handOver(): Promise<void> {
    const { code, out, err } = await callCli(["remove", this.set, "--registered", "--json"]);
    if (!this.isRegistered) {
      if (code === 0) throw new Error("remove --registered without a catalogue");
      return;
    }
    const { samples } = JSON.parse(out.toString() || "{}");
    if (code !== 0 && samples !== 0) throw new Error(`remove --registered ends with ${code}: ${err}`);
    const gone = this.own.filter((own, i) => own.isIn && (samples >> i) & 1);
    const sum = this.own.reduce((all, own, i) => all + (gone.includes(own) ? 2 ** i : 0), 0);
    const isMarked = (own: Own) => own.mayBeMarked || own.isTaken;
    if (
      sum !== samples ||
      !gone.every(isMarked) ||
      this.own.some((own) => own.isIn && own.isMarked && !gone.includes(own))
    )
      throw new Error(`remove --registered removes ${samples} samples`);
    for (const own of gone) own.isIn = false;
  }

  private stray(first: number, second: number): void {
    const parts = completeParts(this.set);
    if (parts.length === 0) return;
    const part = parts[first % parts.length]!;
    const to = join(
      this.set,
      part.table,
      second % 2 ? `date=${part.date}` : "date=2026-01-01",
      `stray-${second}.parquet`,
    );
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(this.set, pathOf(part)), to);
  }

  /** A file is cut, absent, changed or another one during a run. Its part is left out, unless the table has it. */
  private async damaged(random: Random): Promise<void> {
    const parts = completeParts(this.set);
    if (parts.length === 0) return;
    const path = join(this.set, pathOf(random.pick(parts)));
    const bytes = new Uint8Array(readFileSync(path));
    if (random.one(4)) rmSync(path);
    else if (random.one(3)) writeFileSync(path, bytes.subarray(0, random.below(bytes.length)));
    else if (random.one(2)) copyFileSync(join(this.set, pathOf(random.pick(parts))), path);
    else {
      const at = random.below(bytes.length);
      writeFileSync(path, bytes.with(at, bytes[at]! ^ (1 << random.below(8))));
    }
    const [code] = await this.register();
    if (code === 3) counts.damaged++;
    writeFileSync(path, bytes);
    await this.whole(1);
  }

  private async inTable(name: string, which: number): Promise<void> {
    if (name === "rewrite") await this.check(false, "samples.overwrite(samples.scan().to_arrow())");
    else if (name === "expire") {
      const now = "__import__('datetime').datetime.now()";
      await this.check(false, `samples.maintenance.expire_snapshots().older_than(${now}).commit()`);
    } else {
      this.own[which]!.rows = 0;
      await this.check(false, `samples.delete("service = 's${which}'")`);
    }
  }
}

async function succeed(...args: string[]): Promise<void> {
  const { code, err } = await callCli(args);
  if (code !== 0) throw new Error(`${args[0]} ends with ${code}: ${err}`);
}

const folder = mkdtempSync(join(tmpdir(), "spanflame-registration-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A file of each recording. */
async function recordings(): Promise<string[]> {
  const files: string[] = [];
  for (const [i, age] of AGES.entries()) {
    const builder = await ProfileBuilder.with(loadCore);
    const lines = [{ function: builder.function({ name: `work ${i}` }), line: 1 }];
    const stack = builder.stack([builder.location({ lines })]);
    const resource = builder.resource({ "service.name": `s${i}` });
    const rows = builder.profile({ type: "cpu", unit: "count", resource });
    const noon = (Math.floor(Date.now() / DAY_MS) - age + 0.5) * DAY_MS;
    for (let n = 0; n < 2 ** i; n++) rows.add({ stack, time: BigInt(noon) * NANOS_OF_MS + BigInt(n) });
    files.push(join(folder, `${i}.pb`));
    writeFileSync(files.at(-1)!, builder.write("otlp").bytes);
    builder.close();
  }
  return files;
}

let python: Python | null = null;
let files: Promise<string[]> | null = null;
process.on("exit", () => python?.end());

async function check({ steps }: RegistrationCase): Promise<void> {
  await buildCli();
  python ??= new Python();
  files ??= recordings();
  const around = mkdtempSync(join(folder, "case-"));
  const model = new Model(around, await files, python);
  mkdirSync(model.warehouse);
  for (const step of steps) {
    const isWhole = await model.step(step.do, step.with);
    await model.check(isWhole && /register|twice|keep|damaged|beside/.test(step.do));
  }
  rmSync(around, { recursive: true });
}

ICEBERG.describe("Iceberg", () =>
  fuzz<RegistrationCase>({
    of: "registration",
    runsPrograms: true,
    cases: 2,
    fresh: 1,
    make,
    check,
    renew: async () => {
      python?.end();
      python = null;
    },
    summary: () => `${counts.runs} runs, ${counts.kills} of them killed, ${counts.damaged} with a damaged part`,
  }),
);
