#!/usr/bin/env node
/**
 * Comparison of all outputs of two built checkouts, byte by byte: this one and the one at BASE. A change that is meant
 * to keep every output runs it against a checkout of the commit before the change. Both need `npm run build` first.
 *
 *   node scripts/same-output.mjs BASE                    every input below, every output, view and answer (minutes)
 *   node scripts/same-output.mjs BASE --quick            small inputs, few filters: under a minute
 *   node scripts/same-output.mjs BASE --only PATTERN     inputs whose name matches this regular expression
 *   node scripts/same-output.mjs BASE --keep DIRECTORY   writes both sides of each difference there
 *
 * Inputs: fixtures/, public/, messages and recordings of test/kit, the outputs that BASE writes of a fixture in formats
 * that are inputs, too, pairs of files read together, and the directories recordings/ and otlp-cases/ beside the
 * checkout in ../shared, where they exist.
 *
 * Outputs: every format of the two format tables with every preset, filter and option that it takes; the answers of the
 * analysis views; the validator's report; and through the command line `info`, `top`, `spans`, the report and the
 * picture. Hash tables are keyed with one fixed number and the clock of the report is fixed, so BASE against BASE is
 * equal. An output that differs is made once more by a fresh core: in a BASE whose writers add to the store, the order
 * of a dictionary depends on earlier outputs. It counts as equal if the second one is equal.
 *
 * Prints a line for each difference, at most twelve for an input: output, both sizes, offset of the first byte that
 * differs. Exit code 1 with differences, 2 for wrong usage.
 */
import { fork } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "./run.mjs";
import { inputsOf } from "./same-output/inputs.mjs";

/** Differences of one input that are printed: a change of one input must not hide those of others. */
const MOST_PRINTED = 12;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, only: { type: "string" }, keep: { type: "string" } },
});
const [base] = positionals;
if (base === undefined || positionals.length > 1) usage("name one directory: a built checkout to compare with");
for (const root of [ROOT, resolve(base)]) {
  if (!existsSync(join(root, "dist-node", "cli.js"))) usage(`${root} is not built: run npm run build there`);
}

function usage(why) {
  console.error(`same-output: ${why}`);
  process.exit(2);
}

/** A process with the library of one checkout; it answers one question at a time. */
class Side {
  constructor(root) {
    this.root = root;
    this.start();
  }

  start() {
    const worker = join(ROOT, "scripts", "same-output", "worker.mjs");
    this.child = fork(worker, [this.root], { serialization: "advanced" });
  }

  ask(question) {
    return new Promise((done, failed) => {
      const ended = (code, signal) => failed(new Error(`the process of ${this.root} ended: ${signal ?? code}`));
      this.child.once("exit", ended);
      this.child.once("message", (answer) => {
        this.child.off("exit", ended);
        done(answer);
      });
      this.child.send(question);
    });
  }

  /**
   * Names and hashes of all outputs of an input; a process that dies of it answers with its end, and a new one starts.
   */
  async outputs(input) {
    try {
      return await this.ask({ input, quick: values.quick });
    } catch (error) {
      const died = error.message.replace(this.root, "this checkout");
      this.start();
      return [{ name: "process", size: died.length, hash: died, filter: "" }];
    }
  }

  /** The bytes of one output. */
  bytes(input, name) {
    return this.ask({ input, quick: values.quick, bytesOf: name }).catch(() => {
      this.start();
      return new Uint8Array();
    });
  }

  end() {
    this.child.kill();
  }
}

function firstDifference(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return i;
  return n;
}

const temporary = mkdtempSync(join(tmpdir(), "same-output-"));
const here = new Side(ROOT);
const before = new Side(resolve(base));
let outputs = 0;
let differences = 0;
let ofInput = 0;
/** Outputs that are equal only where nothing was written before them. */
let afterOthers = 0;
const started = Date.now();

async function report(input, name, ours, theirs) {
  const isInBoth = ours !== undefined && theirs !== undefined && ours.filter === theirs.filter;
  const [mine, other] = isInBoth ? [await here.bytes(input, name), await before.bytes(input, name)] : [];
  const at = isInBoth ? firstDifference(mine, other) : 0;
  if (isInBoth && at > 0 && at === mine.length && at === other.length) {
    afterOthers++;
    return;
  }
  differences++;
  if (++ofInput > MOST_PRINTED) return;
  if (ours === undefined || theirs === undefined) {
    console.log(`${input.name}  ${name}: only ${ours === undefined ? "BASE" : "this checkout"} has it`);
    return;
  }
  if (ours.filter !== theirs.filter) {
    console.log(`${input.name}  ${name}: other filters: ${ours.filter} here, ${theirs.filter} in BASE`);
    return;
  }
  const filter = ours.filter === "" ? "" : ` (${ours.filter})`;
  console.log(
    `${input.name}  ${name}${filter}: ${ours.size} bytes here, ${theirs.size} in BASE, first difference at ${at}`,
  );
  if (values.keep === undefined) return;
  mkdirSync(values.keep, { recursive: true });
  const stem = `${differences}-${input.name}-${name}`.replace(/[^\w.-]+/g, "_").slice(0, 150);
  writeFileSync(join(values.keep, `${stem}.here`), mine);
  writeFileSync(join(values.keep, `${stem}.base`), other);
}

async function compare(input) {
  ofInput = 0;
  const [ours, theirs] = await Promise.all([here.outputs(input), before.outputs(input)]);
  const left = new Map(theirs.map((output) => [output.name, output]));
  for (const output of ours) {
    const other = left.get(output.name);
    left.delete(output.name);
    outputs++;
    if (other === undefined || other.hash !== output.hash || other.filter !== output.filter)
      await report(input, output.name, output, other);
  }
  for (const output of left.values()) await report(input, output.name, undefined, output);
  if (ofInput > MOST_PRINTED) console.log(`${input.name}  … and ${ofInput - MOST_PRINTED} more`);
}

try {
  const formats = await Promise.all([here, before].map((side) => side.ask({ formats: true })));
  if (String(formats[0]) !== String(formats[1])) {
    console.log(`formats: ${formats[0].join(", ")} here; ${formats[1].join(", ")} in BASE`);
  }
  const inputs = await inputsOf({ quick: values.quick, temporary, write: (question) => before.ask(question) });
  const only = values.only === undefined ? null : new RegExp(values.only);
  const chosen = inputs.filter(({ name }) => only === null || only.test(name));
  if (chosen.length === 0) usage("no input matches --only");
  for (const input of chosen) {
    const from = Date.now();
    await compare(input);
    if (Date.now() - from > 10_000) console.error(`same-output: ${input.name} took ${Date.now() - from} ms`);
  }
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${chosen.length} inputs, ${outputs} outputs, ${differences} differences, ${seconds} s`);
  if (afterOthers > 0) console.log(`${afterOthers} outputs are equal only where nothing was written before them`);
  process.exitCode = differences > 0 ? 1 : 0;
} finally {
  here.end();
  before.end();
  rmSync(temporary, { recursive: true, force: true });
}
