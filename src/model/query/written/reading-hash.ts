/** What an address says about the reading of the files: the page knows this before the rest of the query. */
import { canBeProfile, extraType } from "../../../core/tables/extra-events.ts";
import type { ExtraEvent, ReadChoice } from "../../../core/types.ts";
import { decoded } from "../../words/hash-text.ts";

/** Each event costs a row in the core; the limit stops hostile addresses. */
const MOST_EVENTS = 20;

export function readingIn(params: URLSearchParams): ReadChoice {
  const byType = new Map<string, ExtraEvent>();
  for (const text of params.getAll("event")) {
    const at = text.indexOf("=");
    const event = decoded(at < 0 ? text : text.slice(0, at));
    const value = at < 0 ? "" : text.slice(at + 1);
    if (event === null || event === "" || byType.size >= MOST_EVENTS) continue;
    const extra = value === "" ? { event } : { event, value };
    if (canBeProfile(extra)) byType.set(extraType(extra), extra);
  }
  return { extra: [...byType.values()], inferred: params.get("inferred") !== "no" };
}
