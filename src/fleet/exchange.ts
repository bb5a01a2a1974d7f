/** Parts that take the place of others: each date is claimed, so that no other process merges its parts meanwhile. */
import type { DataSet } from "./data-set.ts";
import type { Batch } from "./data-set-names.ts";
import { oldIndex } from "./id-index.ts";
import { partsByDate } from "./part-files.ts";

const MOST_TRIES = 100;
const PAUSE_MS = 100;

export interface Place {
  date: string;
  part: string;
}

/** What takes the place of parts, and the dates whose index has these. `busy`: dates that others are merging. */
export interface Exchanged {
  files: Batch["files"];
  indexed: string[];
  busy: string[];
}

/** Claims each date that is wanted, and asks what takes the place of its parts. `claims` are to be given back. */
export function inDates(
  set: DataSet,
  claims: string[],
  isWanted: (date: string, parts: readonly string[]) => boolean,
  inPart: (place: Place) => Batch["files"],
): Exchanged {
  const found: Exchanged = { files: [], indexed: [], busy: [] };
  for (const [date, parts] of partsByDate(set.folder)) {
    if (!isWanted(date, parts)) continue;
    const key = `compact-${date}`;
    const isOwn = claims.includes(key);
    if (!isOwn && set.claim(key) !== "mine") {
      found.busy.push(date);
      continue;
    }
    if (!isOwn) claims.push(key);
    // Before the claim another process may have exchanged them.
    const own = (partsByDate(set.folder).get(date) ?? []).flatMap((part) => inPart({ date, part }));
    // It has ids of what is removed.
    const index = own.length > 0 ? oldIndex(set.folder, date) : [];
    if (index.length > 0) found.indexed.push(date);
    found.files.push(...own, ...index);
  }
  return found;
}

/** As `inDates`, once all dates could be claimed. */
export async function inAllDates(
  set: DataSet,
  claims: string[],
  isWanted: Parameters<typeof inDates>[2],
  inPart: Parameters<typeof inDates>[3],
): Promise<Exchanged> {
  const own = claims.length;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const found = inDates(set, claims, isWanted, inPart);
    if (found.busy.length === 0) return found;
    for (const { from } of found.files) if (from !== null) set.discard(from);
    for (const claim of claims.splice(own)) set.unclaim(claim);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error(`${set.folder}: another process is merging parts; export again`);
}
