/** All questions of the page about the open recording, a row each. Loaded once the first graph is drawn. */
import { rowValues, type TableRows } from "../../core/answers/row-values.ts";
import type { TimeRow } from "../../core/answers/time-rows.ts";
import { isWithin } from "../../core/answers/uploads.ts";
import type { Core } from "../../core/core.ts";
import type { RankBy, RankHow } from "../../core/rank-types.ts";
import { samplesOf } from "../../core/samples/sample-reader.ts";
import type { Filter, FramesRequest, TimeRange } from "../../core/types.ts";
import type { OutlineKeys, ShownTime } from "../../core/view-types.ts";
import { why } from "../../core/why.ts";
import { turn } from "../../input/turn.ts";
import type { Baseline } from "../../model/query/baseline.ts";
import { filterKey } from "../../model/query/query.ts";
import { PROFILER } from "../../model/query/run-rules.ts";
import { drawn, withoutRuns } from "../../model/query/shape.ts";
import type { FindingRule } from "../../model/span-time/rule-types.ts";
import { lengthsOf } from "../../model/why/kept-context.ts";
import { patternsIn, RuleFileError, rulesOf } from "../../model/why/rule-file.ts";
import { foundSteps, toldSteps, type WhySummary } from "../../model/why/summary.ts";
import { loadPatterns } from "../../pattern/pattern.ts";
import type { Download, DownloadRequest, EventChoice, Query, WriteRequest } from "../api/api.ts";
import type { LibraryNames } from "../api/symbols-api.ts";
import type { CallRequests } from "../calls/calls.ts";
import type { OpenRecording } from "../open-recording.ts";
import { readAgain } from "../reading.ts";
import { recordedFacts } from "../recorded-facts.ts";
import { Refusal } from "../refusal.ts";
import { Finding } from "../traces/finding.ts";
import { marksOf } from "../traces/sample-facts.ts";
import type { TraceRequests } from "../traces/span-requests.ts";
import { locksIn, waitsOfSpans } from "../waits.ts";
import { type Asked, GRAPH, profilerLast, whole } from "./graph.ts";

const symbols = () => import("../symbols.ts");
const states = () => import("../thread-states.ts");
const events = () => import("../selected-events.ts");
const reader = (asked: Asked) => ({ asked, read: readAgain });

/** The last story that the page asked a session for: an older one that is still told ends. */
const stories = new WeakMap<Asked, string>();

function figuresOf(recording: OpenRecording, query: Query) {
  const alone = recording.alone(query);
  return recording.keep(["why", alone], () => {
    recording.look(withoutRuns(alone), alone.filter);
    return why(recording.held, alone, { ...recording.whyContext(), last: PROFILER });
  });
}

async function toldOf(asked: Asked, recording: OpenRecording, query: Query, own: string, isOfReport: boolean) {
  const alone = recording.alone(query);
  return recording.keep(["sentence", alone, own], async () => {
    const { held, spans } = recording;
    // What recordings know of spans may be a part of their time.
    const tree = spans.overview()?.files.length ? spans.tree() : null;
    const locksOf = await locksIn(held, recording.read.profiles());
    const how = { own, lengthOf: tree === null ? undefined : lengthsOf(tree), locksOf };
    const figures = await figuresOf(recording, query);
    const ask: typeof why = (of, wanted, context) => (context?.peers ? why(of, wanted, context) : figures);
    return telling(asked, recording, alone, own, isOfReport, toldSteps(held, ask, alone, recording.whyContext(), how));
  });
}

/** The end of steps, between which other questions are answered. Throws a Refusal once the page asks for another. */
async function telling<T>(
  asked: Asked,
  recording: OpenRecording,
  alone: Query,
  own: string,
  isOfReport: boolean,
  steps: Generator<void, T>,
): Promise<T> {
  const open = withoutRuns(alone);
  const story = filterKey([alone, own]);
  if (!isOfReport) stories.set(asked, story);
  for (;;) {
    recording.held.see(open);
    const step = steps.next();
    if (step.done === true) return step.value;
    // Another question may need other calls, whose samples take the place of these.
    if (recording.calls !== null) continue;
    // It takes longer than a view: questions of the user go first.
    await turn();
    const isLatest = isOfReport || stories.get(asked) === story;
    if (!isLatest || asked.opened !== recording) throw new Refusal("superseded", "The selection has changed.");
  }
}

/** Answers without columns, which are given away. */
const KEPT: readonly (keyof TraceRequests)[] = ["choiceTime", "slowRequests"];

/** The user's rules, parsed once: the core caches results by list of rules. */
let user: { text: string; rules: readonly FindingRule[] } = { text: "", rules: [] };

/** The rules of a file's text. Throws a Refusal with the reason why it is refused. */
async function rulesIn(text: string): Promise<readonly FindingRule[]> {
  if (text === user.text) return user.rules;
  await loadPatterns(patternsIn(text));
  try {
    user = { text, rules: text === "" ? [] : rulesOf(text) };
  } catch (error) {
    throw error instanceof RuleFileError ? new Refusal("rules", error.message) : error;
  }
  return user.rules;
}

function findingOf({ opened }: Asked): Finding {
  opened.found ??= new Finding(opened.held, opened.read.profiles());
  return opened.found;
}

/** Writes a message of the recording, which is read again if its names are to be normalised. */
async function writing<T>(
  asked: Asked,
  { normaliseNames }: WriteRequest,
  write: (writing: typeof import("../writing.ts"), core: Core, recording: OpenRecording) => T | Promise<T>,
): Promise<T> {
  const module = await import("../writing.ts");
  const recording = asked.opened;
  const { files, choice } = recording.read;
  // Methods of dumps keep the names of their dictionary.
  const again = normaliseNames === true && recording.calls === null;
  const { inferred } = choice;
  const core = again
    ? await readAgain(await asked.newCore(choice), files, { inferred, names: recording.names, normalise: true })
    : recording.core;
  await core.complete();
  return write(module, core, recording);
}

export const PAGE = {
  ...GRAPH,

  /** Rows of the call tree below a node, heaviest first. */
  children: ({ opened }: Asked, query: Query, node: number) => opened.look(drawn(query)).children(node),

  /** Values in `query` of rows of tables, in one pass: those that its samples with inferred context have. */
  valuesOf: ({ opened }: Asked, query: Query, rows: TableRows) =>
    rowValues(opened.look("names" in rows ? query : drawn(query)), rows),

  /** The frames of `query` and of a baseline. */
  diff: async (asked: Asked, query: Query, baseline: Baseline, request: FramesRequest & { normalised: boolean }) => {
    const { views, ...totals } = (await whole(asked)).beside(drawn(query), baseline);
    return { ...views.diff({ ...request, rest: baseline.rest }), ...totals };
  },

  /** Functions of both, those that differ most first. */
  changed: async (asked: Asked, query: Query, of: Baseline, normalised: boolean, offset: number, limit: number) => {
    const last = await profilerLast();
    const { views, ...totals } = (await whole(asked)).beside(query, of, true);
    return { ...views.changed(of.rest, normalised, offset, limit, last), ...totals };
  },

  /** The figures of Why, which take no longer than a view. */
  why: async (asked: Asked, query: Query) => figuresOf(await whole(asked), query),

  /** Why with the story, of which the sentence is. `own`: prefixes of the user's packages. */
  sentence: async (asked: Asked, query: Query, own: string) =>
    (await toldOf(asked, await whole(asked), query, own, false)).summary,

  /**
   * Why with story and findings. `rules`: text of a file of rules. The story of a report neither ends that of the page
   * nor ends with it.
   */
  story: async (asked: Asked, query: Query, own: string, rules: string, isOfReport = false): Promise<WhySummary> => {
    const read = await rulesIn(rules);
    const recording = await whole(asked);
    const alone = recording.alone(query);
    return recording.keep(["story", alone, own, rules], async () => {
      const told = await toldOf(asked, recording, query, own, isOfReport);
      const steps = foundSteps(recording.held, recording.read.profiles(), alone, told, read);
      return { ...told.summary, ...(await telling(asked, recording, alone, own, isOfReport, steps)) };
    });
  },

  /** Samples in every profile, extent, threads and endpoint of a filter. */
  outline: (asked: Asked, filter: Filter, keys: OutlineKeys) => {
    const { opened } = asked;
    const known = opened.samplesOf(filter);
    return opened.keep(["outline", known, keys], () => findingOf(asked).stated(known, keys, opened.spans));
  },

  /** What the first of the ids that anything knows means. */
  carried: (asked: Asked, ids: bigint[], wholeTrace: boolean) =>
    findingOf(asked).carried(ids, wholeTrace, asked.opened.spans),

  /** Lines about an id that no sample carries, and its trace, if one has it. */
  uncarried: (asked: Asked, id: bigint) => findingOf(asked).uncarried(id, asked.opened.spans),

  /** Attribute values that contain a text, and local roots whose ids begin with it, at most `limit` of each. */
  suggest: (asked: Asked, text: string, limit: number) => findingOf(asked).suggest(text, limit),

  /** The first `most` selected samples by thread and time. */
  ordered: (asked: Asked, { profile, filter }: Query, most: number) =>
    findingOf(asked).ordered(profile, asked.opened.samplesOf(filter), most),

  /** The selection as a heat map of at most so many columns. */
  heat: ({ opened }: Asked, query: Query, columns: number, range: ShownTime | null) =>
    opened.about(query).heat(query.profile, columns, range),

  /** Measurements of the JVM, in bins of a part of a row. */
  series: ({ opened }: Asked, row: TimeRow, shown: ShownTime, bins: number) =>
    opened.core.views.series(row, shown, bins),

  /** Pauses, gaps and losses: of the recordings, independent of the selection. */
  marks: ({ opened }: Asked) => marksOf(opened.core),

  /** The longest pauses of recordings and dumps, or of a file, and number and time of all; no other filter counts. */
  pauses: async ({ opened: { core, calls } }: Asked, most: number, file: string | null) => {
    const { pausedIn, pausesOf } = await import("../pauses.ts");
    const all = (await pausesOf(core, calls !== null)).filter(({ source }) => file === null || isWithin(source, file));
    return { count: all.length, nanos: pausedIn(all).nanos, rows: all.slice(0, most) };
  },

  /** When the samples were taken, in the whole recording or in a part of it, and those of some threads. */
  timeline: ({ opened }: Asked, query: Query, bins: number, threads: number[], range: ShownTime | null) =>
    opened.about(query).timeline(query.profile, bins, threads, range),

  /** A strip for each of some rows of time. */
  overviews: ({ opened }: Asked, query: Query, bins: number, rows: ShownTime[]) => {
    const views = opened.about(query);
    return rows.map((row) => views.timeline(query.profile, bins, [], row));
  },

  /** The threads with samples in a file. */
  threads: ({ opened }: Asked, query: Query, of?: ShownTime) => opened.about(query).threads(query.profile, of),

  /** What threads did in a time, in so many pixels. `isPart`: the selection leaves something out. */
  stateLanes: async (asked: Asked, filter: Filter, isPart: boolean, threads: number[], pixels: number, of: TimeRange) =>
    (await states()).stateLanes(
      (await whole(asked)).held,
      isPart ? asked.opened.samplesOf(filter) : null,
      ...([threads, pixels, of] as const),
    ),

  /** The waits of spans, in the order of their starts. */
  waitsOfSpans: async (asked: Asked, span: bigint[]) => {
    const { held, read } = await whole(asked);
    return waitsOfSpans(held, read.profiles(), span);
  },

  /** What each stretch of the critical path of a trace did. */
  criticalFrames: async (asked: Asked, trace: string) => {
    const recording = await whole(asked);
    const places = recording.spans.placesOf(trace);
    if (places === null) throw new Refusal("closed", "No such trace is open.");
    return (await import("../critical.ts")).criticalOf(recording.held, places);
  },

  /** What a thread of the store did at a moment, or within so many ns of it. */
  stateThen: async (asked: Asked, thread: number, moment: bigint, reach: number) => {
    const { held, read } = await whole(asked);
    return (await states()).stateThen(held, read.profiles(), thread, moment, reach);
  },

  /** What threads did in the samples of a frame of the call tree; null where that is unknown. */
  frameStates: async (asked: Asked, query: Query, node: number) =>
    (await import("../frame-states.ts")).frameStates(await whole(asked), query, node),

  /** The lines of a source file, by the path that its functions have, in the stacks of a selection. */
  sourceLines: async (asked: Asked, { profile, measure, filter }: Query, path: string) => {
    const { held } = await whole(asked);
    const { sourceLines } = await import("../source-lines.ts");
    return sourceLines(samplesOf(held), { profile, measure, filter: asked.opened.samplesOf(filter) }, path);
  },

  /** The events of a selection by type. */
  eventTypes: async (asked: Asked, choice: EventChoice) => (await events()).eventTypes(reader(asked), choice),

  /** Events [offset, offset + limit) of a type, and a histogram of all. */
  eventList: async (asked: Asked, choice: EventChoice, type: string, offset: number, limit: number) =>
    (await events()).eventList(reader(asked), choice, type, offset, limit),

  /** Functions of the stack of an event, the leaf first. */
  eventStack: async (asked: Asked, choice: EventChoice, number: number) =>
    (await events()).eventStack(reader(asked), choice, number),

  /** Gives up the memory of events. */
  forgetEvents: async (asked: Asked) => (await events()).forgetEvents(reader(asked)),

  /** What threads did for a selection, in ns from a moment on. */
  stateColumns: async (asked: Asked, filter: Filter, threads: number[], origin: bigint) =>
    (await states()).stateColumns((await whole(asked)).held, asked.opened.samplesOf(filter), threads, origin),

  /** Rows [offset, offset + limit) of the ranking, heaviest first unless asked otherwise. */
  rank: ({ opened }: Asked, query: Query, by: RankBy, offset: number, limit: number, how: RankHow = {}) =>
    opened.spans.ranked(by, how, [offset, limit], (from, most) => opened.rank(query, by, from, most, how)),

  /** A request about calls: `viewer.ofCalls("list", question, 0, 100)`. */
  ofCalls: ({ opened: { calls } }: Asked, name: keyof CallRequests, ...given: unknown[]): unknown => {
    if (calls === null) throw new Refusal("closed", "No dump is open.");
    return (calls[name] as (...given: unknown[]) => unknown)(...given);
  },

  /** A request about traces: `viewer.ofTraces("spans", trace, [])`. */
  ofTraces: ({ opened }: Asked, name: keyof TraceRequests, ...given: unknown[]): unknown => {
    const ask = () => opened.spans.ask(name, given as never);
    return KEPT.includes(name) ? opened.keep([name, given], ask) : ask();
  },

  /** Native libraries with frames that are known by their address, over all profiles. */
  libraries: async (asked: Asked) => {
    const { held } = await whole(asked);
    return (await symbols()).nativeLibraries(held);
  },

  /** Facts that tell what the recording cannot show. */
  recordedFacts: async (asked: Asked) => {
    const { held, read } = await whole(asked);
    return recordedFacts(held, read.profiles());
  },

  /** Shows these names, by build id, and no others. The answer is the node that `focus` of `query` is now, or 0. */
  nameFrames: async (asked: Asked, names: ReadonlyMap<string, LibraryNames>, query: Query, focus: number) => {
    await whole(asked);
    const { showNames } = await symbols();
    const recording = asked.opened;
    recording.names = names;
    const views = focus === 0 ? recording.core.views : recording.look(drawn(query));
    return views.nodeAfter(focus, () => {
      showNames(recording.held, names);
      recording.forgetSamples();
      if (focus !== 0) recording.look(drawn(query));
    });
  },

  download: (asked: Asked, request: DownloadRequest): Promise<Download> =>
    writing(asked, request, async ({ writeDownload, recordingsOf }, core, recording) => {
      const invocations = (await recording.calls?.file(request)) ?? null;
      if (invocations !== null) return invocations;
      const { files, kinds } = recording.read;
      return writeDownload(core, recording.alone(request), recordingsOf(request, files, kinds));
    }),

  /** Messages for a receiver, each below the size that a Collector accepts; none if no sample passes. */
  messages: (asked: Asked, request: WriteRequest) =>
    writing(asked, request, ({ writeMessages }, core, recording) => writeMessages(core, recording.alone(request))),
};
