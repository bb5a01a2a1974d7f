/** A section of a report that is a table. */
import { escapeText } from "./escape.ts";

/**
 * Heads and cells are markup; the first cell of a row is its head. `suffix` ends the ids, where the report has several
 * such tables.
 */
export function tableSection(
  id: string,
  title: string,
  about: string,
  [heads = [], ...rows]: readonly (readonly string[])[],
  suffix = "",
  below = "",
): string {
  const named = `${id}-title${suffix}`;
  const lines = rows.map(([first = "", ...cells]) => {
    return `<tr><th scope="row">${first}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  return `<section aria-labelledby="${named}">
<h2 id="${named}">${escapeText(title)}</h2>
<p class="hint">${escapeText(about)}</p>
<div class="scroller" role="group" aria-labelledby="${named}" tabindex="0">
<table id="${id}${suffix}">
<thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>
${lines.join("\n")}
</tbody>
</table>
</div>
${below}</section>`;
}

/** A row of text: its head, which may be in any direction, and its figures. */
export function textRow([first = "", ...cells]: readonly string[]): string[] {
  return [`<bdi>${escapeText(first)}</bdi>`, ...cells.map(escapeText)];
}
