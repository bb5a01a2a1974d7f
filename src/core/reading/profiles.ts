/** The list of profiles: what the files have of each, whatever is selected. */
import * as ProfileRowAbi from "../../../assembly/abi/rows/profile-row.ts";
import * as SummaryRow from "../../../assembly/abi/rows/summary-row.ts";
import { familyOf, isTimed, onlyPeriod, periodsOf, timeOf } from "../instance/families.ts";
import type { Instance } from "../instance/instance.ts";
import { messageProfile, profileNames, readSettings, settingsOf } from "../instance/profile-facts.ts";
import { countTicks } from "../instance/timer-tick.ts";
import { type ProfileRow, wireType } from "../tables/catalogue.ts";
import { EVENT_KEY } from "../tables/event-key.ts";
import { HOLDER_KEY } from "../tables/holder-key.ts";
import { nanosOfUnit } from "../tables/kinds.ts";
import { meaningOf } from "../tables/meanings.ts";
import type { Diagnostic, PeriodSummary, ProfileSummary } from "../types.ts";
import { noCounts } from "./chunk-report.ts";

/** Counts of inferred ids in the samples of the events that a test names. */
interface Inference {
  inferredIn: (
    isOf: (event: number) => boolean,
  ) => Pick<ProfileSummary, "inferredSpan" | "inferredRoot" | "samplesWithHolder"> | null;
}

/** Profiles that have samples, and types that messages state without; in the order of the catalogue. */
export function profilesOf(
  instance: Instance,
  catalogue: readonly ProfileRow[],
  contexts: Inference | null,
  losses: Pick<typeof import("./losses.ts"), "readLosses" | "lossOf"> | null,
): ProfileSummary[] {
  const { wasm, memory } = instance;
  const keys = allKeysOf(instance);
  const covered = wasm.attributeCover(keys.length);
  const cover = memory.u32s(covered, wasm.profileCount.value * keys.length);
  countTicks(instance);
  wasm.summarize();
  const rows = wasm.summaryProfiles();
  const counts = memory.u32s(wasm.summaryEvents(), wasm.eventCount.value);
  const settings = readSettings(instance);
  const isOfRecordings = instance.files.every(({ format }) => format === "jfr");
  const found = losses?.readLosses(instance);
  const profiles: ProfileSummary[] = [];
  const kinds: ProfileRow[] = [];
  for (let id = 0; id < wasm.profileCount.value; id++) {
    const row = rows + id * SummaryRow.BYTES;
    const samples = memory.u32(row + SummaryRow.SAMPLES);
    if (familyOf(instance, id) !== id) continue;
    const empty = samples === 0 && wasm.skippedInFamily(id) === 0;
    if (empty && !wasm.isStatedFamily(id)) continue;
    const p = wasm.profileAt(id);
    const periods = periodsOf(instance, id, rows);
    const [only, ...others] = periods;
    const stated = others.length === 0 ? only?.statedPeriod : undefined;
    const hasPeriod = periods.some((each) => each.period !== 0n);
    const otlpType = instance.string(memory.u32(p + ProfileRowAbi.TYPE));
    const storedUnit = instance.string(memory.u32(p + ProfileRowAbi.UNIT));
    const kind = catalogue[id] ?? messageProfile(otlpType, storedUnit);
    // A pprof file has the name of a type in OTLP. In a list it has the name that it has in the recording.
    kinds.push(kind.foreign === true ? rowNamed(catalogue, otlpType, kind) : kind);
    const timed = isTimed(wasm, id);
    const unit = timed ? "nanoseconds" : storedUnit;
    const value = timed ? timeOf(periods) : memory.i64(row + SummaryRow.VALUE);
    const second = memory.i64(row + SummaryRow.SECOND);
    const inferred = contexts?.inferredIn((event) => familyOf(instance, event) === id);
    const period = onlyPeriod(periods);
    const [periodType, periodUnit] = [ProfileRowAbi.PERIOD_TYPE, ProfileRowAbi.PERIOD_UNIT].map((field) =>
      instance.string(memory.u32(p + field)),
    ) as [string, string];
    const events = eventCounts(instance, id, counts);
    const each = isOfRecordings
      ? eachOf(storedUnit, timed, periods)
      : wasm.observationValue(id, nanosOfUnit(storedUnit) ?? 0, nanosOfUnit(periodUnit) ?? 0);
    profiles.push({
      id,
      meaning: meaningOf({ type: otlpType, unit, periodType, periodUnit, period }, each < 0 ? null : each),
      ...(empty ? { empty: true } : {}),
      type: "",
      otlpType,
      unit,
      periodType: hasPeriod ? periodType : "",
      periodUnit: hasPeriod ? periodUnit : "",
      period,
      ...(stated === undefined ? {} : { statedPeriod: stated }),
      ...(periods.length > 1 ? { periods } : {}),
      events,
      samples,
      value,
      stacks: memory.u32(row + SummaryRow.STACKS),
      threads: memory.u32(row + SummaryRow.THREADS),
      samplesWithSpan: memory.u32(row + SummaryRow.WITH_SPAN) - (inferred?.inferredSpan ?? 0),
      samplesWithRoot: memory.u32(row + SummaryRow.WITH_ROOT) - (inferred?.inferredRoot ?? 0),
      ...inferred,
      samplesWithAttribute: Object.fromEntries([
        ...keys.map((key, i) => [key, cover[id * keys.length + i]!] as const).filter(([, n]) => n > 0),
        ...eventCover(events),
      ]),
      measures: [
        { name: unit, type: otlpType, unit, value },
        ...(kind.second === undefined ? [] : [{ ...kind.second, value: second }]),
      ],
      settings: settingsOf(kind, settings),
    });
  }
  const names = profileNames(kinds);
  profiles.forEach((profile, i) => {
    profile.type = names[i]!;
    const loss = found && losses?.lossOf(found, kinds[i], profile);
    if (loss !== undefined) profile.loss = loss;
  });
  return profiles;
}

/** Value of one observation of a profile of recordings: each event is one, or counts several. */
function eachOf(unit: string, timed: boolean, periods: readonly PeriodSummary[]): number {
  if (unit !== "samples") return 0;
  const samples = periods.reduce((sum, { value }) => sum + Number(value), 0);
  return timed && samples > 0 ? Number(timeOf(periods)) / samples : 1;
}

/** The row of the catalogue whose profile has this name and unit in messages; else that of the message. */
function rowNamed(catalogue: readonly ProfileRow[], otlpType: string, own: ProfileRow): ProfileRow {
  return catalogue.find((row, i) => row.unit === own.unit && wireType(catalogue, i) === otlpType) ?? own;
}

/** Of several events in one profile, each sample's name is an attribute. */
function eventCover(events: Record<string, number>): [string, number][] {
  const counts = Object.values(events);
  return counts.length < 2 ? [] : [[EVENT_KEY, counts.reduce((sum, n) => sum + n, 0)]];
}

/** A diagnostic if the total of a profile does not fit, of the samples from row `first` on. */
export function sumsAtLimit(instance: Instance, first: number): Diagnostic[] {
  const { wasm, memory } = instance;
  const id = wasm.profileAtLimit(first);
  if (id < 0) return [];
  const type = instance.string(memory.u32(wasm.profileAt(id) + ProfileRowAbi.TYPE));
  const message = `the values of ${type} add up to more than 64 bits hold: sums are at the limit of 2^63`;
  const file = instance.files.at(-1)?.name ?? "";
  return [{ code: "core.sums", severity: "error", message, file, chunk: null, offset: null }];
}

function eventCounts(instance: Instance, profile: number, counts: Uint32Array): Record<string, number> {
  const { wasm, memory } = instance;
  const events = noCounts();
  for (let i = 0; i < wasm.eventCount.value; i++) {
    const row = wasm.eventAt(i);
    const n = counts[i]!;
    const name = instance.string(memory.u32(row + ProfileRowAbi.EVENT_NAME));
    // Samples of a message may have no event.
    if (familyOf(instance, memory.u32(row + ProfileRowAbi.EVENT_PROFILE)) === profile && n > 0 && name !== "")
      events[name] = (events[name] ?? 0) + n;
  }
  return events;
}

/** Keys of the context attributes that samples carry. */
export function attributeKeysOf(instance: Instance): string[] {
  return allKeysOf(instance).filter((key) => key !== HOLDER_KEY);
}

function allKeysOf(instance: Instance): string[] {
  const { wasm, memory } = instance;
  const n = wasm.attributeKeys();
  return Array.from(memory.u32s(wasm.attributeKeyRows(), n), (index) => instance.string(index));
}
