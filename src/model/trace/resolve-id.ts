/**
 * What an id means, for the page and the command line alike. The first that holds:
 *
 *   1  a trace of 128 bits: of the trace files or of the samples
 *   2  a local root of samples
 *   3  a trace by the low 64 bits of its id, if it is known by no more or no more are asked for
 *   4  a span: it leads to its trace if a trace was asked for, else it is itself
 *
 * A trace of the files is the samples of its local roots. Of several candidates the first that means anything counts.
 */
import type { CarriedIds } from "../../core/carried-ids.ts";
import type { FileSummary } from "../../core/types.ts";
import { IdMap } from "../../ids/map.ts";
import { formatNanos } from "../words/format.ts";
import { decimalId, hexId, isTrace } from "../words/ids.ts";
import { formatIso } from "../words/moments.ts";
import { visible } from "../words/text.ts";
import { traceHex } from "./beside.ts";
import { idsOf } from "./evidence.ts";
import { timeOfId } from "./id-time.ts";
import type { TraceTree } from "./tree.ts";

export interface FoundId {
  kind: "local-root" | "span";
  /** Local roots, or spans, that samples carry; without any samples the id that was asked for. */
  ids: bigint[];
  /** The candidate that led here. */
  asked: bigint;
  /** The trace of the files or of the recorded spans, 32 hex digits; null if they do not know it. */
  trace: string | null;
}

const LOW = (1n << 64n) - 1n;
const HALF = 32n;
const WORD = 0xffff_ffffn;

/** Null where neither the samples nor the spans know any of the ids. `wholeTrace`: a trace is asked for. */
export function resolveId(
  candidates: readonly bigint[],
  carried: CarriedIds,
  tree: TraceTree | null,
  wholeTrace = false,
): FoundId | null {
  // The low half of an id is no id of a trace with another upper half.
  const others = candidates.filter((id) => isTrace(id) && tree?.traceLow.includes(id & LOW)).map((id) => id & LOW);
  for (const asked of candidates) {
    if (others.includes(asked)) continue;
    const found = isTrace(asked) ? ofTrace(asked, carried, tree) : ofShort(asked, carried, tree, wholeTrace);
    if (found !== null) return found;
  }
  return null;
}

function ofTrace(asked: bigint, carried: CarriedIds, tree: TraceTree | null): FoundId | null {
  const low = asked & LOW;
  const root = carried.roots.get(low);
  const isCarried = root === asked;
  const place = placeOfTrace(tree, asked);
  if (tree !== null && place >= 0) return ofPlace(tree, place, asked, carried, isCarried ? [asked] : []);
  return isCarried ? { kind: "local-root", ids: [asked], asked, trace: null } : null;
}

function ofShort(asked: bigint, carried: CarriedIds, tree: TraceTree | null, wholeTrace: boolean): FoundId | null {
  const span = placeOfSpan(tree, asked);
  const trace = tree === null || span < 0 ? null : traceHex(tree, span);
  const root = carried.roots.get(asked);
  const place = placeOfTrace(tree, asked);
  const known = trace ?? (tree === null || place < 0 ? null : traceHex(tree, place));
  if (root !== undefined && !(wholeTrace && isTrace(root) && tree !== null))
    return { kind: "local-root", ids: [root], asked, trace: known ?? (isTrace(root) ? hexId(root) : null) };
  if (tree !== null && place >= 0) return ofPlace(tree, place, asked, carried, []);
  if (tree !== null && span >= 0 && wholeTrace) return ofPlace(tree, span, asked, carried, []);
  const rootOfSpan = carried.spans.get(asked);
  if (rootOfSpan === undefined) return span < 0 ? null : { kind: "span", ids: [asked], asked, trace };
  if (!wholeTrace || rootOfSpan === 0n) return { kind: "span", ids: [asked], asked, trace };
  return { kind: "local-root", ids: [carried.roots.get(rootOfSpan) ?? rootOfSpan], asked, trace };
}

/** The place of a span, −1 without it. */
export function placeOfSpan(tree: TraceTree | null, id: bigint): number {
  return tree === null || isTrace(id) ? -1 : idsOf(tree).index.placeOf(Number(id & WORD), Number(id >> HALF));
}

/** The place of a span, or else the first one of a trace; −1 if the tree does not know the id. */
export function placeOfId(tree: TraceTree | null, id: bigint): number {
  const place = placeOfSpan(tree, id);
  return place >= 0 ? place : placeOfTrace(tree, id);
}

/** The first place of the trace: all bits of its id are asked for, or 64 of either are known. */
function placeOfTrace(tree: TraceTree | null, asked: bigint): number {
  if (tree === null) return -1;
  const high = asked >> 64n;
  const low = asked & LOW;
  const { traceLow, traceHigh } = tree;
  return traceLow.findIndex(
    (each, place) => each === low && (high === 0n || traceHigh[place] === 0n || traceHigh[place] === high),
  );
}

/** The samples of the trace at a place: those of its local roots, or else of its spans. */
function ofPlace(
  tree: TraceTree,
  place: number,
  asked: bigint,
  { roots, spans }: CarriedIds,
  known: bigint[],
): FoundId {
  const low = tree.traceLow[place];
  const trace = traceHex(tree, place);
  const all = tree.id.filter((_, at) => tree.traceLow[at] === low);
  const own = roots.get(low ?? 0n);
  const carrying = new IdMap(known.map((id) => [id, id]));
  if (own !== undefined) carrying.set(low ?? 0n, own);
  for (const id of all) if (roots.has(id)) carrying.set(id, roots.get(id) ?? id);
  if (carrying.size > 0) return { kind: "local-root", ids: [...carrying].map(([, id]) => id), asked, trace };
  const some = [...new IdMap([...all].filter((id) => spans.has(id)).map((id) => [id, true])).keys()];
  if (some.length > 0) return { kind: "span", ids: some, asked, trace };
  return { kind: "local-root", ids: [BigInt(`0x${trace}`)], asked, trace };
}

// ---- ids that nothing knows ----

/** Similar ids that are named. */
const MOST_SIMILAR = 3;
/** Fewer digits begin or end too many ids. */
const LEAST_DIGITS = 6;

export interface SimilarId {
  id: bigint;
  how: string;
}

/** Ids of the samples and the spans that a slip of the pen, of a program or of a screen turns into one of these. */
export function similarIds(asked: readonly bigint[], carried: CarriedIds, tree: TraceTree | null): SimilarId[] {
  const checks = asked.map(slipsOf);
  const found: SimilarId[] = [];
  for (const id of knownIds(carried, tree)) {
    const how = checks.map((check) => check(id)).find((each) => each !== null);
    if (how !== undefined && how !== null && !found.some((other) => other.id === id)) found.push({ id, how });
    if (found.length === MOST_SIMILAR) break;
  }
  return found;
}

function* knownIds({ spans, roots }: CarriedIds, tree: TraceTree | null): IterableIterator<bigint> {
  for (const [, id] of roots) yield id;
  for (let place = 0; tree !== null && place < tree.count; place++) {
    yield ((tree.traceHigh[place] ?? 0n) << 64n) | (tree.traceLow[place] ?? 0n);
    yield tree.id[place] ?? 0n;
  }
  yield* spans.keys();
}

/** How a known id may have become this one; null if it is not similar. */
function slipsOf(asked: bigint): (id: bigint) => string | null {
  const hex = hexId(asked);
  const decimal = decimalId(asked);
  const digits = asked.toString(16);
  const exact = new Map<bigint, string>();
  const note = (text: string, how: string) => {
    try {
      exact.set(BigInt(text), how);
    } catch {
      // The digits are of no number of this kind.
    }
  };
  note(`0x${(hex.match(/../g) ?? []).reverse().join("")}`, "its bytes in reverse order");
  if (/^\d+$/.test(digits)) note(digits, "these digits as a decimal number");
  if (decimal.length <= 16) note(`0x${decimal}`, "these digits as a hexadecimal number");
  if (isTrace(asked)) {
    exact.set(asked & LOW, "the lower half of the id");
    exact.set(asked >> 64n, "the upper half of the id");
  }
  const rounded = Number(asked);
  return (id) => {
    const slip = exact.get(id);
    if (slip !== undefined) return slip;
    if ((id & LOW) === asked || (isTrace(id) && isTrace(asked) && (id & LOW) === (asked & LOW)))
      return "another upper half of the trace id";
    const other = hexId(id);
    if (digits.length >= LEAST_DIGITS && digits.length < other.replace(/^0+/, "").length) {
      if (other.replace(/^0+/, "").startsWith(digits)) return "the last digits are missing";
      if (other.endsWith(digits)) return "the first digits are missing";
      const text = decimalId(id);
      if (!isTrace(id) && decimal.length >= LEAST_DIGITS && text.length > decimal.length) {
        if (text.startsWith(decimal)) return "the last digits are missing";
        if (text.endsWith(decimal)) return "the first digits are missing";
      }
    }
    if (isSlip(hex, other) || (!isTrace(id) && isSlip(decimal, decimalId(id)))) return "a digit differs";
    // JavaScript and spreadsheets keep 53 bits of a number.
    return !isTrace(id) && rounded === Number(id) ? "rounded to a floating-point number" : null;
  };
}

/** Whether one digit differs, or two neighbouring ones are exchanged. */
function isSlip(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  let first = 0;
  while (first < a.length && a[first] === b[first]) first++;
  const rest = a.slice(first + 1);
  if (rest === b.slice(first + 1)) return true;
  return a[first] === b[first + 1] && a[first + 1] === b[first] && a.slice(first + 2) === b.slice(first + 2);
}

/** Lines about an id that nothing knows. `covers`: each recording, with its service and time. */
export function unknownWords(
  asked: bigint,
  similar: readonly SimilarId[],
  covers: readonly string[],
  hasTrace: boolean,
  when: readonly string[] = [],
): string[] {
  const like = similar.map(({ id, how }) => `${isTrace(id) ? hexId(id) : `${decimalId(id)} (0x${hexId(id)})`}: ${how}`);
  const where = hasTrace ? "neither the recordings nor the trace files know the id" : "no sample carries the id";
  return [
    `${where} ${decimalId(asked)}`,
    ...(like.length === 0 ? [] : [`similar ids: ${like.join("; ")}`]),
    ...(covers.length === 0 ? [] : [`the recordings cover ${covers.join("; ")}`]),
    ...when,
    hasTrace
      ? "add the recording of the process and the time of this trace"
      : "add a trace file, which leads from a trace id to its samples, or another recording",
  ];
}

/** Recordings that are listed. */
const MOST = 5;

/** A line for each recording: its name, its service, its time in UTC, and of a single one its requests. */
export function coveredWords(files: readonly FileSummary[], { roots }: Pick<CarriedIds, "roots">): string[] {
  const lines = files.slice(0, MOST).map((file) => {
    const service = file.resource["service.name"];
    const { from, to } = timeOf([file]);
    const time = from === 0n ? "" : `${formatIso(from, 0)} to ${formatIso(to, 0)}`;
    const requests = files.length > 1 || roots.size === 0 ? "" : `${roots.size} requests`;
    const facts = [visible(file.name, 60), service && `service ${visible(service, 60)}`, time, requests];
    return facts.filter(Boolean).join(", ");
  });
  return files.length > MOST ? [...lines, "…"] : lines;
}

/** From the first start of a chunk or message to the last end; 0 where none has a time. */
function timeOf(files: readonly FileSummary[]): { from: bigint; to: bigint } {
  const chunks = files.flatMap((file) => [...file.chunks, ...file.messages]);
  const starts = chunks.map(({ startUnixNano }) => startUnixNano).filter((start) => start > 0n);
  const ends = chunks.map(({ startUnixNano, durationNano }) => startUnixNano + durationNano);
  return {
    from: starts.reduce((least, each) => (each < least ? each : least), starts[0] ?? 0n),
    to: ends.reduce((most, each) => (each > most ? each : most), 0n),
  };
}

const DAY = 86_400_000_000_000n;

/** `by its id the trace began at …`, if that is a day of the recordings: other ids say a time by chance. */
export function whenWords(asked: bigint, files: readonly FileSummary[]): string[] {
  const began = timeOfId(asked);
  const { from, to } = timeOf(files);
  if (began === null || from === 0n || began < from - DAY || began > to + DAY) return [];
  const length = formatNanos(began < from ? from - began : began - to);
  const where = began >= from && began <= to ? "within" : `${length} ${began < from ? "before" : "after"}`;
  return [`by its id the trace began at ${formatIso(began, 0)}, ${where} the recordings`];
}
