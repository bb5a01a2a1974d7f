/** A comparison as Markdown that fits into a comment on a pull request. */
import { formatCount } from "../words/format.ts";
import { hexId } from "../words/ids.ts";
import { cut, visible } from "../words/text.ts";
import type { ComparedSide, Comparison } from "./comparison.ts";
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

/** A workflow finds its former comment by this line. */
const MARKER = "<!-- spanflame -->";
const NAME_CAP = 120;
/** Names of recordings that a side lists. */
const MOST_FILES = 10;

export function diffMarkdown(comparison: Comparison, judged: readonly Judged[], limit: number): string {
  const { whole } = comparison;
  const total = whole === null ? "" : `: ${changeWords(whole, comparison)}${sureWords(whole)}`;
  return [
    MARKER,
    `### ${text(subjectWords(comparison))}${total}`,
    "",
    `**${verdictWords(comparison, judged)}**`,
    "",
    ...conditionTable(comparison, judged),
    ...changeTable(comparison, limit),
    "<details><summary>Recordings and caveats</summary>",
    "",
    sideLine("A", comparison.a),
    sideLine("B", comparison.b),
    ...exampleLines(shownRows(comparison, limit)),
    ...comparison.caveats.map((each) => `- ${text(each)}`),
    "",
    "</details>",
  ].join("\n");
}

function conditionTable(comparison: Comparison, judged: readonly Judged[]): string[] {
  if (judged.length === 0) return [];
  const rows = judged.map((each) => {
    const figures = [each.a, each.b, each.limit].map((value) => judgedFigure(value, each, comparison));
    return row(code(each.condition), ...figures, resultWords(each, comparison));
  });
  return ["| Condition | A | B | limit of B | Result |", "|---|--:|--:|--:|---|", ...rows, ""];
}

function changeTable(comparison: Comparison, limit: number): string[] {
  const shown = shownRows(comparison, limit);
  if (shown.length === 0) return [`No ${comparison.by} changed beyond the sampling error.`, ""];
  const isFunctions = comparison.by === "function";
  const head = isFunctions
    ? ["| Function | self A | self B | change of self | change of total |", "|---|--:|--:|--:|--:|"]
    : ["| Endpoint | A | B | change |", "|---|--:|--:|--:|"];
  const rows = shown.map(({ name, nameInA, self, total }) => {
    const first = self ?? total;
    const figures = [first.base, first.value].map((value) => figureWords(value, comparison));
    const changes = (self === null ? [total] : [self, total]).map((change) =>
      change.isSure ? `**${changeWords(change, comparison)}**` : changeWords(change, comparison),
    );
    const names = nameInA === undefined ? code(name) : `${code(name)} (A: ${code(nameInA)})`;
    return row(names, ...figures, ...changes);
  });
  const changed = changedCount(comparison);
  const rest =
    changed > shown.length ? [`… and ${formatCount(changed - shown.length)} more significant changes.`, ""] : [];
  return [...head, ...rows, "", ...rest];
}

function sideLine(label: string, side: ComparedSide): string {
  const { files, root } = side;
  const more = files.length > MOST_FILES ? `, and ${formatCount(files.length - MOST_FILES)} more` : "";
  const id = root === null ? "" : `; heaviest local root \`0x${hexId(root)}\``;
  return `- ${label}: ${files.slice(0, MOST_FILES).map(code).join(", ")}${more}: ${sideWords(side)}${id}`;
}

/** Requests of B to look at. */
function exampleLines(rows: Comparison["rows"]): string[] {
  const withRoot = rows.filter(({ root }) => root !== null);
  return withRoot.map(({ name, root }) => `- Heaviest local root of ${code(name)} in B: \`0x${hexId(root ?? 0n)}\``);
}

function row(...cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A name of a recording as code: in a table a pipe ends the cell even there, and a backtick ends the code. */
function code(name: string): string {
  const shown = cut(visible(name, Number.POSITIVE_INFINITY), NAME_CAP);
  return `\`${shown.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}

function text(words: string): string {
  return words.replace(/[\\`*_<>[\]|]/g, "\\$&");
}
