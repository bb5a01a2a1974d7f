/** Reads built chunks with the product's core; returns its answers and its decoded message. */
import { readFile } from "node:fs/promises";
import { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";
import { type BuiltChunk, buildChunk, type ChunkSpec } from "../jfr/jfr-builder.ts";
import {
  dictionaryFaults,
  type FlatFrame,
  type FlatProfile,
  type FlatSample,
  flatten,
  type ProfilesData,
  readOtlp,
  readOtlpJson,
} from "../otlp/otlp-schema.ts";
import { findingsOf } from "../otlp/valid.ts";

let core: Core | undefined;

export { HeldCore } from "../../../src/requests/held-core.ts";

/** One core for all tests of a file; everything it held is forgotten. */
export async function emptyCore(): Promise<Core> {
  if (core === undefined) {
    const wasm = await readFile(new URL("../../../build/core.wasm", import.meta.url));
    core = await Core.instantiate(await WebAssembly.compile(new Uint8Array(wasm)));
  } else {
    core.reset();
    core.normaliseNames(false);
  }
  return core;
}

/** Feeds one chunk as it is, without looking into it. */
export function feed(to: Core, bytes: Uint8Array, offset = 0, budget = 1 << 30): void {
  to.reserve(bytes.length);
  to.input(bytes.length).set(bytes);
  const status = to.openChunk(bytes.length, offset, {
    version: "2.1",
    bytes: bytes.length,
    startUnixNano: 0n,
    durationNano: 0n,
  });
  if (status === "more") while (to.step(budget) === "more");
  to.close();
}

/** A core with these chunks in it, as one file. */
export async function read(...chunks: (ChunkSpec | BuiltChunk | Uint8Array)[]): Promise<Core> {
  const to = await emptyCore();
  to.beginFile("built.jfr", 0);
  let offset = 0;
  for (const chunk of chunks) {
    let bytes: Uint8Array;
    if (chunk instanceof Uint8Array) bytes = chunk;
    else bytes = "bytes" in chunk ? chunk.bytes : buildChunk(chunk).bytes;
    feed(to, bytes, offset);
    offset += bytes.length;
  }
  return to;
}

export const codes = (from: Core) => from.diagnostics().map(({ code }) => code);

/** The message of a selection, after every check that holds for all messages: sound tables, JSON the same. */
export function message(from: Core, profile: number | null = null, filter: Filter = {}): ProfilesData {
  const { bytes } = from.write(profile, filter, { format: "otlp" });
  const data = readOtlp(bytes);
  const faults = findingsOf(bytes, "protobuf");
  if (data.resourceProfiles.length > 0) faults.push(...dictionaryFaults(data));
  if (faults.length > 0) throw new Error(`message: ${faults.slice(0, 5).join("; ")}`);
  const json = from.write(profile, filter, { format: "otlp-json" }).bytes;
  const jsonFaults = findingsOf(json, "json");
  if (jsonFaults.length > 0) throw new Error(`message: JSON: ${jsonFaults.slice(0, 5).join("; ")}`);
  const again = readOtlpJson(new TextDecoder("utf-8", { fatal: true }).decode(json));
  if (stable(again) !== stable(data)) throw new Error("message: JSON says something else than protobuf");
  return data;
}

export function stable(value: unknown): string {
  return JSON.stringify(value, (_, v) => {
    if (typeof v === "bigint") return `${v}n`;
    if (typeof v === "number" && !Number.isFinite(v)) return String(v);
    return v;
  });
}

export function profilesOf(from: Core): FlatProfile[] {
  return flatten(message(from));
}

/** One observation of the message. */
export interface Observation extends Omit<FlatSample, "values" | "timestamps"> {
  value: bigint;
  time: bigint;
}

/** Observations of a profile, by time, then value. */
export function observations(from: Core, type = "cpu"): Observation[] {
  // A type has a profile for each sampling period.
  const profiles = profilesOf(from).filter((p) => p.type === type);
  const samples = profiles.flatMap((profile) => profile.samples);
  const all = samples.flatMap(({ values, timestamps, ...rest }) =>
    values.map((value, i) => ({ ...rest, value, time: timestamps[i] ?? 0n })),
  );
  return all.sort((a, b) => Number(a.time - b.time) || Number(a.value - b.value));
}

/** `name:line type`, with the parts that a frame has. */
export function frameText({ name, line, mapping, attributes }: FlatFrame): string {
  const type = attributes["profile.frame.type"];
  return [
    `${name}${line > 0n ? `:${line}` : ""}`,
    ...(type === undefined ? [] : [String(type)]),
    ...(mapping === "" ? [] : [`in ${mapping}`]),
  ].join(" ");
}
