/**
 * Which parts a data set has. Readers and writers follow these lists and not the folder: a copy may have parts that the
 * data set no longer has, and lack new ones.
 *
 *   parts.json     {"format": "spanflame-parquet", "version": 2, "dates": [{"date", "list", "from", "to"}, …], "crc"}
 *   parts/LIST     {"format": "spanflame-parquet", "version": 2, "parts": [{"table", "date", "part", "bytes", "footer",
 *                  "from", "to", "groups"}, …], "crc"}
 *
 * LIST is named by its content and never changes, so `parts.json`, which is written last, names one state of all dates.
 * `crc` is the CRC-32 of the text of `dates` or `parts` without spaces: a changed name would hide a part.
 * A member `registered` says which catalogue has the rows: the data set is its inbox.
 * Earlier versions have all parts in `parts.json`, the first ones without `crc`.
 */
import { PARTS_FILE, PARTS_FOLDER } from "../../core/tables/data-sets.ts";
import { checksum } from "./checks.ts";
import { FOOTER_TAIL, groupsIn, mayBeWithin, type Part } from "./parts.ts";
import { FORMAT_NAME, FORMAT_VERSION, olderVersion } from "./schema.ts";

/** The list of a date. All samples and spans of it are between the times, where all of its parts have them. */
export interface DateList extends Pick<Part, "date" | "from" | "to"> {
  list: string;
}

/** What is in `parts.json`. */
export interface Lists {
  dates: DateList[];
  /** All parts, of an earlier version. */
  parts: Part[];
  older: string | null;
  registered?: string;
}

/** What a reader says of the inbox of a catalogue. */
export const inboxWords = (place: string) =>
  `an inbox of ${place}, so ask the catalogue: it may have deleted rows that are here, and have others that are not`;

const NAME = /^[\w.-]{1,200}$/;
const MS_OF_DAY = 86_400_000;
const TIMED = ["samples", "spans"];

const isPlain = (names: readonly unknown[]) =>
  names.every((name) => typeof name === "string" && NAME.test(name) && !name.startsWith("."));

function textOf(member: "dates" | "parts", entries: readonly unknown[], registered?: string): string {
  const list = { format: FORMAT_NAME, version: FORMAT_VERSION, registered, [member]: entries, crc: checkOf(entries) };
  return `${JSON.stringify(list)}\n`;
}

export const datesText = (dates: readonly DateList[], registered?: string) => textOf("dates", dates, registered);
export const partsText = (parts: readonly Part[]) => textOf("parts", parts);
export const listPath = (list: string) => `${PARTS_FOLDER}/${list}`;

function checkOf(entries: unknown): number {
  return checksum(new TextEncoder().encode(JSON.stringify(entries)));
}

/** Its entries, of dates or of parts. Throws an error that names the file, if the text is no such list. */
function entriesOf(file: string, text: string) {
  let list: Partial<Record<"format" | "version" | "crc" | "dates" | "parts" | "registered", unknown>> | null;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is damaged: ${error instanceof Error ? error.message : error}`);
  }
  if (list?.format !== FORMAT_NAME) throw new Error(`${file} is not a list of the parts of a data set`);
  const older = olderVersion(file, list.version);
  const entries: unknown = list.dates ?? list.parts;
  if (!Array.isArray(entries)) throw new Error(`${file} has no list of parts`);
  if (list.crc !== undefined && list.crc !== checkOf(entries))
    throw new Error(`${file} is damaged: its checksum is wrong`);
  const registered = typeof list.registered === "string" && { registered: list.registered };
  return { entries: entries as unknown[], hasDates: list.dates !== undefined, older, ...registered };
}

/** Throws if the text is not `parts.json`. Names become paths, so they must be plain. `older`: olderVersion. */
export function parseLists(text: string): Lists {
  const { entries, hasDates, ...more } = entriesOf(PARTS_FILE, text);
  if (!hasDates) return { dates: [], parts: entries.map((each, i) => partOf(PARTS_FILE, each, i)), ...more };
  const dates = entries.map((each, i): DateList => {
    const { date = "", list = "", from, to } = (each ?? {}) as Partial<DateList>;
    if (!isPlain([date, list])) throw new Error(`${PARTS_FILE}: entry ${i} is no list of a date`);
    return { date, list, ...timesIn(from, to) };
  });
  return { dates, parts: [], ...more };
}

/** Throws if the text is not the list of a date. */
export function parseParts(file: string, text: string): Part[] {
  return entriesOf(file, text).entries.map((each, i) => partOf(file, each, i));
}

const timesIn = (from: unknown, to: unknown) =>
  Number.isSafeInteger(from) && Number.isSafeInteger(to) ? { from: from as number, to: to as number } : {};

function partOf(file: string, each: unknown, i: number): Part {
  const { table = "", date = "", part = "", bytes = -1, footer, from, to, groups } = (each ?? {}) as Partial<Part>;
  if (!isPlain([table, date, part]) || !Number.isSafeInteger(bytes) || bytes < 0)
    throw new Error(`${file}: entry ${i} is no part`);
  // It only saves a request.
  const isKnown = Number.isSafeInteger(footer) && footer! >= FOOTER_TAIL && footer! <= bytes;
  return {
    ...{ table, date, part, bytes, ...(isKnown && { footer: footer! }) },
    ...timesIn(from, to),
    ...groupsIn(groups, bytes),
  };
}

/** The entry of a date for `parts.json`. */
export function dateListOf(date: string, list: string, parts: readonly Part[]): DateList {
  const timed = parts.filter(({ table }) => TIMED.includes(table));
  const from = timed.map((part) => part.from ?? Number.NaN);
  const to = timed.map((part) => part.to ?? Number.NaN);
  return { date, list, ...timesIn(least(from), -least(to.map((time) => -time))) };
}

/** The list may be longer than arguments can be. */
const least = (numbers: readonly number[]) => numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

/** What a reader asks for. */
export interface AskedTime {
  since?: bigint;
  until?: bigint;
  date?: string;
}

/** The dates that may have what is wanted. A trace may begin before midnight. */
export function listsFor(dates: readonly DateList[], wanted: AskedTime): DateList[] {
  const isNear = nearTo(wanted);
  return dates.filter((each) => isNear(each.date) && mayBeWithin(each, wanted));
}

export function nearTo({ date: day }: AskedTime): (date: string) => boolean {
  return (date) => day === undefined || Math.abs(Date.parse(date) - Date.parse(day)) <= MS_OF_DAY;
}

/** The parts of these dates, by a function that reads a file of the data set. */
export async function readLists(read: (path: string) => Promise<string>, wanted: AskedTime = {}) {
  const { dates, parts, ...more } = parseLists(await read(PARTS_FILE));
  const lists = await Promise.all(
    listsFor(dates, wanted).map(async ({ list }) => parseParts(listPath(list), await read(listPath(list)))),
  );
  return { parts: [...parts, ...lists.flat()], ...more };
}
