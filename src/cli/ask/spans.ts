/** `spanflame spans`: lists spans, local roots or attribute values by weight. */

import { countedRequests } from "../../core/answers/uploads.ts";
import { LIBRARY_KEY } from "../../core/tables/library-keys.ts";
import type { Filter, ProfileSummary, RankBy, RankRow } from "../../core/types.ts";
import { explorerTabs } from "../../model/lists/explorer.ts";
import { ENDPOINT_KEYS } from "../../model/lists/request-keys.ts";
import { inferredSpans } from "../../model/query/inferred-spans.ts";
import { formatCount, formatCounted, formatEach, formatValue } from "../../model/words/format.ts";
import { hexId, isTrace } from "../../model/words/ids.ts";
import { measured } from "../../model/words/measure.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { sayLoss, sayLost } from "../../node/losses.ts";
import { nothingRankedOf } from "../../node/nothing.ts";
import { type Chosen, chosenProfile, timesOf, valuesOf } from "../../node/read.ts";
import { printJson, printTable, say } from "../../node/terminal.ts";
import { recordedTraces } from "../../node/trace-files.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { HeldCore } from "../../requests/held-core.ts";
import type { ReadSpans } from "../../requests/read-spans.ts";
import { type CallValue, callValues } from "../calls/call-values.ts";
import { allProfiles, type Need, noteInferable, readNeeded, SPANS_TOO } from "../convert/need.ts";
import { sampleCallsOf } from "../convert/sampled-calls.ts";
import { namedOperations, operationRows, printOperations } from "./operations.ts";
import { factCells, type RequestRow, requestFacts, SORTS, type Sort, sortRows } from "./request-facts.ts";

const BY = ["local-root", "span", "endpoint", "operation", "thread", "library", "call", "attr:KEY"];

/** Heads of the ids. */
const IDS = { "local-root": "local root (hex, decimal)", span: "span (hex, decimal)" } as const;

/** Keys of `--by`. A name of the page's lists means the attribute that the tracer of the recording uses. */
function rankBy(text: string, profile: ProfileSummary | undefined): RankBy {
  if (text === "local-root" || text === "span") return { kind: text };
  if (text.startsWith("attr:") && text.length > 5) return { kind: "attribute", key: text.slice(5) };
  if (!BY.includes(text)) throw new UsageError(notOneOf("--by", text, BY));
  const tab = profile && explorerTabs(profile).find(({ name }) => name === text);
  return tab?.by ?? { kind: "attribute", key: text };
}

/** One row of the JSON answer. */
function record(by: RankBy, { id, root, label, samples, value }: RankRow): object {
  if (by.kind === "attribute") return { key: label, samples, value };
  const own = { id, hex: hexId(id) };
  return by.kind === "span" ? { ...own, root, rootHex: hexId(root), samples, value } : { ...own, samples, value };
}

/** Rows of attributes have neither a start nor a duration. */
function sortOf(text: string | undefined, by: string | undefined, isOfIds: boolean): Sort {
  const sort = SORTS.find((each) => each === (text ?? "value"));
  if (sort === undefined) throw new UsageError(notOneOf("--sort", text ?? "", SORTS));
  const isTime = sort === "duration" || sort === "start";
  if (isTime && !isOfIds) throw new UsageError(`--sort ${sort}: is for --by local-root and span, not ${by}`);
  if (text !== undefined && (by === "call" || by === "operation"))
    throw new UsageError(`--sort: is not for --by ${by}`);
  return sort;
}

/**
 * A list needs no stacks. Some names are keys that depend on all samples of the profile (`rankBy`). The times and the
 * endpoint of a request are those of all its samples.
 */
function spansNeed(by: string, filter: Filter): Need {
  if (by === "local-root" || by === "span") return { filter: {}, stacks: needsStacks(filter), others: true };
  const isKey = by.startsWith("attr:");
  return {
    threads: by === "thread",
    filter: isKey ? filter : {},
    stacks: needsStacks(filter) || by.replace("attr:", "").startsWith(LIBRARY_KEY),
  };
}

function needsStacks(filter: Filter): boolean {
  const hasLibrary = filter.attributes?.some(({ key }) => key.startsWith(LIBRARY_KEY)) === true;
  return filter.frames !== undefined || filter.rootFrames !== undefined || hasLibrary;
}

export async function spans({ inputs, values }: CallOf<"spans">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const isOperation = values.by === "operation";
  const isOfIds = [undefined, "local-root", "span"].includes(values.by);
  const sort = sortOf(values.sort, values.by, isOfIds);
  const need = isOperation ? null : spansNeed(values.by ?? "local-root", parsed);
  const choice = { ...values, ...SPANS_TOO, spans: isOperation || isOfIds };
  const sources = inputsOf(inputs);
  const { core, runs, traces, exit } = await readNeeded(sources, choice, need);
  if (exit === ExitCode.Failed) return exit;
  if (values.by === "call") {
    printCalls((await callValues(core, runs, values.type ?? "wall", values, parsed)).slice(0, limit), values);
    return exit;
  }
  const filter = await sampleCallsOf(core, runs, values, meantBy(core, traces, parsed));
  const chosen = chosenProfile(core, values);
  const by = rankBy(values.by ?? "local-root", chosen?.profile);
  const isNamed = isOperation && traces === null;
  const recorded = isNamed ? await recordedTraces(core) : null;
  const held = new HeldCore(core);
  const facts =
    isOfIds && by.kind !== "attribute" && chosen !== null ? await requestFacts(held, traces, by.kind) : null;
  const views = chosen && held.about(chosen.profile.id, filter, chosen.measure);
  const losses = sayLoss(chosen?.profile);
  noteInferable(core, values, chosen?.profile);
  if (traces !== null && isOperation) {
    const rows = operationRows(core, traces, views).slice(0, limit);
    if (values.json) printJson({ rows, ...losses });
    else printOperations(rows, chosen);
    return exit;
  }
  if (recorded !== null && recorded.tree.count > 0) {
    printNamed(held, { by, known: recorded, chosen, filter, limit, values, losses });
    return exit;
  }
  const isEndpoint = by.kind === "attribute" && ENDPOINT_KEYS.includes(by.key);
  // Uploads count also the requests without a sample, of whole files.
  const counted = isEndpoint ? countedRequests(core, filter) : null;
  const most = sort === "value" && counted === null ? limit : Number.MAX_SAFE_INTEGER;
  const ranked = views?.rank(by, 0, most, { requests: isEndpoint }).rows ?? [];
  const known = ranked.map((row) => ({ ...row, facts: facts?.(row.id) ?? null }));
  const rows = [...sortRows(known, sort), ...withoutSamples(counted, ranked)].slice(0, limit);
  const requestsOf = (row: RankRow) => counted?.get(row.label) ?? row.requests?.count ?? 0;
  if (rows.length === 0) {
    const profiles = chosen === null ? [] : await allProfiles(core, sources, choice, need);
    say(`spanflame: ${nothingRankedOf(values.type ?? chosen?.profile.type, { core, profiles, filter, inputs }, by)}`);
    sayLost(core);
  }
  if (values.json) {
    const more = (row: RequestRow) => ({
      ...row.facts,
      ...(isEndpoint && { requests: requestsOf(row) }),
      ...(values.inferred === true && { inferred: row.inferred }),
    });
    printJson({ rows: rows.map((row) => ({ ...record(by, row), ...more(row) })), ...losses });
    return exit;
  }
  const times = timesOf(chosen);
  const words = valuesOf(chosen);
  const { heads, cells } = factCells(rows);
  const weighed = chosen === null ? null : measured(chosen.profile, chosen.measure);
  printTable(
    rows.map((row) => {
      const name = by.kind === "attribute" ? row.label : `${hexId(row.id)}  ${isTrace(row.id) ? "" : row.id}`.trimEnd();
      const requests = requestsOf(row);
      const each = requests === 0 || weighed === null ? "" : `${formatEach(row.value, requests, weighed)} each`;
      const ofRequests = isEndpoint ? [formatCounted(requests, "request"), each] : [];
      return [words(row.value), ...times(row.value), formatCount(row.samples), ...ofRequests, ...cells(row), name];
    }),
    [
      "value",
      ...times(0n).map(() => "time"),
      "samples",
      ...(isEndpoint ? ["requests", "each"] : []),
      ...heads,
      by.kind === "attribute" ? by.key : IDS[by.kind],
    ],
  );
  return exit;
}

/** Endpoints whose requests were counted and have no sample, those with the most requests first. */
function withoutSamples(counted: ReadonlyMap<string, number> | null, ranked: readonly RankRow[]): RequestRow[] {
  const known = new Set(ranked.map(({ label }) => label));
  const own = [...(counted ?? [])].filter(([endpoint]) => !known.has(endpoint)).sort((a, b) => b[1] - a[1]);
  const none = { samples: 0, inferred: 0, value: 0n, first: 0n, last: 0n, about: "", requests: null, facts: null };
  return own.map(([label]) => ({ id: 0n, root: 0n, label, ...none }));
}

interface NamedQuestion {
  by: RankBy;
  /** The spans that the recordings know. */
  known: ReadSpans;
  chosen: Chosen | null;
  filter: Filter;
  limit: number;
  values: CallOf<"spans">["values"];
  losses: ReturnType<typeof sayLoss>;
}

/** Operations of recordings that know spans. */
function printNamed(held: HeldCore, { by, known, chosen, filter, limit, values, losses }: NamedQuestion): void {
  const named = (of: Filter) => {
    const views = chosen && held.about(chosen.profile.id, of, chosen.measure);
    const ranked = views?.rank(by, 0, Number.MAX_SAFE_INTEGER).rows ?? [];
    return namedOperations(ranked, operationRows(held.core, known, views));
  };
  const rows = named(filter).slice(0, limit);
  if (!values.json) {
    printOperations(rows, chosen);
    return;
  }
  if (chosen === null || values.inferred !== true) {
    printJson({ rows, ...losses });
    return;
  }
  const attributes = [...(filter.attributes ?? []), ...inferredSpans()];
  const inferred = new Map(named({ ...filter, attributes }).map(({ key, samples }) => [key, samples]));
  printJson({ rows: rows.map((row) => ({ ...row, inferred: inferred.get(row.key) ?? 0 })), ...losses });
}

function printCalls(rows: readonly CallValue[], { json, type = "wall" }: CallOf<"spans">["values"]): void {
  if (rows.length === 0) say("spanflame: no calls: only dumps have calls");
  if (json) {
    printJson({ rows });
    return;
  }
  const unit = type === "invocations" ? "count" : "nanoseconds";
  const body = rows.map(({ call, samples, value }) => [formatValue(value, unit), formatCount(samples), call] as const);
  printTable(body, ["value", "samples", "call"]);
}
