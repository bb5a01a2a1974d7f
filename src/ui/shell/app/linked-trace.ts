/** What the links of other tools open: their span, else its trace, else the time around it; and how to say which. */
import type { TimeRange } from "../../../core/types.ts";
import { idChip, typeOfTrace } from "../../../model/query/find.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import type { AskedTrace } from "../../../model/query/written/linked-trace.ts";
import { timeOfId } from "../../../model/trace/id-time.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { MOST_FILTERS } from "../../../model/words/hash-text.ts";
import { hexId, isTrace } from "../../../model/words/ids.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import type { PastedIds } from "../../../model/words/pasted-ids.ts";
import type { Overview, Result, TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";

/** An id of a link, as if it were pasted. */
export function linkedIds(id: bigint): PastedIds {
  const trace = isTrace(id) ? id : null;
  const ids = trace === null ? [id] : [id, BigInt.asUintN(64, id)];
  return { form: "link", ids, trace, span: null, wholeTrace: trace !== null, labelled: true };
}

/** The trace of the files, of which there is one; null where no sample carries it. */
export async function soleTrace(): Promise<PastedIds | null> {
  const spans = (await viewer.ofTraces("spans", "", [])) as Result<TraceSpans | null>;
  if (!spans.ok || spans.value === null) return null;
  const ids = linkedIds(BigInt(`0x${spans.value.trace}`));
  const carried = await viewer.carried([ids.ids[0] ?? 0n], true);
  return carried.ok && (carried.value?.profiles.length ?? 0) > 0 ? ids : null;
}

interface Opened {
  /** With other files beside these the link may lead to something. */
  isNothing?: true;
  actions: UndoableAction[];
  words: string;
}

/** `type`: the profile on screen. */
export async function openLinked(
  { span, trace, around }: AskedTrace,
  overview: Overview,
  type: string,
): Promise<Opened> {
  const missing: string[] = [];
  for (const [what, ids] of [
    ["span", span],
    ["trace", trace],
  ] as const) {
    if (ids === null) continue;
    const opened = await openIds(ids, what, overview, type);
    if (opened !== null) return { actions: [opened], words: words(what, missing, "") };
    missing.push(`the ${what} ${hexId(ids.ids[0] ?? 0n)}`);
  }
  const ids = trace ?? span;
  const found = await timeAround(trace, span);
  const whole = overview.time;
  if (found !== null && whole !== null) {
    const time = { from: found.from - around, to: found.to + around };
    const when = formatMoment(found.from, 0);
    if (time.from < whole.to && time.to > whole.from) {
      const chip = { kind: "time", ...time } as const;
      const actions: UndoableAction[] = [{ kind: "clear" }, { kind: "add", chip }, { kind: "view", view: "overview" }];
      return {
        actions,
        words: words("time", missing, `${formatNanos(around)} before and after ${when} is selected: ${found.by}.`),
      };
    }
  }
  const chip = ids === null ? null : idChip(ids, null);
  const actions: UndoableAction[] = chip === null ? [] : [{ kind: "only-id", chip }];
  return { actions, words: words("nothing", missing, ""), isNothing: true };
}

/** The action that selects the ids; null where no sample carries them. `what`: as what the link has them. */
async function openIds(
  { ids }: PastedIds,
  what: "span" | "trace",
  { profiles }: Overview,
  type: string,
): Promise<UndoableAction | null> {
  const answer = await viewer.carried(ids, what === "trace");
  const found = answer.ok ? answer.value : null;
  if (found === null || found.profiles.length === 0) return null;
  const { kind } = found;
  const [chip, ...also] = found.ids.slice(0, MOST_FILTERS).map((id) => ({ kind, id }));
  const shown = typeOfTrace(profiles, found.profiles, type);
  return chip === undefined
    ? null
    : { kind: "only-id", chip, also, type: shown, trace: found.trace ?? "", view: "overview" };
}

/** When the trace was, by the clock of the recording: a trace file knows it, or the id says it. */
async function timeAround(...asked: (PastedIds | null)[]): Promise<(TimeRange & { by: string }) | null> {
  const ids = asked.flatMap((each) => each?.ids ?? []);
  const carried = await viewer.carried(ids, true);
  const trace = carried.ok ? (carried.value?.trace ?? null) : null;
  if (trace !== null) {
    const spans = (await viewer.ofTraces("spans", trace, ids)) as Result<TraceSpans | null>;
    if (spans.ok && spans.value !== null) {
      const from = spans.value.start + BigInt(Math.round(spans.value.offset ?? 0));
      return { from, to: from + BigInt(Math.round(spans.value.duration)), by: "its trace file has it then" };
    }
  }
  const from = ids.map(timeOfId).find((each) => each !== null) ?? null;
  return from === null ? null : { from, to: from + 1_000_000_000n, by: "its id says that it began then" };
}

function words(used: "span" | "trace" | "time" | "nothing", missing: readonly string[], time: string): string {
  const none = missing.length === 0 ? "" : `No sample carries ${missing.join(" or ")} of the link. `;
  if (used === "time") return `${none}The time of ${time}`;
  if (used === "nothing") return `${none}Nothing says when it was, or these files are of another time.`;
  return `${none}The ${used} of the link is selected.`;
}
