/**
 * Presets: the names and units of a profile of the store in OTLP. docs/otlp.md lists the preset for each backend. The
 * names of the preset `otel` are those of OpenTelemetry's producers and of its mapping of pprof, here as rows.
 */

import type { PresetName } from "../types.ts";
import type { ProfileRow } from "./catalogue.ts";

/** Purpose of each preset, in one line. The first is the default. */
export const PRESETS: { name: PresetName; about: string }[] = [
  { name: "default", about: "full detail: every sample with its timestamp" },
  { name: "otel", about: "OpenTelemetry's names (samples/count, allocated_space/bytes …), both measures, timestamps" },
  { name: "aggregated", about: "one value for each stack and context, no timestamps: the smallest" },
  { name: "pyroscope", about: "as otel, but one value for each stack and context, the form that Pyroscope accepts" },
];

/** A profile as the store has it. */
export interface StoredProfile {
  id: number;
  /** The first row of its family (families.ts): itself unless only the period differs. */
  family: number;
  /** In place of all rows of its family. */
  joined?: boolean | undefined;
  /** Of several periods: values become times. */
  timed?: boolean | undefined;
  /** Flags of assembly/abi/write-plan.ts: when it is written without samples. */
  kept?: number | undefined;
  row: ProfileRow;
  /** With its event where an earlier row has the type: `cpu:jdk.ExecutionSample`. */
  type: string;
  unit: string;
  periodType: string;
  periodUnit: string;
  /** 0 if no recording states it. */
  period: bigint;
}

/** A Profile to write. */
export interface Output {
  profile: number;
  /** 0: the value, 1: the second measure. */
  measure: number;
  type: string;
  unit: string;
  periodType: string;
  periodUnit: string;
  period: bigint;
  /** Factor of each value. */
  scale: bigint;
  /** One value a sample, the sum, and no timestamps. */
  aggregated: boolean;
  /** All samples of the family, whose first row is `profile`; with `timed`, each value × its own period. */
  joined?: boolean | undefined;
  timed?: boolean | undefined;
  kept?: number | undefined;
  /** `profile.type`: of the Profile if `labelled`, else of each sample. */
  label: string;
  labelled: boolean;
}

type TypeUnit = [type: string, unit: string];

interface OtelRow {
  value?: TypeUnit;
  second?: TypeUnit;
  /** A period that is not the recording's: 1 of these. */
  each?: TypeUnit;
  period?: TypeUnit;
  /** Values are times the period, where it is known. */
  timed?: TypeUnit;
}

const NANOSECONDS = "nanoseconds";
const COUNT = "count";

/** Blocking, as pprof's contention profiles: `what` is waited for. */
function delay(what: string): OtelRow {
  return { value: ["delay", NANOSECONDS], second: ["contentions", COUNT], each: [what, COUNT] };
}

/** By the catalogue's type; other types keep their words, joined by underscores. */
const OTEL: ReadonlyMap<string, OtelRow> = new Map(
  Object.entries({
    cpu: { value: ["samples", COUNT] },
    "cpu-time": { value: ["cpu", NANOSECONDS] },
    native: { value: ["samples", COUNT] },
    wall: { value: ["samples", COUNT], timed: ["wall", NANOSECONDS] },
    "alloc-samples": {
      value: ["allocated_space", "bytes"],
      second: ["allocated_objects", COUNT],
      period: ["allocated_space", "bytes"],
    },
    "live-heap": {
      value: ["inuse_space", "bytes"],
      second: ["inuse_objects", COUNT],
      period: ["allocated_space", "bytes"],
    },
    "lock-contention": delay("mutex"),
    "native-lock": delay("native_lock"),
    park: delay("block"),
    sleep: delay("sleep"),
    pinned: delay("pinned"),
    "socket-read": { value: ["socket_read_time", NANOSECONDS] },
    "socket-write": { value: ["socket_write_time", NANOSECONDS] },
    "file-read": { value: ["file_read_time", NANOSECONDS] },
    "file-write": { value: ["file_write_time", NANOSECONDS] },
    "file-force": { value: ["file_force_time", NANOSECONDS] },
    "method-time": { second: ["calls", COUNT] },
  }),
);

const plainWords = (name: string) => name.replaceAll("-", "_");

function defaultOutputs(profile: StoredProfile, aggregated: boolean): Output[] {
  const { id, row, type, periodType, periodUnit, period, joined, timed, kept } = profile;
  const unit = timed === true ? NANOSECONDS : profile.unit;
  const periods = { periodType, periodUnit, period };
  const common = { profile: id, ...periods, scale: 1n, aggregated, joined, timed, kept, labelled: false };
  const value = { ...common, measure: 0, type, unit, label: type };
  if (row.second === undefined) return [value];
  const { second } = row;
  return [value, { ...common, measure: 1, type: second.type, unit: second.unit, label: second.type }];
}

function otelOutputs(profile: StoredProfile, aggregated: boolean): Output[] {
  const { id, row, type, unit, period, joined, timed, kept } = profile;
  const otel = OTEL.get(row.type) ?? {};
  const common = { profile: id, aggregated, joined, timed, kept, label: type, labelled: true };
  const isTimed = otel.timed !== undefined && period > 0n;
  const words = plainWords(row.type);
  // Objects of JDKs before 21 have no size.
  const own = unit === COUNT && row.second === undefined ? (otel.second ?? otel.value) : otel.value;
  const counted = (isTimed ? otel.timed : own) ?? [words, unit];
  const [name, valueUnit] = timed === true ? [words, NANOSECONDS] : counted;
  const [periodType, periodUnit] = otel.each ?? otel.period ?? [plainWords(profile.periodType), profile.periodUnit];
  const periods = { periodType, periodUnit, period: otel.each === undefined ? period : 1n };
  const scale = isTimed ? period : 1n;
  const value = { ...common, ...periods, measure: 0, type: name, unit: valueUnit, scale };
  if (row.second === undefined) return [value];
  // A number of samples is one of anything: it does not count objects.
  const numbered: TypeUnit =
    row.second.name === "samples" ? ["samples", COUNT] : [plainWords(row.second.type), row.second.unit];
  const [secondType, secondUnit] = row.second.name === "samples" ? numbered : (otel.second ?? numbered);
  return [value, { ...common, ...periods, measure: 1, type: secondType, unit: secondUnit, scale: 1n }];
}

/** OpenTelemetry's names, for both measures of a profile. */
export function hasOtelNames(preset: PresetName): boolean {
  return preset === "otel" || preset === "pyroscope";
}

/**
 * The Profiles that a preset writes of the store's: of the default names the value alone, of OpenTelemetry's both
 * measures. `measure` selects a single one, or all.
 */
export function outputsOf(preset: PresetName, profiles: readonly StoredProfile[], measure?: number | "all"): Output[] {
  const isOtel = hasOtelNames(preset);
  const aggregated = preset === "aggregated" || preset === "pyroscope";
  const wanted = measure ?? (isOtel ? null : 0);
  return profiles.flatMap((profile) => {
    // Names of profiles from other producers stay unchanged.
    const outputs =
      isOtel && profile.row.foreign !== true ? otelOutputs(profile, aggregated) : defaultOutputs(profile, aggregated);
    const own = outputs.filter((output) => wanted === null || wanted === "all" || output.measure === wanted);
    return own.length > 0 ? own : outputs.slice(0, 1);
  });
}
