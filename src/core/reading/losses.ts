/** What recorders left out: limits that were reached, and events that count all or the missing ones (losses.ts). */
import * as Catalogue from "../../../assembly/abi/catalogue.ts";
import * as IncidentKind from "../../../assembly/abi/incident-kind.ts";
import * as IncidentRow from "../../../assembly/abi/rows/incident-row.ts";
import * as MeasurementRow from "../../../assembly/abi/rows/measurement-row.ts";
import type { Access } from "../instance/access.ts";
import { readSettings } from "../instance/profile-facts.ts";
import type { ProfileRow } from "../tables/catalogue.ts";
import { COUNTERS, DROPPED, LIMIT_SETTINGS, LOSSES, type LossCounter } from "../tables/losses.ts";
import type { Diagnostic, FileSummary, Loss, ProfileSummary, TimeRange } from "../types.ts";
import { type Mark, START } from "./kept.ts";

interface Limit {
  event: string;
  /** As `300/s`. */
  limit: string;
  file: string;
}

export interface LossFacts {
  files: readonly FileSummary[];
  /** Those that were reached. */
  limits: Limit[];
  /** By counter and file, in the order of time. */
  counts: ReadonlyMap<LossCounter, ReadonlyMap<string, Count[]>>;
}

interface Count {
  at: bigint;
  value: number;
}

const UNITS: Readonly<Record<string, string>> = { 1: "ns", 1e3: "us", 1e6: "ms", 1e9: "s", 60e9: "m", 3600e9: "h" };

/** `isIn`: only of these files. `since`: only of what was read after this mark. */
export function readLosses(core: Access, isIn: (file: string) => boolean = () => true, since: Mark = START): LossFacts {
  const { wasm, memory, opened } = core;
  const files = core.files.slice(since.files).filter(({ name }) => isIn(name));
  const counts = new Map<LossCounter, Map<string, Count[]>>();
  const facts: LossFacts = { files, limits: [], counts };
  const fileOf = (chunk: number) => core.files[opened[chunk]?.file ?? -1]?.name ?? "";
  const add = (found: Limit) => {
    const isNew = facts.limits.every((each) => each.event !== found.event || each.file !== found.file);
    if (isNew && isIn(found.file)) facts.limits.push(found);
  };
  const incidents = wasm.incidentRows();
  for (let i = since.incidents; i < wasm.incidentCount(); i++) {
    const p = incidents + IncidentRow.BYTES * i;
    if (memory.u32(p + IncidentRow.KIND) !== IncidentKind.Limit) continue;
    const limit = `${memory.u32(p + IncidentRow.ID)}/${UNITS[Number(memory.i64(p + IncidentRow.TIME))] ?? "d"}`;
    const event = core.string(memory.u32(p + IncidentRow.TEXT)).replace(/^com\.oracle\./, "");
    add({ event, limit, file: fileOf(memory.u32(p + IncidentRow.CHUNK)) });
  }
  const rows = wasm.measurementRows();
  for (let i = since.measurements; i < wasm.measurementCount(); i++) {
    const p = rows + MeasurementRow.BYTES * i;
    const counter = COUNTERS[(memory.u32(p + MeasurementRow.SERIES) & 0xff) - Catalogue.LOSS_SERIES];
    if (counter === undefined) continue;
    const file = fileOf(memory.u32(p + MeasurementRow.CHUNK));
    if (!isIn(file)) continue;
    const ofCounter = counts.get(counter) ?? new Map<string, Count[]>();
    const own = ofCounter.get(file) ?? [];
    own.push({ at: memory.i64(p + MeasurementRow.TIME), value: memory.f64(p + MeasurementRow.VALUE) });
    counts.set(counter, ofCounter.set(file, own));
  }
  for (const ofCounter of counts.values())
    for (const own of ofCounter.values()) own.sort((a, b) => Number(a.at - b.at));
  if (counts.size > 0) addExceeded(facts, core, add);
  return facts;
}

/** Of events without usable times (JDK 25.0.3 has written some) only the numbers say that a limit was reached. */
function addExceeded(facts: LossFacts, core: Access, add: (limit: Limit) => void): void {
  const isLimit = ({ name, value }: { name: string; value: string }) =>
    LIMIT_SETTINGS.some((each) => each.name === name) && /^\d+\//.test(value);
  for (const { event, counted } of LOSSES) {
    if (counted === undefined) continue;
    const exceeded = facts.files.filter((file) => {
      const written = writtenIn(file, event);
      return written > 0 && (countOf({ ...facts, files: [file] }, counted) ?? 0) > SURELY_MORE * written;
    });
    if (exceeded.length === 0) continue;
    const limit = readSettings(core).find((each) => each.event === event && isLimit(each))?.value;
    if (limit !== undefined) for (const { name } of exceeded) add({ event, limit, file: name });
  }
}

/** A counter and the events that it counts may begin and end at other times. */
const SURELY_MORE = 1.5;

/** What the recorders left out of a profile; undefined if nothing is known of it. */
export function lossOf(
  facts: LossFacts,
  row: Pick<ProfileRow, "events"> | undefined,
  profile: ProfileSummary,
): Loss | undefined {
  const { events, samples, value } = profile;
  const loss: Loss = {};
  for (const event of Object.keys(events)) {
    const { limited, sampled, counted, lost } = LOSSES.find((each) => each.event === event) ?? {};
    const isWeighed = limited === "weighted" && row?.events.some((each) => each.value.rule !== "count");
    const limits = isWeighed ? [] : facts.limits.filter((each) => each.event === event);
    const all = counted && countOf(facts, counted);
    const written = facts.files.reduce((sum, file) => sum + writtenIn(file, event), 0);
    const isMore = all !== undefined && all > written;
    if (limits.length > 0) loss.limited = [...(loss.limited ?? []), ...limits];
    // Only recordings tell what their recorder counted.
    if (sampled === true && written > 0 && (all === undefined || isMore))
      loss.sampled = [...(loss.sampled ?? []), event];
    if (counted !== undefined && isMore && (loss.limited ?? loss.sampled) !== undefined)
      loss.counted = { event: counted.event, count: all };
    const missing = (lost && countOf(facts, lost)) ?? 0;
    if (missing > 0) loss.lost = { event, samples: missing, value: estimated(value, samples, missing) };
  }
  const files = facts.files.filter((file) => Object.keys(events).some((event) => writtenIn(file, event) > 0));
  const bytes = countOf({ ...facts, files }, DROPPED) ?? 0;
  if (bytes > 0) loss.dropped = { event: DROPPED.event, bytes };
  return Object.keys(loss).length === 0 ? undefined : loss;
}

/** Samples that recorders lost, by the event that they would be. */
export function lostSamples(facts: LossFacts): { event: string; samples: number }[] {
  return LOSSES.flatMap(({ event, lost }) => {
    const samples = (lost && countOf(facts, lost)) ?? 0;
    return samples > 0 ? { event, samples } : [];
  });
}

/** One diagnostic for each event and file after `since`. */
export function diagnosticsSince(core: Access, since: Mark): Diagnostic[] {
  const facts = readLosses(core, undefined, since);
  const nowhere = { chunk: null, offset: null };
  const isWeighted = ({ event }: Limit) => LOSSES.some((row) => row.event === event && row.limited === "weighted");
  const limits = facts.limits.filter((limit) => !isWeighted(limit));
  const throttled = limits.map(({ event, limit, file }): Diagnostic => {
    const message = `the recorder wrote as many events of ${event} as its limit of ${limit} lets through: there were at least so many`;
    return { code: "jfr.event.throttled", severity: "warning", message, file, ...nowhere };
  });
  const lost = facts.files.flatMap((each) =>
    lostSamples({ ...facts, files: [each] }).map(({ event, samples }): Diagnostic => {
      const message = `the recorder lost ${samples} samples of ${event}`;
      return { code: "jfr.event.lost", severity: "info", message, file: each.name, ...nowhere };
    }),
  );
  return [...throttled, ...lost];
}

/** Lost samples weigh as much as those that were kept. */
function estimated(value: bigint, samples: number, lost: number): bigint {
  return samples === 0 ? 0n : (value * BigInt(Math.round(lost))) / BigInt(samples);
}

/** All events of this type in a file, whether samples were made of them or not. */
function writtenIn({ chunks }: FileSummary, event: string): number {
  return chunks.reduce((sum, { events }) => sum + (events[event] ?? 0), 0);
}

/** What a counter counted in these files; undefined where it does not say. */
function countOf(facts: LossFacts, counter: LossCounter, time?: TimeRange): number | undefined {
  return growthOf(facts, counter, time)?.count;
}

/** What a counter counted, and in which time if it only grows: from its first event of a file to the last. */
function growthOf({ files, counts }: LossFacts, counter: LossCounter, time?: TimeRange) {
  let [count, nanos, values] = [0, 0, 0];
  for (const { name } of files) {
    const own = counts.get(counter)?.get(name) ?? [];
    const within = time === undefined ? own : own.filter(({ at }) => at >= time.from && at < time.to);
    const [first, last] = [within[0], within.at(-1)];
    if (first === undefined || last === undefined || (counter.grows === true && first === last)) continue;
    values++;
    nanos += Number(last.at - first.at);
    count += counter.grows === true ? last.value - first.value : within.reduce((sum, each) => sum + each.value, 0);
  }
  return values === 0 ? undefined : { count, nanos };
}

export interface CountedRate {
  /** The event that counts. */
  event: string;
  count: number;
  perSecond: number;
}

/**
 * How many events there were a second, by the event that counts them all; null where none does. `nanos`: the time that
 * is asked for, by which counts of single events are divided.
 */
export function countedRate(
  facts: LossFacts,
  events: readonly string[],
  nanos: number,
  time?: TimeRange,
): CountedRate | null {
  for (const { event, counted } of LOSSES) {
    const found = counted !== undefined && events.includes(event) ? growthOf(facts, counted, time) : undefined;
    const per = counted?.grows === true ? found?.nanos : nanos;
    if (counted === undefined || found === undefined || per === undefined || per <= 0) continue;
    return { event: counted.event, count: found.count, perSecond: found.count / (per / 1e9) };
  }
  return null;
}
