/** `spanflame why`: hot path, findings and time of a selection, and its differences from other requests. */

import { threadNames } from "../../core/outline.ts";
import { PROFILES } from "../../core/tables/catalogue.ts";
import type { Filter } from "../../core/types.ts";
import { chipWords } from "../../model/query/chip-words.ts";
import { filterChipsOf } from "../../model/query/chips.ts";
import { loadPatterns } from "../../model/query/pattern.ts";
import { onlySignals } from "../../model/recording/contention.ts";
import { lossRecord } from "../../model/recording/loss-words.ts";
import { profileTabs } from "../../model/recording/profile-tabs.ts";
import type { FindingRule } from "../../model/span-time/rule-types.ts";
import { waitedWords } from "../../model/waits/held.ts";
import { patternsIn, RuleFileError, rulesOf } from "../../model/why/rule-file.ts";
import { toldTime } from "../../model/why/sentence.ts";
import { whyText, whyWords } from "../../model/why/why-text.ts";
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
import { NOTHING, whyAnswer } from "../../requests/why-answer.ts";
import { printRequests } from "./why-requests.ts";
import { commandAtThatTime, printSpan, whySilent, whySpan } from "./why-span.ts";

export async function why({ inputs, values }: CallOf<"why">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const rules = await rulesIn(values.rules);
  const { operation } = values;
  const span = operation === undefined ? onlySpan(parsed) : null;
  const { core, traces, exit } = await readSaid(inputsOf(inputs), { ...values, inferred: true, takesTraces: true });
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
    say(core.files().length === 0 ? NO_RECORDING : "spanflame: no samples");
    sayLost(core);
    if (values.json) printJson(NOTHING);
    return exit;
  }
  const { profile, measure } = chosen;
  const held = new HeldCore(core);
  const spans = await SpanRequests.of(held, traces?.files ?? []);
  const found = await whyAnswer(held, spans, { profile, measure, filter: given, operation, own: values.own, rules });
  const { summary, time, filter } = found;
  const tabs = profileTabs(PROFILES, core.profiles(), core.settings());
  const words = whyWords(summary, found.shared, tabs, toldTime(filter, time));
  const requests = span === null ? found.answer.requests : null;
  if (operation !== undefined && time === null) say(`spanflame: no span of the operation ${visible(operation)}`);
  if (summary.totals.samples === 0 && asked !== null && asked.time !== null && core.views.timeBounds() !== null) {
    const reason = traces === null ? "" : whySilent(core, traces, asked.span.id);
    say(`spanflame: the span has no samples. ${reason}`.trimEnd());
    say(`spanflame: what the process did then: ${commandAtThatTime(asked.time, inputs)}`);
  }
  // Its events and spans may tell the time of a request that has no samples.
  const isTold = requests !== null && time !== null && time.duration > 0;
  if (summary.totals.samples === 0 && !isTold) {
    const left = nothingLeft(profile, { core, profiles: core.profiles(), filter, inputs });
    const ids = [filter.localRoot ?? []].flat();
    const signals = onlySignals(profile, filter, held.totals(profile.id, filter).samples);
    if (signals !== null) say(`spanflame: no samples. ${signals}`);
    else if (ids.length === 0) say(`spanflame: ${left}`);
    else sayUnknown(core, ids, traces?.tree ?? null, traces !== null, left);
  }
  const losses = requests === null && asked === null ? lossRecord([profile]) : sayTimeLosses(core, profile);
  if (values.json) printJson({ ...found.answer, requests, ...losses });
  else if (summary.totals.samples > 0 || isTold) {
    const zeros = core.views.timeRows();
    const threads = threadNames(held, filter);
    const what = filterChipsOf(filter).map((chip) => chipWords(chip, zeros, threads).full);
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

const NO_RECORDING =
  "spanflame: no recording: why needs samples. spanflame trace lists the spans of the trace file, spanflame top their operations by self time";

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
