/** A comparison of two recordings: values per second, per request or as shares, by function or endpoint. */
import type { Loss } from "../../core/types.ts";
import type { ChangedRow } from "../../core/view-types.ts";
import { type Difference, deviationsOf, differenceOf, type Side, significant } from "./difference.ts";

/** What values are divided by. */
export const PER = ["second", "request", "share"] as const;
export type Per = (typeof PER)[number];

/** A sum of weights and the sum of their squares. */
export interface Weight {
  value: number;
  squares: number;
}

/** One recording, or the recordings of one folder, as far as the comparison uses them. */
export interface ComparedSide {
  files: string[];
  samples: number;
  whole: Weight;
  /** Durations of the recordings in seconds, added up; null if one is unknown. */
  seconds: number | null;
  /** Local roots with samples under the filter, in any profile; null if no sample has a local root. */
  requests: number | null;
  /** The heaviest local root; null if no sample has one. */
  root: bigint | null;
  /** What the recorder left out of the profile. */
  loss?: Loss;
  /** Where it left out events: how many there were a second by an event that counts them all. */
  counted?: { event: string; perSecond: number };
}

/** Whether the recorder left out events, and not only samples. */
export function isPartial({ loss }: ComparedSide): boolean {
  return (loss?.limited ?? loss?.sampled) !== undefined;
}

export interface Change extends Difference {
  /** The change is beyond the sampling error of both sides; in a table also after the correction for many tests. */
  isSure: boolean;
}

export interface ComparedRow {
  name: string;
  /** The name in A, where a compiler gave the same code another number. */
  nameInA?: string;
  /** Null for an endpoint. */
  self: Change | null;
  total: Change;
  /** The local root with the largest value of it in B; only of the first significant rows. */
  root: bigint | null;
}

export interface Comparison {
  type: string;
  /** Without it nothing is significant, and errors are those of one sample for each sum. */
  errorKnown: boolean;
  /** Of values, before they are divided. */
  unit: string;
  per: Per;
  by: "function" | "endpoint";
  /** The baseline. */
  a: ComparedSide;
  b: ComparedSide;
  /** The whole profile; null for shares. */
  whole: Change | null;
  /** Significant changes first, then by size. */
  rows: ComparedRow[];
  /** Reasons for doubt, one sentence each. */
  caveats: string[];
}

/** What values of a side are divided by. The caller has checked that it is known. */
export function perOf(side: ComparedSide, per: Per): Pick<Side, "per" | "perSquares"> {
  if (per === "share") return { per: side.whole.value, perSquares: side.whole.squares };
  return { per: (per === "second" ? side.seconds : side.requests) ?? 0, perSquares: 0 };
}

/** `perSecond` if both recordings have durations, else shares. */
export function usualPer(a: ComparedSide, b: ComparedSide): Per {
  return a.seconds === null || b.seconds === null ? "share" : "second";
}

function changeOf(b: Side, a: Side, isSure: boolean): Change {
  return { ...differenceOf(b, a), isSure };
}

/** The whole profile of both; null for shares, which are all 100 %. */
export function wholeChange(a: ComparedSide, b: ComparedSide, per: Per, errorKnown: boolean): Change | null {
  if (per === "share") return null;
  const sides = [a, b].map((side) => ({ ...side.whole, ...perOf(side, per) })) as [Side, Side];
  return changeOf(sides[1], sides[0], errorKnown && significant([deviationsOf(sides[1], sides[0])])[0] === true);
}

/** Weights of one function or endpoint on both sides. */
export interface Pair extends Pick<ComparedRow, "name" | "nameInA"> {
  self: { a: Side; b: Side } | null;
  total: { a: Side; b: Side };
}

/** Rows of a comparison. All their tests are corrected together. */
export function comparedRows(pairs: readonly Pair[], errorKnown: boolean): ComparedRow[] {
  const tests = pairs.flatMap(({ self, total }) => (self === null ? [total] : [self, total]));
  const sure = significant(tests.map(({ a, b }) => deviationsOf(b, a)));
  let i = 0;
  const next = ({ a, b }: { a: Side; b: Side }) => changeOf(b, a, sure[i++] === true && errorKnown);
  const rows = pairs.map(({ self, total, ...names }): ComparedRow => {
    return { ...names, self: self === null ? null : next(self), total: next(total), root: null };
  });
  return rows.sort((x, y) => orderOf(y) - orderOf(x) || sizeOf(y) - sizeOf(x) || (x.name < y.name ? -1 : 1));
}

/** Whether self or total changed significantly. */
export function isChanged({ self, total }: ComparedRow): boolean {
  return self?.isSure === true || total.isSure;
}

/** Significant changes of self are first, then those of totals only. */
function orderOf({ self, total }: ComparedRow): number {
  return (self?.isSure === true ? 2 : 0) + (total.isSure ? 1 : 0) > 1 ? 2 : Number(total.isSure);
}

function sizeOf({ self, total }: ComparedRow): number {
  const change = self ?? total;
  return Math.abs(change.value - change.base);
}

/** Weights of the functions of both sides, in the unit of the comparison. */
export function functionPairs(
  rows: readonly ChangedRow[],
  a: ComparedSide,
  b: ComparedSide,
  per: Per,
  { A: ofA, B: ofB }: Record<"A" | "B", Scale>,
): Pair[] {
  const [perA, perB] = [perOf(a, per), perOf(b, per)];
  return rows.map((row) => {
    const { squares } = row;
    return {
      name: row.name,
      ...(row.baseName !== undefined && { nameInA: row.baseName }),
      self: {
        a: { ...ofA(row.baseSelf, squares.baseSelf), ...perA },
        b: { ...ofB(row.self, squares.self), ...perB },
      },
      total: {
        a: { ...ofA(row.baseTotal, squares.baseTotal), ...perA },
        b: { ...ofB(row.total, squares.total), ...perB },
      },
    };
  });
}

/** A weight of the core in the unit of the comparison. */
export type Scale = (value: bigint, squares: number) => Weight;

/** The scale of a profile. `factor`: the period, where values count samples of a known period. */
export function scaleOf(factor: number): Scale {
  return (value, squares) => ({ value: Number(value) * factor, squares: squares * factor ** 2 });
}
