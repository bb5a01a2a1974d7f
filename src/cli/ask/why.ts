/** `spanflame why`: hot path, findings and time of a selection, and its differences from other requests. */

import type { Core } from "../../core/core.ts";
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { why as figuresOf } from "../../core/why.ts";
import { errorOf } from "../../model/lists/confidence.ts";
import { chipWords } from "../../model/query/chip-words.ts";
import { filterChipsOf } from "../../model/query/chips.ts";
import { loadPatterns } from "../../model/query/pattern.ts";
import { contentionOf, onlySignals, wholeContention } from "../../model/recording/contention.ts";
import { lossRecord } from "../../model/recording/loss-words.ts";
import { profileTabs } from "../../model/recording/profile-tabs.ts";
import type { FindingRule } from "../../model/span-time/rule-types.ts";
import { waitedWords } from "../../model/waits/held.ts";
import { lengthsOf } from "../../model/why/kept-context.ts";
import { patternsIn, RuleFileError, rulesOf } from "../../model/why/rule-file.ts";
import { eventsTold, pathWords, type ToldTime, toldTime } from "../../model/why/sentence.ts";
import { summaryOf, type WhySummary } from "../../model/why/summary.ts";
import { type Told, toldOf, whyText, whyWords } from "../../model/why/why-text.ts";
import { measured } from "../../model/words/measure.ts";
import { visible } from "../../model/words/text.ts";
import { parseFilter } from "../../node/arguments.ts";
import { meantBy, sayUnknown } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { sayLost, sayTimeLosses } from "../../node/losses.ts";
import { nothingLeft } from "../../node/nothing.ts";
import { namedOrUsual, readSaid } from "../../node/read.ts";
import { smallText } from "../../node/small-text.ts";
import { print, printJson, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { SpanRequests } from "../../requests/traces/span-requests.ts";
import { locksIn } from "../../requests/waits.ts";
import { printRequests, recordOf, requestTime } from "./why-requests.ts";
import { commandAtThatTime, printSpan, whySilent, whySpan } from "./why-span.ts";

export async function why({ inputs, values }: CallOf<"why">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const rules = await rulesIn(values.rules);
  const { operation } = values;
  const span = operation === undefined ? onlySpan(parsed) : null;
  const { core, traces, exit } = await readSaid(inputsOf(inputs), { ...values, inferred: true });
  if (exit === ExitCode.Failed) return exit;
  const given = meantBy(core, traces, parsed);
  const asked = span === null ? null : await whySpan(core, span, traces);
  if (span !== null) {
    if (asked === null) {
      const left = nothingLeft(namedOrUsual(core, values, KINDS)?.profile, {
        core,
        profiles: null,
        filter: given,
        inputs,
      });
      sayUnknown(core, [span], traces?.tree ?? null, traces !== null, left);
      return ExitCode.Failed;
    }
    if (values.json) {
      printJson({ ...asked, ...sayTimeLosses(core) });
      return exit;
    }
    printSpan(asked);
  }
  const chosen = namedOrUsual(core, values, KINDS);
  if (chosen === null) {
    say("spanflame: no samples");
    sayLost(core);
    if (values.json) printJson({ ...NOTHING, requests: null });
    return exit;
  }
  const { profile, measure } = chosen;
  const choice = operation === undefined ? {} : { operation };
  const held = new HeldCore(core);
  const spans = await SpanRequests.of(held, traces?.files ?? []);
  const time = await requestTime(core, spans, choice, given);
  const requests = span === null && time !== null ? recordOf(time) : null;
  const filter = operation === undefined ? given : await spans.samplesFound({ ...given, spans: choice });
  if (operation !== undefined && time === null) say(`spanflame: no span of the operation ${visible(operation)}`);
  const profiles = core.profiles();
  const context = { profiles, marks: core.views.marks(), whole: new Map() };
  const wanted = { profile: profile.id, measure, filter: contentionOf(profile, filter) };
  const own = (values.own ?? []).join(",");
  const lengthOf = traces === null ? undefined : lengthsOf(traces.tree);
  const locksOf = await locksIn(held, profiles);
  const summary = summaryOf(held, figuresOf, wanted, context, { own, rules, lengthOf, locksOf });
  if (summary.totals.samples === 0 && asked !== null && asked.time !== null && core.views.timeBounds() !== null) {
    const reason = traces === null ? "" : whySilent(core, traces, asked.span.id);
    say(`spanflame: the span has no samples. ${reason}`.trimEnd());
    say(`spanflame: what the process did then: ${commandAtThatTime(asked.time, inputs)}`);
  }
  // Its events and spans may tell the time of a request that has no samples.
  const isTold = requests !== null && time !== null && time.duration > 0;
  if (summary.totals.samples === 0 && !isTold) {
    const left = nothingLeft(profile, { core, profiles, filter, inputs });
    const ids = [filter.localRoot ?? []].flat();
    const signals = onlySignals(profile, filter, held.totals(profile.id, filter).samples);
    if (signals !== null) say(`spanflame: no samples. ${signals}`);
    else if (ids.length === 0) say(`spanflame: ${left}`);
    else sayUnknown(core, ids, traces?.tree ?? null, traces !== null, left);
  }
  const losses = requests === null && asked === null ? lossRecord([profile]) : sayTimeLosses(core, profile);
  const tabs = profileTabs(PROFILES, profiles, core.settings());
  const all = wholeContention(profile, filter);
  const shared = { ...measured(profile, measure), ...(all !== null && held.totals(profile.id, all, measure)) };
  const words = whyWords(summary, shared, tabs, toldTime(filter, time));
  const whole = { profile, told: toldOf(summary, shared, tabs), time: toldTime(filter, time) };
  if (values.json) printJson({ ...record(summary, words.sentence, core, whole), requests, ...losses });
  else if (summary.totals.samples > 0 || isTold) {
    const zeros = core.views.timeRows();
    const what = filterChipsOf(filter).map((chip) => chipWords(chip, zeros).full);
    const told = [...what, words.sentence].join("\n");
    const text = summary.totals.samples > 0 ? whyText(words, what, summary.threadCount) : told;
    for (const line of text.split("\n")) print(line);
    if (requests !== null && time !== null) printRequests(requests, time.source);
  } else if (summary.waited !== null) print(waitedWords(summary.waited));
  return exit;
}

/** The span, if the filter selects one and nothing else. */
function onlySpan({ span, rawNames: _, ...rest }: Filter): bigint | null {
  const [only, ...more] = Array.isArray(span) ? span : [span];
  const isOnly = only !== undefined && more.length === 0 && Object.keys(rest).length === 0;
  return isOnly ? only : null;
}

/** Else wall, then CPU, then the first. */
const KINDS = ["wall", "cpu"] as const;

async function rulesIn(path: string | undefined): Promise<readonly FindingRule[]> {
  if (path === undefined) return [];
  const text = await smallText("--rules", path);
  try {
    await loadPatterns(patternsIn(text));
    return rulesOf(text);
  } catch (error) {
    if (error instanceof RuleFileError) throw new UsageError(`--rules: ${path}: ${error.message}`);
    throw error;
  }
}

/** The record of a recording without the profile. */
const NOTHING = {
  sentence: "",
  told: null,
  profile: null,
  samples: 0,
  observations: 0,
  value: 0n,
  time: null,
  states: [],
  paths: [],
  gc: { pauses: 0, nano: 0n },
  peers: null,
  pools: null,
  findings: [],
  attributes: [],
  waited: null,
} satisfies ReturnType<typeof record>;

/** The profile that is asked about, and what the sentence is of. */
interface Whole {
  profile: Pick<ProfileSummary, "type">;
  told: Told;
  time: ToldTime | null;
}

function record(summary: WhySummary, sentence: string, core: Core, of: Whole) {
  const typeOf = (id: number | null) => core.profiles().find((profile) => profile.id === id)?.type ?? null;
  const { totals, observations, pauses, story, findings, pools, standingOut, waited } = summary;
  const { time } = pauses;
  return {
    sentence,
    told: toldRecord(summary, of, typeOf),
    profile: of.profile.type as string | null,
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
    findings: findings.map(({ profile, samples, ...finding }) => ({ ...finding, profile: typeOf(profile), samples })),
    attributes: standingOut.map(({ key, value, share, restShare }) => ({ key, value, share, otherShare: restShare })),
    waited,
  };
}

/** The samples that the sentence is of, all of one profile, and the profiles of events that it tells of beside them. */
function toldRecord(summary: WhySummary, { told, time }: Whole, typeOf: (id: number) => string | null) {
  const { profile, totals, counted } = told;
  const events = eventsTold(summary, summary.story, time).map(typeOf);
  const samples = { samples: totals.samples, observations: counted, value: totals.value };
  return { profile: profile.type, ...samples, errorPoints: errorOf(counted), events } as ToldRecord | null;
}

interface ToldRecord {
  profile: string;
  samples: number;
  observations: number | null;
  value: bigint;
  /** Half of the 95 % interval of a share, in percentage points. */
  errorPoints: number | null;
  events: (string | null)[];
}
