/** Facts that recordings and a trace give each other: clocks, the time that recordings cover, processes of spans. */
import type { Core } from "../../core/core.ts";
import type { Evidence, Spans } from "../../core/samples/spans.ts";
import { isOfKind } from "../../core/tables/kinds.ts";
import { recordedRanges } from "../../core/tables/recorded-time.ts";
import type { FileSummary, ProfileSummary } from "../../core/types.ts";
import { clockOf } from "./clock.ts";
import { evidenceOf } from "./evidence.ts";
import { type Covered, homeInstances, type ReasonFacts } from "./reasons.ts";
import { settleHalves, type TraceTree } from "./tree.ts";

const INSTANCE = "service.instance.id";

/** The facts of all files of the core. */
export function factsOf(core: Core, spans: Spans, tree: TraceTree, profiles: readonly ProfileSummary[]): ReasonFacts {
  settleHalves(tree, spans.columns(), servicesOf(core, spans));
  const evidence = core.files().map((_, file) => evidenceOf(spans, tree, file));
  return reasonFacts(core, spans, tree, evidence, profiles);
}

/** Strings of the services that the recordings state. */
export function servicesOf(core: Core, spans: Spans): Set<number> {
  return statedBy(core, spans, "service.name");
}

function statedBy(core: Core, spans: Spans, key: string): Set<number> {
  return new Set(
    core
      .files()
      .flatMap(({ resource }) => resource[key] ?? [])
      .map((text) => spans.text(text)),
  );
}

/** Facts for the reasons of spans without samples, from the evidence of each file. */
export function reasonFacts(
  core: Core,
  spans: Spans,
  tree: TraceTree,
  evidence: readonly Evidence[],
  profiles: readonly ProfileSummary[],
): ReasonFacts {
  return {
    recordings: core.files().map((file, i) => {
      const own = evidence[i];
      const clock = own === undefined ? null : clockOf(tree, own);
      return { name: file.name, clock, covered: coveredBy(file, core) };
    }),
    home: homeInstances(tree, evidence),
    own: core.files().every(({ resource }) => resource[INSTANCE]) ? statedBy(core, spans, INSTANCE) : new Set(),
    hasContext: profiles.some(({ samplesWithSpan, inferredSpan = 0 }) => samplesWithSpan + inferredSpan > 0),
    period: shortestPeriod(profiles),
    wallPeriod: shortestPeriod(profiles.filter(isOfKind("wall"))),
  };
}

/** The time that a file states, or that of its observations. */
function coveredBy(file: FileSummary, core: Core): Covered[] {
  const stated = recordedRanges(file);
  if (stated !== null) return stated;
  if (core.samples() === 0) return [];
  const { earliest, latest } = core.instance.wasm;
  return [{ from: earliest.value, to: latest.value }];
}

/** 32 digits, whatever the length of the id. */
export function traceHex({ traceHigh, traceLow }: TraceTree, place: number): string {
  const half = (column: BigUint64Array) => (column[place] ?? 0n).toString(16).padStart(16, "0");
  return half(traceHigh) + half(traceLow);
}

/** The shortest period in ns of the profiles that have samples with a span id; 0n if none is stated. */
function shortestPeriod(profiles: readonly ProfileSummary[]): bigint {
  let shortest = 0n;
  for (const { samplesWithSpan, inferredSpan = 0, period, periods = [], periodUnit } of profiles) {
    if (samplesWithSpan + inferredSpan === 0 || periodUnit !== "nanoseconds") continue;
    for (const each of [period, ...periods.map((one) => one.period)]) {
      if (each > 0n && (shortest === 0n || each < shortest)) shortest = each;
    }
  }
  return shortest;
}
