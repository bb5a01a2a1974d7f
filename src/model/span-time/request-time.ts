/**
 * Where the time of several requests went: the accounts of all in one, one after the other on one time, so that the
 * parts add up to the sum of their durations and their intervals are of all samples together. A request is a span with
 * all spans below it; one that is below another of the selection is a part of that one.
 */
import type { Accepts } from "../../core/answers/function-names.ts";
import type { ReadSample, SampleReader } from "../../core/samples/sample-reader.ts";
import type { Filter, FoundSpans, ProfileSummary } from "../../core/types.ts";
import type { Marks } from "../../core/view-types.ts";
import { indexOfIds } from "../trace/id-index.ts";
import type { SpanPoints } from "../trace/operations.ts";
import { Account, accountsBy, tellOff } from "./accounts.ts";
import { type BreakdownPart, breakdownOf, cpuOf } from "./breakdown.ts";
import { type LongestPause, type LongestWait, longestPause, longestWait } from "./longest-pause.ts";
import { PartStacks } from "./main-function.ts";
import { type PartSamples, samplesOfParts } from "./opens.ts";
import { Pauses } from "./pauses.ts";

/** Requests of a selection whose samples are counted at most, spread evenly over the selection. */
export const MOST_REQUESTS = 500;

/** The requests of a selection together. The parts add up to `duration`, the sum of their durations in ns. */
export interface RequestTime {
  /** Requests that are counted. */
  counted: number;
  duration: number;
  /** Wall samples with the context in their events, and with inferred context. */
  samples: number;
  inferredSamples: number;
  /** Ns of CPU time, also where it is above the duration; null where the recording does not tell. */
  cpu: number | null;
  breakdown: BreakdownPart[];
}

/** What the parts of the first group open. */
export interface Opened {
  opens: PartSamples[];
  pause: LongestPause | null;
  wait: LongestWait | null;
}

/** The outermost of some places, ascending: one within the subtree of another is left out. */
export function outermost(size: Uint32Array, places: Uint32Array): Uint32Array {
  let after = 0;
  return places.filter((place) => {
    if (place < after) return false;
    after = place + (size[place] ?? 1);
    return true;
  });
}

/** Outermost places of `all` that neither contain one of `chosen` nor are within one. Both ascend. */
export function restOf(size: Uint32Array, all: Uint32Array, chosen: Uint32Array): Uint32Array {
  let next = 0;
  return outermost(
    size,
    all.filter((place) => {
      while (next < chosen.length && endOf(size, chosen[next] ?? 0) <= place) next++;
      // The next of the selection that ends after this place begins after its subtree.
      return next === chosen.length || (chosen[next] ?? 0) >= endOf(size, place);
    }),
  );
}

const endOf = (size: Uint32Array, place: number) => place + (size[place] ?? 1);

export interface RequestQuestion {
  points: SpanPoints;
  /** Groups of outermost places, none of them in two. */
  groups: readonly Uint32Array[];
  /** The ids of all groups. */
  found: FoundSpans;
  /** What to add to the time of a place for one of the recordings. */
  offset: (place: number) => bigint;
  profiles: readonly ProfileSummary[];
  marks: Pick<Marks, "start" | "pauses">;
  /** Functions that may be told of a request; without them none is. */
  application?: Accepts;
}

/** The time of each group, in one pass; what the first of them opens, and its links. */
export function requestTimes(
  reader: SampleReader,
  question: RequestQuestion,
): { times: RequestTime[]; functions: string[]; opened: Opened; links: number[] } {
  const { groups, found, profiles } = question;
  const { accounts, ownerOf } = countedBy(reader, question, groups, { spans: { found } });
  const cpu = cpuOf(profiles);
  const times = accounts.map((each): RequestTime => {
    const all = together(each);
    return {
      counted: each.length,
      duration: all.length,
      samples: all.states.total - all.inferredSamples,
      inferredSamples: all.inferredSamples,
      cpu: cpu === null ? null : Number(all.cpu.nano),
      breakdown: breakdownOf(all, cpu),
    };
  });
  const nearestOf = nearestBy(reader, question.application);
  // Of groups of one request: of more it would be a function of the first.
  const functions = times.map(({ breakdown }, i) => accounts[i]?.[0]?.stacks?.functionOf(breakdown, nearestOf) ?? "");
  const [own = []] = accounts;
  const opens = samplesOfParts(together(own), profiles, times[0]?.breakdown ?? []);
  const mine = new Set(own);
  const links = [...ownerOf].flatMap(([link, owner]) => (owner !== undefined && mine.has(owner) ? link : []));
  return {
    times,
    functions,
    opened: { opens, pause: longestPause(own, profiles), wait: longestWait(own, profiles) },
    links,
  };
}

/** The function nearest to the top of a stack that is accepted; "" without one. */
function nearestBy(reader: SampleReader, accepts: Accepts = () => false): (stack: number) => string {
  const known = new Map<number, string>();
  return (stack) => {
    // By their names alone functions of the C library are no library's.
    const all = () =>
      [reader.functionsOf(stack, true), reader.functionsOf(stack)].find(({ length }) => length > 0) ?? [];
    const name = known.get(stack) ?? all().find((each) => accepts(each)) ?? "";
    known.set(stack, name);
    return name;
  };
}

/** The samples of some requests that pass a filter, by the parts of their breakdown. */
export function samplesWithin(
  reader: SampleReader,
  question: Omit<RequestQuestion, "groups" | "found">,
  { places, breakdown }: { places: Uint32Array; breakdown: readonly BreakdownPart[] },
  filter: Filter,
): PartSamples[] {
  const [own = []] = countedBy(reader, question, [places], filter).accounts;
  return samplesOfParts(together(own), question.profiles, breakdown);
}

/** An account for each place of the groups, of its samples that pass a filter, and the accounts of their links. */
function countedBy(
  reader: SampleReader,
  { points, offset, profiles, marks, application }: Omit<RequestQuestion, "groups" | "found">,
  groups: readonly Uint32Array[],
  filter: Filter,
): { accounts: Account[][]; ownerOf: ReadonlyMap<number, Account | undefined> } {
  const pauses = new Pauses(marks);
  const accounts = groups.map((places) =>
    Array.from(places, (place) => {
      const start = (points.start[place] ?? 0n) + offset(place);
      const extent = { start, end: start + (points.duration[place] ?? 0n), from: "trace" as const };
      const account = new Account({ id: points.id[place] ?? 0n, extent, children: [] }, pauses);
      if (application !== undefined) account.stacks = new PartStacks();
      return account;
    }),
  );
  const ownerOf = new Map<number, Account | undefined>();
  const find = ownersOf(points, groups, accounts);
  const accountOf = ({ link }: ReadSample) => {
    if (!ownerOf.has(link))
      ownerOf.set(
        link,
        find((word) => reader.idWord(link, word)),
      );
    return ownerOf.get(link);
  };
  accountsBy(reader, { filter, accountOf, profiles, pauses });
  tellOff(reader, profiles, accounts.flat(), (ids) => [find(wordsOf(ids)) ?? []].flat());
  return { accounts, ownerOf };
}

/** The account of a link by its ids: of the request that has its span, else of the one that is its local root. */
function ownersOf(
  { count, id, size }: SpanPoints,
  groups: readonly Uint32Array[],
  accounts: readonly Account[][],
): (wordAt: (word: number) => number) => Account | undefined {
  const list = accounts.flat();
  const owner = new Int32Array(count).fill(-1);
  const isRequest = new Uint8Array(count);
  let number = 0;
  for (const places of groups) {
    for (const place of places) {
      owner.fill(number++, place, endOf(size, place));
      isRequest[place] = 1;
    }
  }
  const index = indexOfIds(id);
  const firstOf = (wordAt: (word: number) => number, word: number) => {
    const [low, high] = [wordAt(word), wordAt(word + 1)];
    return low === 0 && high === 0 ? -1 : index.placeOf(low, high);
  };
  return (wordAt) => {
    const place = firstOf(wordAt, SPAN_WORD);
    const ofSpan = place < 0 ? -1 : (owner[place] ?? -1);
    if (ofSpan >= 0) return list[ofSpan];
    const root = firstOf(wordAt, ROOT_WORD);
    return root >= 0 && isRequest[root] === 1 ? list[owner[root] ?? -1] : undefined;
  };
}

/** Words of ids as a link has them. */
function wordsOf({ span, root }: Pick<ReadSample, "span" | "root">): (word: number) => number {
  const words = new Uint32Array(BigUint64Array.of(span, root).buffer);
  return (word) => words[word] ?? 0;
}

/** Words of a link's ids. */
const SPAN_WORD = 0;
const ROOT_WORD = 2;

/** Whether all these links have the one id that a filter asks for, and it asks for nothing else. */
export function haveId(
  reader: SampleReader,
  links: readonly number[],
  { span, localRoot, ...others }: Filter,
): boolean {
  const ids = [localRoot ?? [], span ?? []].flat();
  const word = span === undefined ? ROOT_WORD : SPAN_WORD;
  const isId = ids.length === 1 && Object.keys(others).length === 0;
  return isId && links.every((link) => reader.idOf(link, word) === ids[0]);
}

/** One account of all, as if one request had followed the other. */
function together(accounts: readonly Account[]): Account {
  const length = accounts.reduce((sum, each) => sum + each.length, 0);
  const extent = { start: 0n, end: BigInt(length), from: "trace" as const };
  const all = new Account({ id: 0n, extent, children: [] }, null);
  let start = 0;
  for (const each of accounts) {
    all.add(each, start);
    start += each.length;
  }
  return all;
}
