/**
 * Runs a fuzzer (docs/fuzzing.md): in `npm test` a number of cases of a fixed seed and some of a fresh one, which is
 * printed; by `npm run fuzz` as many of one seed as there is time for, or one case. Case M of seed N is the same
 * whenever it runs.
 */
import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { isSkipped } from "../kit/needs.ts";

export interface FuzzCase {
  inputs: { name: string; bytes: Uint8Array }[];
  /** What was done, in words. */
  said: string[];
}

export interface Fuzzer<C extends FuzzCase> {
  /** As `npm run fuzz -- --of` names it. */
  of: string;
  /** Cases of the fixed seed and of a fresh one in `npm test`: counted, not timed. */
  cases: number;
  fresh: number;
  /** A case runs other programs. */
  runsPrograms?: true;
  make(seed: number, index: number): C;
  /** Throws the fault, if there is one. */
  check(one: C): Promise<void>;
  /** New cores, after a failure: a trap leaves a core in no state to go on with. */
  renew(): Promise<void>;
  /** A few words on the whole run. */
  summary?(): string;
}

const FIXED_SEED = 20240229;
const FAILURES_KEPT = 20;
const HANG_MS = 60_000;
/** Of a case that runs other programs, which wait for a processor like this one. */
const SLOW_HANG_MS = 300_000;

const { FUZZ_SEED, FUZZ_CASE, FUZZ_SECONDS } = process.env;
/** Skipped long work (scripts/long-work.mjs) leaves a tenth of the cases. */
const SHARE = isSkipped("fuzz") ? 0.1 : 1;

/** A thread that sees a case which does not end: it names the case, and ends the process. */
function watchHangs(
  { of, runsPrograms }: Pick<Fuzzer<FuzzCase>, "of" | "runsPrograms">,
  seed: number,
): { at(index: number): void; end(): Promise<number> } {
  const shared = new Int32Array(new SharedArrayBuffer(4)).fill(-1);
  const again = `npm run fuzz -- --of ${of} --seed ${seed} --case `;
  const code = `const { workerData: { shared, ms, again } } = require("node:worker_threads");
    for (;;) {
      const index = Atomics.load(shared, 0);
      if (Atomics.wait(shared, 0, index, ms) !== "timed-out" || index < 0) continue;
      require("node:fs").writeSync(2, "\\nfuzz: hangs: " + again + index + "\\n");
      process.kill(process.pid, "SIGKILL");
    }`;
  const ms = runsPrograms === true ? SLOW_HANG_MS : HANG_MS;
  const worker = new Worker(code, { eval: true, workerData: { shared, ms, again } });
  worker.unref();
  const at = (index: number) => {
    Atomics.store(shared, 0, index);
    Atomics.notify(shared, 0);
  };
  return { at, end: () => worker.terminate() };
}

function keep(of: string, seed: number, index: number, { inputs, said }: FuzzCase, error: unknown): string {
  const folder = join(tmpdir(), "spanflame-fuzz");
  mkdirSync(folder, { recursive: true });
  const paths = inputs.map(({ name, bytes }, i) => {
    const path = join(folder, `${of}-${seed}-${index}-${i}-${name.replaceAll("/", "_")}`);
    writeFileSync(path, bytes);
    return path;
  });
  const what = error instanceof Error ? (error.stack ?? error.message).split("\n").slice(0, 6).join("\n  ") : error;
  return `npm run fuzz -- --of ${of} --seed ${seed} --case ${index}\n  ${what}\n  ${said.join("; ")}\n  ${paths.join(" ")}`;
}

/** Runs cases `from` up to below `to`, or until the time `until`; the failures in words. */
async function run<C extends FuzzCase>(
  fuzzer: Fuzzer<C>,
  seed: number,
  from: number,
  to: number,
  until = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const { of } = fuzzer;
  const started = Date.now();
  const hangs = watchHangs(fuzzer, seed);
  const failures: string[] = [];
  let index = from;
  for (; index < to && Date.now() < until && failures.length < FAILURES_KEPT; index++) {
    const one = fuzzer.make(seed, index);
    hangs.at(index);
    try {
      await fuzzer.check(one);
    } catch (error) {
      await fuzzer.renew();
      const again = await fuzzer.check(fuzzer.make(seed, index)).then(
        () => "passes with fresh cores: the cases before it, or the machine, took part",
        () => "fails with fresh cores too",
      );
      await fuzzer.renew();
      failures.push(keep(of, seed, index, { ...one, said: [...one.said, again] }, error));
      console.error(failures.at(-1));
    }
    // The runner wants to hear something now and then.
    await new Promise((resolve) => setImmediate(resolve));
  }
  await hangs.end();
  const seconds = (Date.now() - started) / 1000;
  const words = [`${index - from} cases`, `${seconds.toFixed(0)} s`, `${failures.length} failures`];
  console.log(`fuzz: ${of}, seed ${seed}: ${[...words, ...(fuzzer.summary ? [fuzzer.summary()] : [])].join(", ")}`);
  return failures;
}

/** Registers the tests of a fuzzer. */
export function fuzz<C extends FuzzCase>(fuzzer: Fuzzer<C>): void {
  const test = (name: string, seed: number, from: number, to: number, seconds = Number.POSITIVE_INFINITY) => {
    const limit = Number.isFinite(seconds) ? 1000 * seconds : 0;
    const cases = () => run(fuzzer, seed, from, to, Date.now() + 1000 * seconds);
    it(`${fuzzer.of}: ${name} (seed ${seed})`, async () => expect(await cases()).toEqual([]), limit + 1_200_000);
  };
  if (FUZZ_CASE !== undefined) {
    test(`case ${FUZZ_CASE}`, Number(FUZZ_SEED), Number(FUZZ_CASE), Number(FUZZ_CASE) + 1);
  } else if (FUZZ_SECONDS !== undefined) {
    test(`${FUZZ_SECONDS} seconds`, Number(FUZZ_SEED), 0, Number.POSITIVE_INFINITY, Number(FUZZ_SECONDS));
  } else {
    const cases = Math.ceil(fuzzer.cases * SHARE);
    const fresh = Math.ceil(fuzzer.fresh * SHARE);
    test(`${cases} cases`, FIXED_SEED, 0, cases);
    test(`${fresh} fresh cases`, randomInt(1_000_000_000), 0, fresh);
  }
}
