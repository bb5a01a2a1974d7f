/** Everything that Why tells of a selection: its figures and its story, which its sentence has, and its findings. */
import type { Accepts } from "../../core/answers/function-names.ts";
import type { Held } from "../../core/held.ts";
import { profileOfKind } from "../../core/tables/kinds.ts";
import type { Filter, ProfileSummary, Selection } from "../../core/types.ts";
import type { Why } from "../../core/view-types.ts";
import type { WhyContext } from "../../core/why.ts";
import { PROFILER } from "../query/run-rules.ts";
import { missingIds } from "../recording/span-ids.ts";
import type { FindingRule } from "../span-time/rule-types.ts";
import { type Blocked, blockedBy, type Waited, waitedFor } from "../waits/held.ts";
import type { Wait } from "../waits/waits.ts";
import { codeOf } from "./application.ts";
import { type Causes, causesOf, type ToldEvents, toldEvents } from "./causes.ts";
import { type Extent, type Finding, findingsOf } from "./findings.ts";
import { keptContext, type LengthOf } from "./kept-context.ts";
import { type Pools, poolsOf, statedParts } from "./pools.ts";
import { FINDING_RULES } from "./rules.ts";
import { busySamples, type Story, storyOf } from "./story.ts";

/** What the sentence is made of. */
export interface WhyTold extends Why {
  story: Story | null;
  causes: Causes;
  /** Null where holders are not known: context is not inferred, or nothing waited. */
  waited: Waited | null;
  /** Who blocks whom, the longest first. */
  blocked: Blocked[];
}

export interface WhyFound {
  /** Null where samples have ids: then there are requests; and where one thread is all there is. */
  pools: Pools | null;
  findings: Finding[];
}

export type WhySummary = WhyTold & WhyFound;

export interface WhyHow {
  /** Prefixes of the user's packages. */
  own?: string;
  /** Rules beside those of the table. */
  rules?: readonly FindingRule[];
  /** Durations of spans that trace files state. */
  lengthOf?: LengthOf | undefined;
  /** Waits for locks, where their holders are known. */
  locksOf?: ((filter: Filter) => readonly Wait[]) | undefined;
}

const MOST_BLOCKED = 50;

/** The table with each list of a user's rules: one array for each, because the core caches by array. */
const tables = new WeakMap<readonly FindingRule[], readonly FindingRule[]>();

function tableWith(rules: readonly FindingRule[] | undefined): readonly FindingRule[] {
  if (rules === undefined || rules.length === 0) return FINDING_RULES;
  const known = tables.get(rules) ?? [...rules, ...FINDING_RULES];
  tables.set(rules, known);
  return known;
}

/** `why` is the core's question (src/core/why.ts). */
type Ask = (held: Held, wanted: Selection, context: WhyContext) => Why;

export function summaryOf(held: Held, why: Ask, wanted: Selection, context: WhyContext, how: WhyHow = {}): WhySummary {
  return endOf(summarySteps(held, why, wanted, context, how));
}

export function endOf<T>(steps: Generator<void, T>): T {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The summary in steps. Between two steps the core may answer other questions about the same tree. */
export function* summarySteps(
  held: Held,
  why: Ask,
  wanted: Selection,
  context: WhyContext,
  how: WhyHow = {},
): Generator<void, WhySummary> {
  const told = yield* toldSteps(held, why, wanted, context, how);
  return { ...told.summary, ...(yield* foundSteps(held, context.profiles, wanted, told, how.rules)) };
}

export interface Told {
  summary: WhyTold;
  extent: Extent & Required<Pick<Extent, "told" | "accepts">>;
}

/** The part with the sentence. */
export function* toldSteps(
  held: Held,
  why: Ask,
  wanted: Selection,
  context: WhyContext,
  { own, lengthOf, locksOf }: WhyHow,
): Generator<void, Told> {
  const { profiles } = context;
  const code = codeOf(own);
  const story = yield* storyOf(held, profiles, wanted, code);
  yield;
  const answer = why(held, wanted, { ...context, peers: story?.peerFilter ?? null, last: PROFILER });
  yield;
  const { time, nanos: pauseNanos } = answer.pauses;
  const nanos = time === null ? 0 : Number(time.to - time.from);
  const accepts = story?.inLibraries ? code.outsideJdk : code.application;
  // The same whichever profile is asked about.
  const running = profileOfKind(profiles, "cpu") ?? profileOfKind(profiles, "wall");
  const ran =
    running === undefined ? 0 : Number(held.totals(running.id, wanted.filter).value) * (running.meaning.nanos ?? 0);
  const told = toldEvents(held, profiles, wanted.filter, { extent: nanos, ran: ran + pauseNanos });
  yield;
  const causes = yield* causesOf(held, profiles, wanted.filter, accepts, told);
  const locks = locksOf?.(wanted.filter) ?? [];
  yield;
  const blocked = blockedBy(locks, "endpoint");
  const kept = lengthOf === undefined ? null : keptContext(held, wanted.filter, lengthOf);
  const summary = { ...answer, story, causes, waited: waitedFor(locks), blocked: blocked.slice(0, MOST_BLOCKED) };
  return { summary, extent: { nanos, pauseNanos, kept, blocked, rates: answer.rates, told, accepts } };
}

/** Findings and thread pools. */
export function* foundSteps(
  held: Held,
  profiles: readonly ProfileSummary[],
  wanted: Selection,
  { extent }: Told,
  rules?: readonly FindingRule[],
): Generator<void, WhyFound> {
  const findings = yield* findingsOf(held, profiles, wanted, tableWith(rules), extent);
  const { told, accepts } = extent;
  const pools = missingIds(profiles) === null ? null : yield* poolsIn(held, profiles, wanted.filter, told, accepts);
  return { findings, pools };
}

/** `told`: the events of waits, which count where there are no wall samples. */
function* poolsIn(
  held: Held,
  profiles: readonly ProfileSummary[],
  filter: Filter,
  told: readonly ToldEvents[],
  accepts: Accepts,
): Generator<void, Pools | null> {
  const wall = profileOfKind(profiles, "wall");
  const busy = wall === undefined ? [] : busySamples(held, wall, filter);
  yield;
  const found = yield* poolsOf(held, profiles, filter, statedParts(profiles, filter, told, busy), accepts);
  const threads = [...found.rows, ...found.idle].reduce((sum, pool) => sum + pool.threads, 0);
  return found.rows.length === 0 || threads < 2 ? null : found;
}
