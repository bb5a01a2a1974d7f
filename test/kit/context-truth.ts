/**
 * Which span was the innermost on a thread, as the program itself knew it (fixtures/traces/NAME.active.json.gz), and
 * the score of claims against it. Times of a program and of its recorder differ by up to SLACK.
 */
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import * as ContextRule from "../../assembly/abi/context-rule.ts";
import { bytesSource } from "../../src/bytes/byte-source.ts";
import { type Claims, type ContextFacts, type Infer, keepContexts } from "../../src/core/samples/contexts.ts";
import { openSpans, rowsOf } from "../../src/core/samples/spans.ts";
import { readInputs } from "../../src/input/open.ts";
import { inference } from "../../src/model/context/infer.ts";
import { traceTree } from "../../src/model/trace/tree.ts";
import { readTraceFile } from "../../src/traces/read.ts";
import { emptyCore } from "./core/read-store.ts";

const SLACK = 200_000n;

interface ActiveFile {
  /** Local root of each span. */
  roots: Record<string, string>;
  /** By thread name: stretches of [from, to) in ns since 1970 with their innermost span. */
  active: Record<string, [from: string, to: string, span: string][]>;
}

export class ContextTruth {
  private readonly roots: Map<bigint, bigint>;
  private readonly active: Map<string, { from: bigint; to: bigint; span: bigint }[]>;

  constructor({ roots, active }: ActiveFile) {
    this.roots = new Map(Object.entries(roots).map(([span, root]) => [BigInt(span), BigInt(root)]));
    const stretches = Object.entries(active).map(([thread, rows]) => {
      const list = rows.map(([from, to, span]) => ({ from: BigInt(from), to: BigInt(to), span: BigInt(span) }));
      return [thread, list.sort((a, b) => Number(a.from - b.from))] as const;
    });
    this.active = new Map(stretches);
  }

  /** The spans that an event may rightly have; 0n is none. */
  spansOf(thread: string, start: bigint, end: bigint): Set<bigint> {
    // A long event is judged by its middle: its ends may be outside by the difference of the clocks.
    const isLong = end - start > 4n * SLACK;
    const from = (isLong ? start + 2n * SLACK : start) - SLACK;
    const to = (isLong ? end - 2n * SLACK : end) + SLACK;
    const found = new Set<bigint>();
    let at = from;
    for (const each of this.active.get(thread) ?? []) {
      if (each.to <= from) continue;
      if (each.from >= to) break;
      if (each.from > at) found.add(0n);
      found.add(each.span);
      if (each.to > at) at = each.to;
    }
    if (at < to) found.add(0n);
    return found;
  }

  rootOf(span: bigint): bigint {
    return this.roots.get(span) ?? 0n;
  }
}

async function truthOf(name: string): Promise<ContextTruth> {
  const bytes = await readFile(new URL(`../../fixtures/traces/${name}.active.json.gz`, import.meta.url));
  return new ContextTruth(JSON.parse(gunzipSync(bytes).toString("utf8")));
}

/** The rules, by their number in claims. */
const RULE_NAMES: Record<number, Rule> = {
  [ContextRule.Scope]: "scope",
  [ContextRule.Trace]: "trace",
  [ContextRule.Neighbours]: "neighbours",
};

export type Rule = "scope" | "trace" | "neighbours";

/** Claims of spans and of roots, and how many of them are right. */
export interface ClaimScore {
  spans: number;
  rightSpans: number;
  roots: number;
  rightRoots: number;
}

export interface Score extends ClaimScore {
  /** Events that were in one span from start to end, and how many of them have it. */
  certain: number;
  found: number;
  rules: Record<Rule, ClaimScore & { found: number }>;
}

const noClaims = () => ({ spans: 0, rightSpans: 0, roots: 0, rightRoots: 0, found: 0 });

/** Scores the claims for the events of a recording. */
function scoreOf({ base, events, threads }: ContextFacts, claims: Claims, truth: ContextTruth): Score {
  const rules = { scope: noClaims(), trace: noClaims(), neighbours: noClaims() };
  const score: Score = { ...noClaims(), certain: 0, rules };
  const claimOf = new Map(Array.from(claims.event.subarray(0, claims.count), (event, i) => [event, i]));
  for (let i = 0; i < events.count; i++) {
    const at = (time: number) => base + BigInt(Math.trunc(time));
    const may = truth.spansOf(threads.name(events.name[i]!), at(events.start[i]!), at(events.end[i]!));
    const isCertain = may.size === 1 && !may.has(0n);
    if (isCertain) score.certain++;
    const claim = claimOf.get(i);
    if (claim === undefined) continue;
    const span = claims.span[claim]!;
    const root = claims.root[claim]!;
    for (const counts of [score, rules[RULE_NAMES[claims.rule[claim]!]!]]) {
      if (span !== 0n) {
        counts.spans++;
        if (may.has(span)) counts.rightSpans++;
        if (isCertain && may.has(span)) counts.found++;
      }
      if (root !== 0n) {
        counts.roots++;
        if ([...may].some((each) => each !== 0n && truth.rootOf(each) === root)) counts.rightRoots++;
      }
    }
  }
  return score;
}

const fixture = async (name: string) =>
  bytesSource(await readFile(new URL(`../../fixtures/traces/${name}`, import.meta.url)));

/** The score of a recording of fixtures/traces, with a trace file beside it if one is named. */
export async function fixtureScore(name: string, trace?: string): Promise<Score> {
  const truth = await truthOf(name);
  const core = await emptyCore();
  const spans = await openSpans(core);
  let infer = inference();
  if (trace !== undefined) {
    await readTraceFile(trace, await fixture(trace), spans, 1);
    const columns = spans.columns();
    const entries = new Set([spans.text("server"), spans.text("consumer")]);
    const tree = traceTree(columns, rowsOf(columns, "files"), entries);
    infer = inference({ tree, columns, entries, text: (i) => spans.string(i) });
  }
  let found: Score | undefined;
  const scored: Infer = (facts) => {
    const claims = infer(facts);
    found = scoreOf(facts, claims, truth);
    return claims;
  };
  await keepContexts(core, scored);
  await readInputs(core, [{ name, source: await fixture(`${name}.jfr`) }]);
  if (found === undefined) throw new Error("nothing was inferred");
  return found;
}
