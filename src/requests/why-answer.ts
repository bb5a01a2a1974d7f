/** Why a selection took its time: the answer of `why`, for the command line and the library. */
import type { Filter, ProfileSummary, SpanChoice } from "../core/types.ts";
import { why as figuresOf, type WhyContext } from "../core/why.ts";
import { errorOf } from "../model/lists/confidence.ts";
import { contentionOf, wholeContention } from "../model/recording/contention.ts";
import type { FindingRule } from "../model/span-time/rule-types.ts";
import { lengthsOf } from "../model/why/kept-context.ts";
import {
  eventsTold,
  pathWords,
  type ToldSamples,
  type ToldTime,
  toldSamples,
  toldTime,
  whySentence,
} from "../model/why/sentence.ts";
import { summaryOf, type WhySummary } from "../model/why/summary.ts";
import { hexId } from "../model/words/ids.ts";
import { type Measured, measured } from "../model/words/measure.ts";
import type { WhyAnswer, WhyRequests, WhyRequestTime, WhyTold } from "./api/why-api.ts";
import type { HeldCore, Wanted } from "./held-core.ts";
import type { ChoiceTime, SpanRequests } from "./traces/span-requests.ts";
import { locksIn } from "./waits.ts";

interface Asked {
  profile: ProfileSummary;
  measure: number;
  filter: Filter;
  shape?: Wanted["shape"];
  /** Only requests of this operation. */
  operation?: string | undefined;
  /** Prefixes of the user's packages. */
  own?: readonly string[] | undefined;
  /** Rules beside those of the table. */
  rules?: readonly FindingRule[];
}

/** The answer, and what its words are made of. */
export interface WhyFound {
  answer: WhyAnswer;
  summary: WhySummary;
  /** The profile, with all that shares are of. */
  shared: Measured;
  /** Null where no request is selected. */
  time: ChoiceTime | null;
  /** With the ids of the spans of the operation. */
  filter: Filter;
}

export async function whyAnswer(
  held: HeldCore,
  spans: SpanRequests,
  { profile, measure, filter: given, shape, operation, own = [], rules = [] }: Asked,
  context: WhyContext = { profiles: held.core.profiles(), marks: held.core.views.marks(), whole: new Map() },
): Promise<WhyFound> {
  const { profiles } = context;
  const choice = operation === undefined ? {} : { operation };
  const time = await requestTime(profiles, spans, choice, given);
  const filter = operation === undefined ? given : await spans.samplesFound({ ...given, spans: choice });
  // What recordings know of spans may be a part of their time.
  const tree = spans.overview()?.files.length ? spans.tree() : null;
  const lengthOf = tree === null ? undefined : lengthsOf(tree);
  const locksOf = await locksIn(held, profiles);
  const wanted = { profile: profile.id, measure, filter: contentionOf(profile, filter) };
  held.look(shape === undefined ? wanted : { ...wanted, shape });
  const summary = summaryOf(held, figuresOf, wanted, context, { own: own.join(","), rules, lengthOf, locksOf });
  const all = wholeContention(profile, filter);
  const shared = { ...measured(profile, measure), ...(all !== null && held.totals(profile.id, all, measure)) };
  const told = toldTime(filter, time);
  const typeOf = (id: number | null) => profiles.find((each) => each.id === id)?.type ?? null;
  const facts = factsRecord(summary, profile.type, typeOf);
  const answer = {
    sentence: whySentence(summary, summary.story, told),
    told: toldRecord(
      summary,
      toldSamples(summary, shared, (id) => profiles.find((each) => each.id === id)),
      told,
      typeOf,
    ),
    ...facts,
    requests: time && requestsRecord(time),
  };
  return { answer, summary, shared, time, filter };
}

/** Null where no request is selected. */
async function requestTime(
  profiles: readonly ProfileSummary[],
  spans: SpanRequests,
  choice: SpanChoice,
  filter: Filter,
): Promise<ChoiceTime | null> {
  const hasIds = profiles.some((profile) => {
    const { samplesWithSpan, samplesWithRoot, inferredSpan = 0, inferredRoot = 0 } = profile;
    return samplesWithSpan + samplesWithRoot + inferredSpan + inferredRoot > 0;
  });
  return hasIds || spans.overview() !== null ? await spans.ask("choiceTime", [choice, filter]) : null;
}

/** The answer about a recording without samples. */
export const NOTHING: WhyAnswer = {
  ...{ sentence: "", told: null, profile: null, samples: 0, observations: 0, value: 0n, time: null },
  ...{ states: [], paths: [], gc: { pauses: 0, nano: 0n }, peers: null, pools: null, findings: [] },
  ...{ attributes: [], waited: null, requests: null },
};

function factsRecord(
  summary: WhySummary,
  profile: string,
  typeOf: (id: number | null) => string | null,
): Omit<WhyAnswer, "sentence" | "told" | "requests"> {
  const { totals, observations, pauses, story, findings, pools, standingOut, waited } = summary;
  const { time } = pauses;
  return {
    profile,
    samples: totals.samples,
    observations,
    value: totals.value,
    time: time && { startUnixNano: time.from, durationNano: time.to - time.from, from: "samples" },
    states: (story?.states ?? []).map(({ state, share }) => ({ state, share })),
    paths: (story?.parts ?? []).map((part) => ({
      path: pathWords(part),
      function: part.name,
      state: part.state,
      share: part.share,
    })),
    gc: { pauses: pauses.pauses, nano: BigInt(Math.round(pauses.nanos)) },
    peers: story?.peers ?? null,
    pools: pools && {
      rows: pools.rows.map(({ name, threads, nano, parts, path }) => ({ name, threads, nano, parts, path })),
      idle: pools.idle,
    },
    findings: findings.map(({ profile: id, samples, ...finding }) => ({ ...finding, profile: typeOf(id), samples })),
    attributes: standingOut.map(({ key, value, share, restShare }) => ({ key, value, share, otherShare: restShare })),
    waited,
  };
}

/** The samples that the sentence is of, all of one profile, and the profiles of events that it tells of beside them. */
function toldRecord(
  summary: WhySummary,
  { profile, totals, counted }: ToldSamples,
  time: ToldTime | null,
  typeOf: (id: number) => string | null,
): WhyTold {
  const events = eventsTold(summary, summary.story, time).map(typeOf);
  const samples = { samples: totals.samples, observations: counted, value: totals.value };
  return { profile: profile.type, ...samples, errorPoints: errorOf(counted), events };
}

/** Where durations are from, as `why --span` names it. */
const FROM = { files: "trace", recordings: "recording", ends: "recording", roots: "samples" } as const;

function requestsRecord(time: ChoiceTime): WhyRequests {
  const { source, unknownRoots, longest, rest } = time;
  return {
    requests: time.requests,
    from: FROM[source],
    ...partsRecord(time),
    unknownRoots,
    longest: longest.map(({ id, trace, operation, service, start, duration }) => ({
      ...{ id, hex: hexId(id), traceId: trace === "" ? null : trace },
      ...{ operation, service, startUnixNano: start, durationNano: BigInt(duration) },
    })),
    others: rest === null ? null : { requests: rest.requests, of: rest.of, ...partsRecord(rest) },
  };
}

type Timed = Pick<ChoiceTime, "counted" | "duration" | "samples" | "inferredSamples" | "cpu" | "breakdown">;

function partsRecord({
  counted,
  duration,
  samples,
  inferredSamples,
  cpu,
  breakdown,
}: Timed): Omit<WhyRequestTime, "requests"> {
  const cpuNano = cpu === null ? null : BigInt(cpu);
  return { counted, durationNano: BigInt(duration), samples, inferredSamples, cpuNano, breakdown };
}
