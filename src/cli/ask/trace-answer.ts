/** The answer of `spanflame trace`: spans in the order of their tree, their samples, and the recordings' clocks. */
import { linkValues } from "../../core/samples/link-values.ts";
import { type IdTotals, totalsById } from "../../core/span-totals.ts";
import { IdMap } from "../../ids/map.ts";
import { inferredSpans } from "../../model/query/inferred-spans.ts";
import { Pauses } from "../../model/span-time/pauses.ts";
import { silenceOf } from "../../model/span-time/silent-spans.ts";
import { factsOf, traceHex } from "../../model/trace/beside.ts";
import type { Clock } from "../../model/trace/clock.ts";
import { evidenceOf, idsOf } from "../../model/trace/evidence.ts";
import { areOthersIds, OTHERS_IDS } from "../../model/trace/reasons.ts";
import { reasonWords, type Silence } from "../../model/trace/span-words.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import { byDuration } from "../../model/waits/waits.ts";
import type { CriticalFrames } from "../../model/why/critical-frames.ts";
import { criticalWords } from "../../model/why/critical-words.ts";
import { hexId, isTrace } from "../../model/words/ids.ts";
import { say } from "../../node/terminal.ts";
import { criticalOf } from "../../requests/critical.ts";
import type { HeldCore } from "../../requests/held-core.ts";
import { type ReadSpans, statedBy } from "../../requests/read-spans.ts";

export type TraceAnswer = ReturnType<typeof answerOf>;
export type CriticalRecord = NonNullable<Awaited<ReturnType<typeof pathOf>>>[number];
const NO_TOTALS = { samples: 0, value: 0n };
/** Samples that state their context themselves. */
const OWN = { attributes: inferredSpans(true) };

export type SpanRecord = TraceAnswer["spans"][number];

/**
 * Everything that the trace and the recordings of the core say of each other; with `trace` of this trace only, and
 * then without the roots that no trace knows.
 */
export function answerOf(held: HeldCore, traces: ReadSpans, trace: string | null = null) {
  const { core } = held;
  const { spans, tree } = traces;
  const facts = factsOf(core, spans, tree, core.profiles());
  const pauses = new Pauses(core.views.marks());
  if (areOthersIds(facts)) say(`spanflame: warning: ${OTHERS_IDS}`);
  return {
    recordings: facts.recordings.map(({ name, clock }) => ({ name, clock: clock && clockRecord(clock) })),
    spans: spanRecords(
      traces,
      spanTotals(held),
      (place) => (facts.recordings.length === 0 ? null : silenceOf(tree, place, facts, pauses)),
      trace,
    ),
    otherSamples: othersOf(held, tree, trace),
    unmatchedRoots: trace === null ? unmatched(tree, totalsById(held, "local-root", OWN)) : [],
  };
}

/**
 * What each stretch of the critical path did, in the order of time: of one trace, because a file may have thousands.
 * Null where several are asked about.
 */
export async function pathOf(held: HeldCore, { spans, columns, tree }: ReadSpans, trace: string | null) {
  const first = trace === null ? 0 : [...tree.row.keys()].findIndex((place) => traceHex(tree, place) === trace);
  const isOf = (place: number) => tree.traceLow[place] === tree.traceLow[first];
  let after = first;
  while (after < tree.count && isOf(after)) after++;
  if (first < 0 || tree.count === 0 || (trace === null && after < tree.count)) return null;
  const evidence = held.core.files().map((_, file) => evidenceOf(spans, tree, file));
  const found = await criticalOf(held, { tree, from: first, to: after, evidence });
  return found.map((each) => {
    const { from, to, samples, hottest, wait } = each;
    const place = first + each.place;
    const id = tree.id[place] ?? 0n;
    const of = { id, hex: hexId(id), name: spans.string(columns.name[tree.row[place] ?? 0] ?? 0) };
    const words = criticalWords(each);
    const time = { startUnixNano: from, durationNano: to - from };
    return { ...of, ...time, words, samples, hottest, wait: wait && waitRecord(wait) };
  });
}

/** The wait of a stretch with the one that held it longest. */
function waitRecord({ of, nanos }: NonNullable<CriticalFrames["wait"]>) {
  const { kind, class: name, target, startUnixNano, durationNano, held } = of;
  const [longest] = held.toSorted(byDuration);
  const heldBy = longest && {
    ...{ operation: longest.operation, thread: longest.thread, localRoot: longest.localRoot },
    ...{ durationNano: longest.durationNano, certain: longest.certain },
  };
  return { kind, class: name, target, startUnixNano, durationNano, coveredNano: BigInt(nanos), heldBy: heldBy ?? null };
}

/** Totals of a span in a profile: by its own samples, and by those with inferred context. */
interface SpanTotals {
  type: string;
  own: IdTotals["totals"];
  inferred: IdTotals["totals"];
}

function spanTotals(held: HeldCore): SpanTotals[] {
  const inferred = totalsById(held, "span", { attributes: inferredSpans() });
  return totalsById(held, "span", OWN).map(({ profile, totals }) => ({
    type: profile.type,
    own: totals,
    inferred: inferred.find((other) => other.profile.id === profile.id)?.totals ?? new IdMap(),
  }));
}

function clockRecord({ offset, low, high, agree, asked }: Clock) {
  return { offsetNano: offset, lowNano: low, highNano: high, agree, asked };
}

function spanRecords(
  known: ReadSpans,
  totals: readonly SpanTotals[],
  silenceAt: (place: number) => Silence | null,
  trace: string | null,
) {
  const { spans, columns, tree } = known;
  const text = cached((index: number) => spans.string(index));
  const orNull = (index: number | undefined) => (index === undefined || index === 0 ? null : text(index));
  const places = [...tree.row.keys()].filter((place) => trace === null || traceHex(tree, place) === trace);
  return places.map((place) => {
    const row = tree.row[place] ?? 0;
    const id = tree.id[place] ?? 0n;
    const profiles = totals.flatMap((of) => {
      const isSilent = tree.silent[place] === 1;
      const { samples, value } = (isSilent ? undefined : of.own.get(id)) ?? NO_TOTALS;
      const inferred = (isSilent ? undefined : of.inferred.get(id)) ?? NO_TOTALS;
      if (samples + inferred.samples === 0) return [];
      return [{ type: of.type, samples, value, inferredSamples: inferred.samples, inferredValue: inferred.value }];
    });
    const parent = columns.parent[row] ?? 0n;
    const critical = tree.critical[place] ?? 0n;
    const start = tree.untimed[place] === 1 ? null : (tree.start[place] ?? 0n);
    const length = (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n);
    const isTimed = start !== null || length > 0n;
    const silence = profiles.some(({ samples }) => samples > 0) ? null : silenceAt(place);
    return {
      traceId: traceHex(tree, place),
      id,
      hex: hexId(id),
      parent: parent === 0n ? null : parent,
      orphan: tree.orphan[place] === 1,
      depth: tree.depth[place] ?? 0,
      service: text(columns.service[row] ?? 0),
      name: text(columns.name[row] ?? 0),
      resource: orNull(columns.resource[row]),
      kind: text(columns.kind[row] ?? 0),
      instance: orNull(tree.instance[place]),
      thread: orNull(columns.threadName[row]),
      startUnixNano: start,
      durationNano: isTimed ? length : null,
      selfNano: isTimed ? (tree.self[place] ?? 0n) : null,
      ...statedBy(known, row),
      criticalNano: critical,
      critical: critical > 0n,
      profiles,
      reason: silence?.reason ?? null,
      reasonText: silence && reasonWords(silence),
    };
  });
}

/** Samples of each trace whose span is none of its spans, or that state no span. */
function othersOf(held: HeldCore, tree: TraceTree, trace: string | null) {
  const { index } = idsOf(tree);
  const found = new Map<string, Map<string, number>>();
  for (const { id, type, samplesWithSpan, samplesWithRoot } of held.core.profiles()) {
    if (samplesWithSpan + samplesWithRoot === 0) continue;
    held.about(id, OWN);
    const { span, root, samples, link } = linkValues(held.core.instance);
    for (let row = 1; row < link.length; row++) {
      const place = index.firstOf(span, row) >= 0 ? -1 : index.firstOf(root, row);
      const of = place < 0 ? null : traceHex(tree, place);
      if (of === null || (trace !== null && trace !== of)) continue;
      const types = found.get(of) ?? new Map<string, number>();
      found.set(of, types.set(type, (types.get(type) ?? 0) + (samples[row] ?? 0)));
    }
  }
  return [...found].map(([traceId, types]) => ({
    traceId,
    profiles: [...types].map(([type, samples]) => ({ type, samples })),
  }));
}

/** Local roots of samples that no span has as id. */
function unmatched({ id }: TraceTree, totals: readonly IdTotals[]) {
  const known = new IdMap<true>();
  for (const each of id) known.set(each, true);
  const roots = new IdMap<true>();
  for (const { totals: of } of totals) for (const root of of.keys()) roots.set(root, true);
  return [...roots.keys()]
    .filter((root) => !known.has(root) && !isTrace(root))
    .sort((a, b) => (a < b ? -1 : 1))
    .map((root) => ({
      id: root,
      hex: hexId(root),
      profiles: totals.flatMap(({ profile: { type }, totals: of }) => {
        const found = of.get(root);
        return found === undefined ? [] : [{ type, samples: found.samples }];
      }),
    }));
}

function cached(make: (index: number) => string): (index: number) => string {
  const known = new Map<number, string>();
  return (index) => {
    const text = known.get(index) ?? make(index);
    known.set(index, text);
    return text;
  };
}
