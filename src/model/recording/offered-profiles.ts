/** Profiles that are shown though a recording lacks them. The reader asks here, without the words about settings. */
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { Setting } from "../../core/types.ts";

/** All rows of a type that is shown though absent. */
export const WAYS = PROFILES.filter(({ type }) => PROFILES.some((row) => row.offered === true && row.type === type));
const OFFERED = new Set(WAYS.flatMap(({ events }) => events.map(({ event }) => event)));

/** Settings that `absenceSentences` and `switchSentences` read (setting-words.ts). */
export function tellsOfAbsence({ event, name }: Setting): boolean {
  return OFFERED.has(event) && (name === "enabled" || name === "threshold");
}
