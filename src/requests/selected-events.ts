/**
 * Events of any type of a selection, for the page. The open recording has those that are profiles: its files are read
 * again, near the selection where it is a request or a time, with every event as a profile.
 */
import type { Core } from "../core/core.ts";
import { readOnlyNeeded } from "../core/reading/read-filter.ts";
import { extraType } from "../core/tables/extra-events.ts";
import type { Filter, ReadChoice, TimeRange } from "../core/types.ts";
import { chunksAround, chunksOf, onlyChunks } from "../input/window-chunks.ts";
import { histogramOf } from "../model/events/histogram.ts";
import { telling } from "../model/events/telling.ts";
import { filterKey } from "../model/query/query.ts";
import { otherEvents, otherTypes } from "../model/recording/other-events.ts";
import { isTrace } from "../model/words/ids.ts";
import type { EventChoice, EventPage, EventTypes, ListedEvent } from "./api/api.ts";
import type { PageSource } from "./file-source.ts";
import { HeldCore } from "./held-core.ts";
import type { OpenRecording } from "./open-recording.ts";
import type { PageInput, readAgain } from "./reading.ts";
import { Refusal } from "./refusal.ts";
import { AROUND, type EventRow, RequestEvents, SLACK, timeOfIds, typesOf } from "./request-events.ts";

/** A selection with more samples has no list: it would be the whole recording. */
const MOST_SAMPLES = 500_000;

/** A core with the events of a time. */
interface Again {
  key: string;
  names: OpenRecording["names"];
  held: Promise<HeldCore>;
  list: { key: string; events: Promise<RequestEvents> } | null;
}

/** With all events, and by a field. */
type Readings = Partial<Record<"all" | "field", Again>>;

const readings = new WeakMap<OpenRecording, Readings>();

/** A worker that can read its files again. */
export interface Reader {
  /** The questions' own (questions/graph.ts). */
  asked: { readonly opened: OpenRecording; newCore(choice: ReadChoice): Promise<Core> };
  /** Another importer of the function would move its code. */
  read: typeof readAgain;
}

/** The types of the events of a selection. */
export async function eventTypes(reader: Reader, choice: EventChoice): Promise<EventTypes> {
  const { opened: recording } = reader.asked;
  const { samples } = recording.held.totals(null, recording.samplesOf(choice.filter));
  if (samples > MOST_SAMPLES) return { types: null, count: samples, first: null };
  const events = await eventsOf(reader, choice);
  const rows = foundIn(events, choice.find);
  const recorded = recording.core.eventTypes();
  const offered = new Set(otherEvents(recorded).map(({ event }) => event));
  const fields = new Map(recorded.map((type) => [type.event, type.fields]));
  const types = typesOf(rows).map((row) => ({
    ...row,
    fields: fields.get(row.type) ?? [],
    isOther: offered.has(row.type),
  }));
  return { types, count: rows.length, first: events.rows[0]?.startUnixNano ?? null };
}

/** Events [offset, offset + limit) of a type. */
export async function eventList(
  reader: Reader,
  choice: EventChoice,
  type: string,
  offset: number,
  limit: number,
): Promise<EventPage> {
  const events = await eventsOf(reader, choice);
  const rows = foundIn(events, choice.find).filter((row) => row.type === type);
  const listed = rows.slice(offset, offset + limit).map((row): ListedEvent => {
    const { fields, ...happened } = events.happened(row);
    return { ...happened, fields: telling(type, fields), number: row.number };
  });
  const values = rows.flatMap(({ durationNano, value }) => durationNano ?? value?.amount ?? []);
  const unit = rows.some(({ durationNano }) => durationNano !== null) ? "nanoseconds" : (rows[0]?.value?.unit ?? "");
  const histogram = values.length === 0 ? null : { unit, bins: histogramOf(values.map(Number), unit) };
  return { count: rows.length, rows: listed, histogram };
}

/** The functions of the stack of an event, the leaf first. */
export async function eventStack(of: Reader, choice: EventChoice, number: number): Promise<string[]> {
  const { reader, rows } = await eventsOf(of, choice);
  return reader.functionsOf(rows[number]?.stack ?? 0);
}

/** The memory of the events is given up. */
export function forgetEvents({ asked: { opened } }: Reader): void {
  readings.delete(opened);
}

async function eventsOf(reader: Reader, { filter, field }: EventChoice): Promise<RequestEvents> {
  const { opened: recording } = reader.asked;
  const known = recording.samplesOf(filter);
  const time = await timeOf(recording, known);
  const own = readings.get(recording) ?? {};
  readings.set(recording, own);
  const slot = field === null ? "all" : "field";
  const key = filterKey([time, field]);
  const before = own[slot];
  const isSame = before?.key === key && before.names === recording.names;
  const again: Again = isSame ? before : { key, names: recording.names, held: read(), list: null };
  own[slot] = again;
  const listKey = filterKey(known);
  if (again.list?.key !== listKey) again.list = { key: listKey, events: list() };
  try {
    return await again.list.events;
  } catch (error) {
    if (own[slot] === again) delete own[slot];
    throw error;
  }

  async function read(): Promise<HeldCore> {
    // Another selection takes the place of this one before it begins.
    await Promise.resolve();
    const isWanted = () => readings.get(recording)?.[slot] === again;
    return readEvents(reader, recording, { time, field, isWanted });
  }

  async function list(): Promise<RequestEvents> {
    const held = await again.held;
    const profiles = held.core.profiles();
    if (field === null) return RequestEvents.of(held, profiles, known);
    const own = profiles.filter(({ otlpType }) => otlpType === extraType(field));
    return RequestEvents.of(held, own, known);
  }
}

/** The time that is read for a selection; null for everything, as the command line does. */
async function timeOf(recording: OpenRecording, filter: Filter): Promise<TimeRange | null> {
  const { rawNames: _, time, localRoot, span, ...others } = filter;
  const ids = [localRoot ?? span ?? []].flat();
  const hasTraces = (recording.spans.overview()?.files.length ?? 0) > 0;
  const isPlain = Object.keys(others).length === 0 && !ids.some(isTrace);
  if (!isPlain || hasTraces || recording.core.diagnostics().length > 0) return null;
  if (ids.length === 0) return time ?? null;
  return timeOfIds(recording.held, localRoot === undefined ? { span: ids } : { localRoot: ids }, ids);
}

interface Wanted {
  time: TimeRange | null;
  field: EventChoice["field"];
  /** False if other events were asked for meanwhile. */
  isWanted: () => boolean;
}

async function readEvents(reader: Reader, recording: OpenRecording, wanted: Wanted): Promise<HeldCore> {
  const { time, field, isWanted } = wanted;
  const { read, names } = recording;
  const { inferred } = read.choice;
  const own = field === null ? [] : [field];
  const others = read.choice.extra.filter((extra) => own.every((each) => extraType(each) !== extraType(extra)));
  const stated = [...own, ...others];
  const extra = [...stated, ...otherTypes(recording.core.eventTypes(), stated)];
  const core = await reader.asked.newCore({ extra, inferred });
  await core.complete();
  const hooks = { cancelled: () => !isWanted() };
  if (time === null) await reader.read(core, read.files, { inferred, names, hooks });
  else {
    const { Contexts } = await import("./contexts.ts");
    const around = { from: time.from - SLACK, to: time.to + SLACK };
    await reader.read(core, read.files, {
      ...{ inferred, names, hooks },
      contexts: new Contexts({ inferred, around }),
      need: () => void readOnlyNeeded(core, { filter: { time: around }, stacks: true, all: true }),
      narrow: async (inputs) => (await Promise.all(inputs.map((input) => near(input, time)))).flat(),
    });
  }
  if (core.full) throw new Refusal("events.room", "The events do not fit into memory. Select a request or a time.");
  if (!isWanted()) throw new Refusal("superseded", "Other events were asked for meanwhile.");
  // A part may lack what the whole has.
  if (time !== null && core.diagnostics().length > 0) return readEvents(reader, recording, { ...wanted, time: null });
  return new HeldCore(core);
}

/** A recording's chunks near a time; the whole file where it has no chunks by themselves. */
async function near(input: PageInput, { from, to }: TimeRange): Promise<PageInput | []> {
  const { source } = input;
  const slice = async (start: number, end: number) => new Uint8Array(await source.slice(start, end));
  const whole = { byteLength: source.byteLength, slice, peek: slice };
  const chunks = await chunksOf(whole);
  if (chunks === null) return input;
  const some = chunksAround(chunks, from - AROUND, to + AROUND);
  if (some.length === chunks.length) return input;
  if (some.length === 0) return [];
  const part: PageSource = {
    ...onlyChunks(whole, chunks, some),
    get fault() {
      return source.fault;
    },
  };
  return { ...input, source: part, opened: undefined };
}

const haystacks = new WeakMap<RequestEvents, Map<string, string>>();

function foundIn(events: RequestEvents, find: string): readonly EventRow[] {
  const words = find
    .toLowerCase()
    .split(" ")
    .filter((word) => word !== "");
  if (words.length === 0) return events.rows;
  const known = haystacks.get(events) ?? new Map<string, string>();
  haystacks.set(events, known);
  return events.rows.filter((row) => {
    const key = `${row.type} ${row.thread} ${row.set}`;
    let text = known.get(key);
    if (text === undefined) {
      const { type, thread, fields } = events.happened(row);
      text = [type, thread, ...Object.values(fields)].join("\n").toLowerCase();
      known.set(key, text);
    }
    return words.every((word) => text.includes(word));
  });
}
