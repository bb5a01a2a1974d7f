/**
 * The query state as URL hash: `#type=cpu&measure=…&root=4657…&span=…&attr=tenant=acme&event=jdk.ThreadStart&focus=12`.
 * Ids are decimal, traces of 128 bits hex; a field that is added up stands behind its event: `event=jdk.Deoptimization=bci`.
 */
import { extraType } from "../core/extra-events.ts";
import type { AttributeFilter, ExtraEvent } from "../core/types.ts";
import { decimalId, isTrace, parseId } from "./ids.ts";
import { canBeProfile } from "./other-events.ts";
import type { QueryState } from "./query.ts";

/** Each event costs a row of its own in the core; no one needs more, and a hostile address gets no further. */
const MOST_EVENTS = 20;

export function queryToHash(state: QueryState): string {
  const params = new URLSearchParams();
  if (state.type !== "") params.set("type", state.type);
  if (state.measure !== "") params.set("measure", state.measure);
  for (const { event, value } of state.extra) {
    params.append("event", encodeURIComponent(event) + (value === undefined ? "" : `=${value}`));
  }
  if (state.localRoot !== null) params.set("root", decimalId(state.localRoot));
  if (state.span !== null) params.set("span", state.span.toString());
  for (const { key, value } of state.attributes) params.append("attr", `${encodeURIComponent(key)}=${value}`);
  if (state.focus !== 0) params.set("focus", state.focus.toString());
  const text = params.toString();
  return text === "" ? "" : `#${text}`;
}

/** Parts that cannot be read are left out: a link someone cut short still opens. */
export function hashToQuery(hash: string): QueryState {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const focus = Number(params.get("focus") ?? "0");
  return {
    type: params.get("type") ?? "",
    measure: params.get("measure") ?? "",
    extra: readEvents(params.getAll("event")),
    span: readSpan(params.get("span")),
    localRoot: readId(params.get("root")),
    attributes: readAttributes(params.getAll("attr")),
    focus: Number.isInteger(focus) && focus > 0 && focus < 2 ** 32 ? focus : 0,
  };
}

function readSpan(text: string | null): bigint | null {
  const id = readId(text);
  return id === null || isTrace(id) ? null : id;
}

function readId(text: string | null): bigint | null {
  if (text === null) return null;
  const parsed = parseId(text);
  return parsed.ok ? parsed.id : null;
}

function readEvents(texts: string[]): ExtraEvent[] {
  const byType = new Map<string, ExtraEvent>();
  for (const text of texts) {
    const at = text.indexOf("=");
    const event = decodeKey(at < 0 ? text : text.slice(0, at));
    const value = at < 0 ? "" : text.slice(at + 1);
    if (event === null || event === "" || byType.size >= MOST_EVENTS) continue;
    const extra = value === "" ? { event } : { event, value };
    if (canBeProfile(extra)) byType.set(extraType(extra), extra);
  }
  return [...byType.values()];
}

function readAttributes(texts: string[]): AttributeFilter[] {
  const byKey = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at <= 0) continue;
    const key = decodeKey(text.slice(0, at));
    if (key !== null) byKey.set(key, text.slice(at + 1));
  }
  return [...byKey].map(([key, value]) => ({ key, value }));
}

function decodeKey(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
