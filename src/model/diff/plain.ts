/** A comparison as lines of plain text. */
import { formatCount } from "../words/format.ts";
import type { Comparison } from "./comparison.ts";
import type { Judged } from "./conditions.ts";
import {
  changedCount,
  changeWords,
  figureWords,
  judgedFigure,
  resultWords,
  shownRows,
  sideWords,
  subjectWords,
  sureWords,
  verdictWords,
} from "./words.ts";

/** Lines before the table, its rows, and lines after it. Rows are texts of their columns, the name is the last. */
export interface PlainDiff {
  head: string[];
  rows: [...figures: string[], name: string][];
  foot: string[];
}

export function plainDiff(comparison: Comparison, judged: readonly Judged[], limit: number): PlainDiff {
  const { a, b, whole } = comparison;
  const head = [`${subjectWords(comparison)}, B against A`, `A: ${sideWords(a)}`, `B: ${sideWords(b)}`];
  if (whole !== null) {
    const figures = [whole.base, whole.value].map((value) => figureWords(value, comparison)).join(" → ");
    head.push(`total: ${figures}, ${changeWords(whole, comparison)}${sureWords(whole)}`);
  }
  const shown = shownRows(comparison, limit);
  const rows = shown.map(({ name, nameInA, self, total }): [...string[], string] => {
    const first = self ?? total;
    const figures = [first.base, first.value].map((value) => figureWords(value, comparison));
    const changes = (self === null ? [total] : [self, total]).map((change) => changeWords(change, comparison));
    return [...figures, ...changes, nameInA === undefined ? name : `${name} (A: ${nameInA})`];
  });
  const names =
    comparison.by === "function" ? ["self A", "self B", "change of self", "change of total"] : ["A", "B", "change"];
  const table: PlainDiff["rows"] = rows.length === 0 ? [] : [[...names, comparison.by], ...rows];
  const more = changedCount(comparison) - shown.length;
  const foot = more > 0 ? [`… and ${formatCount(more)} more significant changes; --limit shows more`] : [];
  return { head, rows: table, foot: [...foot, ...judgedLines(comparison, judged), verdictWords(comparison, judged)] };
}

function judgedLines(comparison: Comparison, judged: readonly Judged[]): string[] {
  return judged.map((each) => {
    const [a, b, limit] = [each.a, each.b, each.limit].map((value) => judgedFigure(value, each, comparison));
    return `${resultWords(each, comparison)}: ${each.condition}: A ${a}, B ${b}, limit ${limit}`;
  });
}
