/** Asks a core with two recordings in it for everything that a comparison is made of. */
import { countedRequests } from "../../core/answers/uploads.ts";
import type { Views } from "../../core/answers/views.ts";
import type { Core } from "../../core/core.ts";
import { countedRate, lossOf, readLosses } from "../../core/reading/losses.ts";
import { isErrorKnown, observationsOf } from "../../core/tables/quantities.ts";
import { recordedNanos } from "../../core/tables/recorded-time.ts";
import type { FileSummary, Filter } from "../../core/types.ts";
import type { Changed, ChangedRow } from "../../core/view-types.ts";
import {
  type ComparedRow,
  type ComparedSide,
  type Comparison,
  comparedRows,
  functionPairs,
  isChanged,
  isPartial,
  type Pair,
  type Per,
  perOf,
  type Scale,
  scaleOf,
  usualPer,
  wholeChange,
} from "../../model/diff/comparison.ts";
import { type Condition, type Judged, judge, type Parts } from "../../model/diff/conditions.ts";
import { namingOf } from "../../model/lists/explorer.ts";
import { exactPattern, type Pattern, patternOf } from "../../model/query/pattern.ts";
import { lossSentence } from "../../model/recording/loss-words.ts";
import { formatCount } from "../../model/words/format.ts";
import { UsageError } from "../../node/exit.ts";
import { isWithin } from "../../node/inputs.ts";
import type { Chosen } from "../../node/read.ts";
import { HeldCore } from "../../requests/held-core.ts";

/** Names of the sides: the first part of the names of their files, so that a filter by file selects a side. */
export const SIDES = ["A", "B"] as const;
type SideName = (typeof SIDES)[number];

const EVERYTHING = Number.MAX_SAFE_INTEGER;
/** Endpoints that are compared: each takes a selection on both sides. */
const MOST_ENDPOINTS = 100;
/** Rows with the id of a request. */
const MOST_EXAMPLES = 5;
/** Sides with fewer samples get a caveat. */
const FEW_SAMPLES = 100;

export interface Compared {
  comparison: Comparison;
  judged: Judged[];
}

export interface How {
  filter: Filter;
  by: Comparison["by"];
  /** Undefined: the usual one of the recordings. */
  per: Per | undefined;
}

/** What all parts of a comparison need. */
interface Asking {
  held: HeldCore;
  chosen: ChosenSides;
  filter: Filter;
  scale: Record<SideName, Scale>;
}

/** The profile of each side: one, or two of one kind from different producers. */
export type ChosenSides = Record<SideName, Chosen>;

/** Throws UsageError if the recordings do not know what values are to be divided by. */
export function compare(
  core: Core,
  chosen: ChosenSides,
  how: How,
  conditions: (unit: Comparison) => Condition[],
): Compared {
  const { profile, measure } = chosen.A;
  const isPair = profile.id !== chosen.B.profile.id;
  const factorOf = ({ profile: { unit, meaning }, measure: of }: Chosen) =>
    (of === 0 && (isPair || unit !== "count") && meaning.nanos) || 1;
  const factor = { A: factorOf(chosen.A), B: factorOf(chosen.B) };
  const scale = { A: scaleOf(factor.A), B: scaleOf(factor.B) };
  const errorKnown = isErrorKnown(profile) && isErrorKnown(chosen.B.profile);
  const asking: Asking = { held: new HeldCore(core), chosen, filter: how.filter, scale };
  const [a, b] = [sideOf(asking, "A"), sideOf(asking, "B")];
  const per = how.per ?? usualPer(a, b);
  checkPer(per, { A: a, B: b });
  const { changed, noStack } = changedOf(asking);
  const rows = [...changed.rows, ...noStack];
  const pairs = how.by === "endpoint" ? endpointPairs(asking, a, b, per) : functionPairs(rows, a, b, per, scale);
  const comparison: Comparison = {
    type: profile.type,
    errorKnown,
    unit: factor.A === 1 && factor.B === 1 ? (profile.measures[measure]?.unit ?? profile.unit) : "nanoseconds",
    per,
    by: how.by,
    a,
    b,
    whole: wholeChange(a, b, per, errorKnown),
    rows: withRoots(asking, how.by, comparedRows(pairs, errorKnown)),
    caveats: [...lossCaveats(asking, per, { A: a, B: b }), ...caveatsOf(asking, per, how.per === undefined)],
  };
  const sides = { a, b };
  const judged = conditions(comparison).map((condition) => {
    const parts = partsOf(asking, condition, changed, sides);
    const left = { a: isPartial(a), b: isPartial(b) };
    return judge(condition, parts, comparison, (side, basis) => perOf(sides[side], basis), left);
  });
  for (const { condition, functions } of judged) {
    if (functions === 0) comparison.caveats.push(`${condition} selects no function of A or B.`);
  }
  return { comparison, judged };
}

function about({ held, chosen, filter }: Asking, side: SideName, more: Filter = {}) {
  const frames = [...(filter.frames ?? []), ...(more.frames ?? [])];
  const attributes = [...(filter.attributes ?? []), ...(more.attributes ?? [])];
  const both: Filter = {
    ...filter,
    ...(frames.length > 0 && { frames }),
    ...(attributes.length > 0 && { attributes }),
    file: fileOf(filter, side),
  };
  return held.about(chosen[side].profile.id, both, chosen[side].measure);
}

/** The filter for the files of a side: all, or those of `--file`. */
export function fileOf({ file }: Filter, side: SideName): string {
  return file === undefined ? side : `${side}/${file}`;
}

function filesOf(core: Core, filter: Filter, side: SideName): FileSummary[] {
  const wanted = fileOf(filter, side);
  return core.files().filter(({ name }) => isWithin(name, wanted));
}

function sideOf(asking: Asking, name: SideName): ComparedSide {
  const { filter, scale } = asking;
  const { core } = asking.held;
  const views = about(asking, name);
  const totals = views.totals();
  const { samples, value } = totals;
  const whole = scale[name](value, views.squares());
  const [root] = views.rank({ kind: "local-root" }, 0, 1).rows;
  const files = filesOf(core, filter, name);
  return {
    files: files.map((file) => file.name.slice(name.length + 1)),
    samples:
      observationsOf({ ...asking.chosen[name].profile, measure: asking.chosen[name].measure }, totals) ?? samples,
    whole,
    seconds: secondsOf(files, filter),
    requests: requestsOf(asking.held, { ...filter, file: fileOf(filter, name) }),
    root: root?.id ?? null,
    ...lossIn(asking, name, files),
  };
}

/** What the recorder left out of these files. */
function lossIn(
  { held: { core }, chosen, filter }: Asking,
  side: SideName,
  files: FileSummary[],
): Partial<ComparedSide> {
  const { profile } = chosen[side];
  const names = new Set(files.map(({ name }) => name));
  const facts = readLosses(core.instance, (name) => names.has(name));
  const loss = lossOf(facts, core.catalogueRow(profile.id), profile);
  const { time, file: _, rawNames: __, ...others } = filter;
  const isPart = loss === undefined || Object.keys(others).length > 0;
  const nanos = (secondsOf(files, filter) ?? 0) * 1e9;
  const rate = isPart ? null : countedRate(facts, Object.keys(profile.events), nanos, time);
  return { ...(loss && { loss }), ...(rate && { counted: { event: rate.event, perSecond: rate.perSecond } }) };
}

/** What the recorders left out, first of all what makes different programs look equal. */
function lossCaveats({ chosen }: Asking, per: Per, sides: Record<SideName, ComparedSide>): string[] {
  const { A, B } = sides;
  const caveats = SIDES.flatMap(
    (name) =>
      lossSentence({ ...chosen[name].profile, loss: sides[name].loss })?.replace("At least", `${name} is at least`) ??
      [],
  );
  if (per !== "share" && isPartial(A) && isPartial(B))
    caveats.push("Both are at the limit of the recorder, so equal values say nothing about the programs.");
  if (A.counted !== undefined && B.counted !== undefined) {
    const [a, b] = [A.counted, B.counted].map(({ perSecond }) => formatCount(Math.round(perSecond)));
    caveats.push(`${B.counted.event} counts ${a} per second in A and ${b} in B.`);
  }
  return caveats;
}

/** Durations of all files, as far as they are in the filter's range of time; null if one is unknown. */
function secondsOf(files: readonly FileSummary[], { time }: Filter): number | null {
  let sum = 0;
  for (const file of files) {
    const nanos = recordedNanos(file, time);
    if (nanos === null) return null;
    sum += Number(nanos) / 1e9;
  }
  return sum > 0 ? sum : null;
}

/** Requests that uploads count, else local roots with samples in any profile: those with an endpoint, if any. */
function requestsOf(held: HeldCore, filter: Filter): number | null {
  const { core } = held;
  const counted = countedRequests(core, filter);
  if (counted !== null) return [...counted.values()].reduce((sum, requests) => sum + requests, 0);
  const key = endpointKey(core);
  const views = held.about(null, filter);
  const { count } = views.rank({ kind: "local-root" }, 0, 0);
  if (count === 0 || key === null) return count === 0 ? null : count;
  const { rows } = views.rank({ kind: "attribute", key }, 0, EVERYTHING, { requests: true });
  const requests = rows.reduce((sum, row) => sum + (row.requests?.count ?? 0), 0);
  // A root whose samples have several endpoints is in several rows.
  return requests === 0 ? count : Math.min(requests, count);
}

/** The attribute that names endpoints in any profile. */
function endpointKey(core: Core): string | null {
  const profiles = core.profiles();
  const has = (key: string) => profiles.some((each) => Object.hasOwn(each.samplesWithAttribute, key));
  return namingOf(has).endpoint ?? null;
}

function checkPer(per: Per, sides: Record<SideName, ComparedSide>): void {
  for (const name of SIDES) {
    const { seconds, requests } = sides[name];
    if (per === "second" && seconds === null) throw new UsageError(`--per second: the duration of ${name} is unknown`);
    if (per === "request" && requests === null)
      throw new UsageError(`--per request: no sample of ${name} has a request`);
  }
}

function changedOf(asking: Asking): { changed: Changed; noStack: ChangedRow[] } {
  const base = about(asking, "A");
  const { value: baseValue } = base.totals();
  base.keepBaseline(true);
  const views = about(asking, "B");
  const { value } = views.totals();
  const changed = views.changed(false, false, 0, EVERYTHING);
  return { changed, noStack: noStackRow(changed, value, baseValue) };
}

/** Samples without a stack have a row, as in `top`, so that the self values of all rows add to the totals. */
function noStackRow({ rows, squares, baseSquares }: Changed, value: bigint, baseValue: bigint): ChangedRow[] {
  const self = rows.reduce((rest, row) => rest - row.self, value);
  const baseSelf = rows.reduce((rest, row) => rest - row.baseSelf, baseValue);
  if (self === 0n && baseSelf === 0n) return [];
  const rest = rows.reduce((left, row) => left - row.squares.self, squares);
  const baseRest = rows.reduce((left, row) => left - row.squares.baseSelf, baseSquares);
  const sums = { self: Math.max(0, rest), baseSelf: Math.max(0, baseRest) };
  const all = { ...sums, total: sums.self, baseTotal: sums.baseSelf };
  return [{ name: "(no stack)", self, total: self, baseSelf, baseTotal: baseSelf, squares: all }];
}

/** Endpoints of both sides, those of the largest values. */
function endpointPairs(asking: Asking, a: ComparedSide, b: ComparedSide, per: Per): Pair[] {
  const { held, scale } = asking;
  const key = endpointKey(held.core);
  if (key === null) throw new UsageError("--by endpoint: no sample has an endpoint");
  const ranked = (side: SideName) => {
    const { rows } = about(asking, side).rank({ kind: "attribute", key }, 0, EVERYTHING, { requests: true });
    return new Map(rows.map((row) => [row.label, row]));
  };
  const rows = { A: ranked("A"), B: ranked("B") };
  const valueIn = (label: string) => Number(rows.A.get(label)?.value ?? 0n) + Number(rows.B.get(label)?.value ?? 0n);
  const labels = [...new Set([...rows.A.keys(), ...rows.B.keys()])].sort((x, y) => valueIn(y) - valueIn(x));
  const counted = { A: countedBy(asking, "A"), B: countedBy(asking, "B") };
  const requestsAt = (name: SideName, label: string) =>
    counted[name]?.get(label) ?? rows[name].get(label)?.requests?.count ?? 0;
  const side = (name: SideName, label: string, whole: ComparedSide) => {
    const weight = scale[name](...weightOf(about(asking, name, { attributes: [{ key, value: label }] })));
    return { ...weight, ...perOf(whole, per), ...(per === "request" && { per: requestsAt(name, label) }) };
  };
  return labels
    .slice(0, MOST_ENDPOINTS)
    .map((name) => ({ name, self: null, total: { a: side("A", name, a), b: side("B", name, b) } }));
}

/** The value of a selection, and its sum of squares. */
function weightOf(views: Views): [bigint, number] {
  return [views.totals().value, views.squares()];
}

function countedBy({ held: { core }, filter }: Asking, side: SideName): ReadonlyMap<string, number> | null {
  return countedRequests(core, { ...filter, file: fileOf(filter, side) });
}

/** The first significant rows with a request to look at; a row without a name is `(no name)`. */
function withRoots(asking: Asking, by: Comparison["by"], rows: ComparedRow[]): ComparedRow[] {
  const key = endpointKey(asking.held.core);
  let left = MOST_EXAMPLES;
  return rows.map((row) => {
    if (row.name === "") return { ...row, name: "(no name)" };
    if (left === 0 || !isChanged(row)) return row;
    left--;
    const isEndpoint = by === "endpoint" && key !== null;
    const attributes = isEndpoint ? { attributes: [{ key, value: row.name }] } : {};
    const views = about(asking, "B", isEndpoint ? attributes : { frames: [{ pattern: exactPattern(row.name) }] });
    return { ...row, root: views.rank({ kind: "local-root" }, 0, 1).rows[0]?.id ?? null };
  });
}

/** Weights of the functions that a condition selects. */
function partsOf(
  asking: Asking,
  { text, measure, pattern }: Condition,
  changed: Changed,
  { a, b }: { a: ComparedSide; b: ComparedSide },
): Parts {
  if (pattern === null) return { a: a.whole, b: b.whole, functions: changed.count };
  const { expression } = patternOf(pattern) as { expression: Pattern };
  const rows = changed.rows.filter(({ name, baseName = name }) => expression.test(name) || expression.test(baseName));
  if (expression.error !== null) throw new UsageError(`${text}: ${expression.error}`);
  if (measure === "self") {
    const sum = (values: number[]) => values.reduce((all, each) => all + each, 0);
    const weight = (side: "a" | "b") => {
      const own = rows.map((row) => (side === "a" ? row.baseSelf : row.self));
      const squares = rows.map(({ squares: of }) => (side === "a" ? of.baseSelf : of.self));
      return asking.scale[side === "a" ? "A" : "B"](
        own.reduce((all, each) => all + each, 0n),
        sum(squares),
      );
    };
    return { a: weight("a"), b: weight("b"), functions: rows.length };
  }
  const total = (side: SideName) => {
    const names = rows.map(({ name, baseName = name }) => (side === "A" ? baseName : name));
    // Functions that only their name on the other side selects.
    const others = names.filter((name) => !expression.test(name)).map(exactPattern);
    const both = others.length === 0 ? pattern : [`(?:${pattern})`, ...others].join("|");
    return asking.scale[side](...weightOf(about(asking, side, { frames: [{ pattern: both }] })));
  };
  return { a: total("A"), b: total("B"), functions: rows.length };
}

function caveatsOf(asking: Asking, per: Per, isUsual: boolean): string[] {
  const { chosen } = asking;
  const caveats: string[] = [];
  for (const name of SIDES) {
    const totals = about(asking, name).totals();
    const observations = observationsOf({ ...chosen[name].profile, measure: chosen[name].measure }, totals);
    if (observations !== null && observations < FEW_SAMPLES) caveats.push(`${name} has only ${observations} samples.`);
    if (observations === null && isErrorKnown(chosen[name].profile)) {
      caveats.push(`${name} has sums of samples, so its sampling error may be smaller than shown.`);
    }
  }
  if (per === "share" && isUsual) caveats.push("A duration is unknown, so shares are compared.");
  const isCounted = SIDES.every((name) => countedBy(asking, name) !== null);
  if (per === "request" && !isCounted) caveats.push("Requests without a sample are not counted.");
  if (SIDES.some((name) => (chosen[name].profile.periods?.length ?? 0) > 1))
    caveats.push("The samples were taken with different intervals.");
  caveats.push(
    isErrorKnown(chosen.A.profile) && isErrorKnown(chosen.B.profile)
      ? "Errors are 95 % sampling errors; runs of one program can differ by more."
      : "Error not known: the weights are too large, or too regular, to be numbers of samples, and have no unit.",
  );
  return caveats;
}
