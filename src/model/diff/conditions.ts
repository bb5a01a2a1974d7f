/**
 * Conditions of `--fail-if`:
 *
 *   condition  measure ( names ) > limit, or < instead of >
 *   measure    self, total
 *   names      a function name in which * matches any characters; /REGEX/; or nothing, for all functions
 *   limit      a number and a unit: % pp ns µs us ms s min B kB KiB MB MiB GB GiB, or none for a count.
 *              With + or - before it, it is a change from A to B; without, a value of B.
 */
import type { Comparison, Per, Weight } from "./comparison.ts";
import { excessOf, isTooFew, type Side } from "./difference.ts";

export class ConditionError extends Error {}

export type LimitKind =
  /** Change in percent of A. */
  | "relative"
  /** Change of the share in percentage points. */
  | "points"
  /** Change of the value. */
  | "change"
  /** Value of B. */
  | "value"
  /** Share of B's whole. */
  | "share";

export interface Condition {
  /** As written. */
  text: string;
  measure: "self" | "total";
  /** RE2 pattern of function names; null for all functions. */
  pattern: string | null;
  above: boolean;
  kind: LimitKind;
  /** A fraction for `relative`, `points` and `share`; else in the unit. */
  limit: number;
  /** Unit of a limit that is a value. */
  unit: "nanoseconds" | "bytes" | "count" | null;
}

const UNITS: ReadonlyMap<string, [unit: "nanoseconds" | "bytes", size: number]> = new Map(
  Object.entries({
    ns: ["nanoseconds", 1],
    µs: ["nanoseconds", 1e3],
    us: ["nanoseconds", 1e3],
    ms: ["nanoseconds", 1e6],
    s: ["nanoseconds", 1e9],
    min: ["nanoseconds", 6e10],
    B: ["bytes", 1],
    kB: ["bytes", 1e3],
    KiB: ["bytes", 2 ** 10],
    MB: ["bytes", 1e6],
    MiB: ["bytes", 2 ** 20],
    GB: ["bytes", 1e9],
    GiB: ["bytes", 2 ** 30],
  }),
);

const EXAMPLE = "such as self(com.acme.*) > +5%";

/** Throws ConditionError. */
export function parseCondition(text: string): Condition {
  const [, measure, names = "", sign = "", limit = ""] = /^\s*(\w+)\s*\((.*)\)\s*([<>])\s*(.*?)\s*$/s.exec(text) ?? [];
  if (measure === undefined) throw new ConditionError(`${JSON.stringify(text)} is no condition, ${EXAMPLE}`);
  if (measure !== "self" && measure !== "total") throw new ConditionError(`${measure}() is not one of self(), total()`);
  const of = { text: text.trim(), measure, pattern: patternOf(names.trim()), above: sign === ">" } as const;
  const [, plus = "", number = "", unit = ""] = /^([+\-−]?)\s*(\d+(?:\.\d+)?)\s*([%a-zA-Zµ]*)$/.exec(limit) ?? [];
  if (number === "") throw new ConditionError(`${JSON.stringify(limit)} is no limit, ${EXAMPLE}`);
  const signed = plus === "" || plus === "+" ? Number(number) : -Number(number);
  if (unit === "%") return { ...of, kind: plus === "" ? "share" : "relative", limit: signed / 100, unit: null };
  if (unit === "pp") {
    if (plus === "") throw new ConditionError(`${limit}: pp is for a change, such as +${limit}`);
    return { ...of, kind: "points", limit: signed / 100, unit: null };
  }
  const known = UNITS.has(unit) ? UNITS.get(unit) : undefined;
  if (known === undefined && unit !== "") {
    throw new ConditionError(`${unit}: is no unit; the units are %, pp, ${[...UNITS.keys()].join(", ")}`);
  }
  const [name, size] = known ?? (["count", 1] as const);
  return { ...of, kind: plus === "" ? "value" : "change", limit: signed * size, unit: name };
}

/** A pattern of names: a text with `*`, or `/REGEX/`. */
function patternOf(names: string): string | null {
  if (names === "" || names === "*") return null;
  const regex = /^\/(.*)\/$/s.exec(names)?.[1];
  if (regex !== undefined) return regex;
  const parts = names.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return `^${parts.join(".*")}$`;
}

/** Conditions of a file: one on each line; empty lines and lines that begin with # are skipped. */
export function conditionLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

export interface Judged {
  condition: string;
  /**
   * `failed`: the limit is exceeded by more than the sampling error of both sides. `unsure`: it is exceeded by less, or
   * the error is not known, which does not fail. `passed`: it is not exceeded. `unknown`: not failed, but a recorder
   * left out events (`loss`), so that the program may exceed it.
   */
  result: "failed" | "unsure" | "passed" | "unknown";
  /** The compared figure of both sides: a share for `share` and `points`, else per second or request. */
  a: number;
  b: number;
  /** Whether `a` and `b` are shares. */
  isShare: boolean;
  /** The limit for B's figure. */
  limit: number;
  /** Half of the 95 % interval of B's figure less its limit. */
  error: number;
  /** Functions that the names select. */
  functions: number;
}

/** Weights of the functions of a condition, and of everything. */
export interface Parts {
  a: Weight;
  b: Weight;
  functions: number;
}

/** Throws ConditionError if the limit's unit is not that of the comparison's values. */
export function checkUnit({ kind, unit, text }: Condition, of: Pick<Comparison, "unit" | "type" | "per">): void {
  if (kind !== "change" && kind !== "value") return;
  if (of.per === "share") throw new ConditionError(`${text}: values are compared as shares; use % or pp, or --per`);
  const wanted = of.unit === "nanoseconds" || of.unit === "bytes" ? of.unit : "count";
  if (unit === wanted) return;
  const words = { nanoseconds: "times", bytes: "bytes", count: "counts" };
  throw new ConditionError(`${text}: values of ${of.type} are ${words[wanted]}`);
}

export function judge(
  { text, kind, above, limit }: Condition,
  { a, b, functions }: Parts,
  { per, errorKnown }: Pick<Comparison, "per" | "errorKnown">,
  perOf: (side: "a" | "b", per: Per) => Pick<Side, "per" | "perSquares">,
  left: { a: boolean; b: boolean } = { a: false, b: false },
): Judged {
  const isShare = kind === "share" || kind === "points" || per === "share";
  const basis = isShare ? "share" : per;
  const [sideA, sideB]: [Side, Side] = [
    { ...a, ...perOf("a", basis) },
    { ...b, ...perOf("b", basis) },
  ];
  const factors: Record<LimitKind, number> = { relative: 1 + limit, change: 1, points: 1, value: 0, share: 0 };
  const factor = factors[kind];
  const offset = kind === "relative" ? 0 : limit;
  const { excess, error } = excessOf(sideB, sideA, factor, offset);
  const beyond = above ? excess : -excess;
  const valueB = sideB.per === 0 ? 0 : b.value / sideB.per;
  const exceeded = errorKnown && beyond > error && !isTooFew(sideA, sideB) ? "failed" : "unsure";
  // Values of a side are at least as large as shown where its recorder left out events; shares are kept.
  const isOpen = !isShare && (above ? left.b : left.a && kind !== "value");
  const result = beyond <= 0 ? "passed" : exceeded;
  return {
    condition: text,
    result: isOpen && result !== "failed" ? "unknown" : result,
    a: sideA.per === 0 ? 0 : a.value / sideA.per,
    b: valueB,
    isShare,
    limit: valueB - excess,
    error,
    functions,
  };
}
