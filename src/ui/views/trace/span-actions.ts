/** What a span of the waterfall selects, and in which profile: actions on the query. */
import { type Chip, filterChipsOf } from "../../../model/query/chips.ts";
import { idChip, typeOfTrace } from "../../../model/query/find.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { MOST_FILTERS } from "../../../model/words/hash-text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";

type Act = ViewProps["act"];
export type Reach = "span" | "below";

/**
 * Opens a trace, which selects it: its local roots become the filter. `type` is the profile on screen; one without a
 * sample of the trace gives way to another.
 */
export async function openTrace(trace: string, tabs: readonly ProfileTab[], type: string, act: Act): Promise<void> {
  const id = BigInt(`0x${trace}`);
  const answer = await viewer.carried([id], true);
  // A failure of the search leaves the trace, which can be shown.
  const found = answer.ok && answer.value?.trace === trace ? answer.value : null;
  const profiles = tabs.flatMap(({ profile }) => profile ?? []);
  const carrying = found?.profiles ?? [];
  const hasSamples = profiles.some((profile) => profile.type === type && carrying.includes(profile.id));
  const chip = idChip({ ids: [id], trace: id } as Parameters<typeof idChip>[0], found);
  const also = (found?.ids ?? []).slice(1, MOST_FILTERS).map((each) => ({ kind: chip.kind, id: each }));
  act({ kind: "only-id", chip, also, type: hasSamples ? type : typeOfTrace(profiles, carrying, type), trace });
}

/** Ids of a span, or of the sampled spans among it and those below it. */
function idsOf({ id, size, profiles }: TraceSpans, place: number, reach: Reach): bigint[] {
  const own = id[place] ?? 0n;
  if (reach === "span") return [own];
  const end = place + (size[place] ?? 1);
  const below = Array.from({ length: end - place - 1 }, (_, i) => place + 1 + i);
  return [
    own,
    ...below.filter((at) => profiles.some(({ samples }) => (samples[at] ?? 0) > 0)).map((at) => id[at] ?? 0n),
  ];
}

/** Whether exactly these spans are the filter. */
export function isSelected(trace: TraceSpans, place: number, reach: Reach, { filter }: ViewProps["query"]): boolean {
  const ids = idsOf(trace, place, reach);
  const chosen = [filter.span ?? []].flat();
  if (isWhole(trace, place, reach) && chosen.length === 0) return filter.localRoot !== undefined;
  return ids.length === chosen.length && ids.every((id) => chosen.includes(id));
}

/** The root with all spans of the trace: its local roots select them, and samples of no span, too. */
function isWhole({ id, size }: TraceSpans, place: number, reach: Reach): boolean {
  return reach === "below" && size[place] === id.length;
}

/** Selects a span, or it with its children; what is selected is selected no longer. */
export function selectSpans(trace: TraceSpans, place: number, reach: Reach, props: ViewProps): void {
  const { query, tabs, profile, act } = props;
  if (!isSelected(trace, place, reach, query)) {
    if (isWhole(trace, place, reach)) void openTrace(trace.trace, tabs, profile.type, act);
    else act(selecting(trace, place, reach, props));
    return;
  }
  const [chip, ...also] = filterChipsOf(query.filter).filter(({ kind }) => kind === "span" || kind === "local-root");
  if (chip !== undefined) act({ kind: "remove", chip, also });
}

function selecting(trace: TraceSpans, place: number, reach: Reach, { query, profile }: ViewProps): QueryAction {
  const [id = 0n, ...others] = idsOf(trace, place, reach);
  const type = typeOf(trace, place, reach, profile.type);
  if (others.length < MOST_FILTERS) {
    const also = others.map((each): Chip => ({ kind: "span", id: each }));
    return { kind: "only-id", chip: { kind: "span", id }, also, type };
  }
  // More ids than a link has: its operation, start and duration select the same.
  const exactly = (from: bigint) => ({ from, to: from + 1n });
  const operation = trace.texts[trace.nameOf[place] ?? 0] ?? "";
  const start = exactly(trace.start + BigInt(trace.from[place] ?? 0));
  const duration = exactly(BigInt(trace.length[place] ?? 0));
  return { kind: "open", chips: [{ kind: "spans", operation, start, duration }], type, view: query.view };
}

/** The profile on screen, or where it has no sample of the spans that with most of them, Wall before others. */
function typeOf(trace: TraceSpans, place: number, reach: Reach, shown: string): string {
  const counts = countsOf(trace, place, reach);
  if (counts.some(({ type }) => type === shown)) return shown;
  return counts.find(({ type }) => type.split(":", 1)[0] === "wall")?.type ?? counts[0]?.type ?? shown;
}

/** Profiles that have samples of the spans, that with most of them first. */
function countsOf({ profiles, size }: TraceSpans, place: number, reach: Reach) {
  const end = place + (reach === "below" ? (size[place] ?? 1) : 1);
  return profiles
    .map(({ type, samples }) => ({ type, count: samples.subarray(place, end).reduce((sum, n) => sum + n, 0) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** A moment of this length at least: samples are some milliseconds apart. */
const LEAST_TIME = 20_000_000n;

/** The time of a span on the clock of the recording, with some before and after a short one. */
export function timeChip({ start, from, length, offset }: TraceSpans, place: number): Chip {
  const begin = start + BigInt(Math.round((from[place] ?? 0) + (offset ?? 0)));
  const nanos = BigInt(Math.round(length[place] ?? 0));
  const more = nanos < LEAST_TIME ? (LEAST_TIME - nanos) / 2n : 0n;
  return { kind: "time", from: begin - more, to: begin + nanos + more + 1n };
}

/**
 * Opens the flame chart of a span, or of a local root with all spans below it, in the profile on screen or that with
 * most of the samples; null without samples.
 */
export function chartOf(trace: TraceSpans, place: number, by: "span" | "root", shown: string, act: Act) {
  const counts = countsOf(trace, place, by === "root" ? "below" : "span");
  const [most] = counts;
  if (most === undefined) return null;
  const type = counts.some((each) => each.type === shown) ? shown : most.type;
  const chips: Chip[] = [{ kind: by === "root" ? "local-root" : "span", id: trace.id[place] ?? 0n }];
  return () => act({ kind: "open", chips, type, view: "chart" });
}
