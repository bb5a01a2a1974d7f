/**
 * Every output of what a core holds, written and read back by readers that share no code with the writers: valid, no
 * larger than the input allows, the same samples again where our own reader takes the format, and nothing of what
 * `secret` says.
 */

import { bytesSource } from "../../src/bytes/byte-source.ts";
import type { Core } from "../../src/core/core.ts";
import type { Filter, OutputFormat } from "../../src/core/types.ts";
import { readInputs } from "../../src/input/open.ts";
import type { OtlpForm } from "../../src/otlp/messages.ts";
import { validateBytes } from "../../src/validate/validate.ts";
import { readPprof } from "../kit/otlp/pprof-schema.ts";
import { readCollapsed, readFirefox, readSpeedscope } from "../kit/shown-formats.ts";

/**
 * Bytes of output for each byte of input. A sample of a few bytes may have the 256 attributes that its resource has for
 * itself; JSON writes each of their indices with a comma, and every byte of a text as six at most.
 */
const RATIO = 1024;
const LEAST = 1 << 16;

const textOf = (bytes: Uint8Array) => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

function isValid(bytes: Uint8Array, form: OtlpForm): void {
  const { findings } = validateBytes(bytes, form);
  const error = findings.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new Error(`${error.rule} ${error.where}: ${error.message}`);
}

/** Throws the fault of a file of the format. */
const CHECKS: Record<OutputFormat, (bytes: Uint8Array) => void> = {
  otlp: (bytes) => isValid(bytes, "protobuf"),
  "otlp-json": (bytes) => isValid(bytes, "json"),
  pprof: readPprof,
  collapsed: (bytes) => readCollapsed(textOf(bytes)),
  speedscope: (bytes) => readSpeedscope(textOf(bytes)),
  firefox: (bytes) => readFirefox(textOf(bytes)),
};

const BASE64 = /"bytesValue":"([^"]*)"/g;

/** Whether `secret` is in the bytes, as text or in bytes that JSON has as base64. */
function tells(bytes: Uint8Array, secret: string): boolean {
  const text = Buffer.from(bytes).toString("latin1");
  if (text.includes(secret)) return true;
  return [...text.matchAll(BASE64)].some(([, content = ""]) =>
    Buffer.from(content, "base64").toString("latin1").includes(secret),
  );
}

/**
 * Sum of the values of each profile type, as OTLP names it. Not their number: values without a time of one identity are
 * added up.
 */
function totals(core: Core): string {
  const sums = new Map<string, bigint>();
  for (const { otlpType, value } of core.profiles()) sums.set(otlpType, (sums.get(otlpType) ?? 0n) + value);
  return [...sums]
    .map(([type, sum]) => `${type} ${BigInt.asIntN(64, sum)}`)
    .sort()
    .join("; ");
}

/** Formats that Spanflame reads. */
const READ: OutputFormat[] = ["otlp", "otlp-json"];

/** Throws the fault, if there is one. `other` is a core to read outputs into; `bytes` of input are in `core`. */
export async function checkOutputs(
  core: Core,
  other: Core,
  bytes: number,
  filter: Filter = {},
  secret: string | null = null,
): Promise<void> {
  const held = totals(core);
  const many = core.profiles();
  for (const [name, check] of Object.entries(CHECKS)) {
    const format = name as OutputFormat;
    // Collapsed stacks are one profile, and repeat the names of a stack for every sample: no length limits them.
    const profile = format === "collapsed" ? (many[0]?.id ?? 0) : null;
    const out = core.write(profile, filter, { format }).bytes;
    if (format !== "collapsed" && out.length > RATIO * bytes + LEAST) {
      throw new Error(`${format}: ${out.length} bytes of ${bytes} bytes of input`);
    }
    try {
      check(out);
    } catch (error) {
      throw new Error(`${format}: ${error instanceof Error ? error.message : error}`);
    }
    if (secret !== null && tells(out, secret)) throw new Error(`${format}: has bytes of another file`);
    // Of a message without any sample, the reader says so.
    const isEmpty = many.every(({ empty }) => empty === true);
    if (!READ.includes(format) || isEmpty || Object.keys(filter).length > 0) continue;
    other.reset();
    await readInputs(other, [{ name: "out", source: bytesSource(out) }]);
    // Damaged values may add up to more than 64 bits, in the output as in the input.
    const found = other.diagnostics().filter(({ code }) => code !== "core.sums");
    const errors = found.filter(({ severity }) => severity === "error");
    if (errors[0] !== undefined) throw new Error(`${format}: read again: ${errors[0].message}`);
    if (totals(other) !== held) throw new Error(`${format}: read again: ${totals(other)}, was ${held}`);
  }
}
