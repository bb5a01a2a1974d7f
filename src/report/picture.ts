/**
 * The graph as SVG: rectangles and text made from the frames, not from a browser's drawing. It uses only presentation
 * attributes, so that it looks the same in a page with a policy, in an office document, and on its way to a PNG.
 */
import type { FramesAnswer } from "../core/types.ts";
import { VERSION } from "../core/version.ts";
import { cssOf, FOUND, MARKER, QUIET, type Tone, UNKNOWN } from "../model/flame/colour.ts";
import { describeFrame, detailParts } from "../model/flame/detail.ts";
import { frameName, matchingRows, partName, ROOT_NAME } from "../model/flame/flame.ts";
import { boxName, type FlameLayout, layOutFlame, markedRow } from "../model/flame/flame-layout.ts";
import { foldedRows } from "../model/flame/fold.ts";
import { classAt, classOf } from "../model/flame/frame-classes.ts";
import { FRAME_TYPES } from "../model/flame/frame-types.ts";
import { foldPrefix } from "../model/flame/prefix.ts";
import { innerWidth } from "../model/flame/tone-paths.ts";
import { patternOf } from "../model/query/pattern.ts";
import { hiddenWords } from "../model/words/answer-words.ts";
import { visible } from "../model/words/text.ts";
import { escapeText } from "./escape.ts";
import { type Legend, legendFor } from "./legend.ts";
import {
  CELL_PX,
  clipped,
  DARK,
  EDGE_PX,
  FONT,
  fixed,
  headText,
  LABEL_FROM_PX,
  LETTER_PX,
  LIGHT,
  LINE_PX,
  type Look,
  MONO,
  NAMES,
  PICTURE_WIDTH,
  TEXT_PX,
  textLine,
} from "./picture-parts.ts";
import { filtersOf, groupingWords, namesWords, profileWords, type Subject, totalsWords } from "./subject.ts";

const MARKER_FROM_PX = 3;
const MOST_FILTERS = 12;
/** Boxes that are written at a time. */
const SLICE = 200;

export interface Picture {
  /** The SVG in parts, in their order: a page rests between them. */
  parts: Iterable<string>;
  /** CSS pixels. */
  width: number;
  height: number;
  /** Boxes drawn, markers not counted. */
  frames: number;
}

export function flamePicture(subject: Subject, answer: FramesAnswer, dark: boolean): Picture {
  const look = dark ? DARK : LIGHT;
  const { grouping, past, look: drawn, shape } = subject.drawing;
  const fold = drawn.folded ? foldPrefix(answer, grouping === "callers") : null;
  const shown = fold?.answer ?? answer;
  const { frames } = shown;
  const isPart = grouping === "stacks" && past > 0;
  const width = PICTURE_WIDTH + 2 * EDGE_PX;
  const { expression, error } = patternOf(subject.drawing.search);
  const found = expression === null ? null : matchingRows(answer.frames, expression, shape.lines);
  const matches = found === null || fold === null ? found : foldedRows(fold, found);
  const head = headOf(subject, answer, error ?? expression?.error ?? null);
  const top = EDGE_PX + LINE_PX * (head.length + 0.5);
  // The words over the graph name the frame zoomed to, so the frames above it are left out.
  const layout = layOutFlame(
    { ...shown, path: [] },
    {
      rootName: ROOT_NAME,
      markerFrom: MARKER_FROM_PX / PICTURE_WIDTH,
      part: isPart ? partName(frameName(frames, 0, ROOT_NAME), past) : undefined,
    },
  );
  const { levels, level, order } = layout;
  const end = top + levels * CELL_PX + LINE_PX;
  // During a search, colours show matches only.
  const legend = matches === null ? legendFor(subject, answer) : null;
  const colour = classOf(drawn);
  const foot = end + (legend === null ? 0 : LINE_PX);
  const height = Math.ceil(foot + EDGE_PX);
  const toneFor = (row: number): Tone => {
    if (matches !== null) return matches.has(row) ? FOUND : QUIET;
    // The frames of a prefix are of several families.
    return fold?.chains.has(row) ? UNKNOWN : classAt(answer.frames, fold?.rows[row] ?? row, colour).tone;
  };
  const boxText = (box: number) => {
    const above = markedRow(layout, box);
    const isMarker = above >= 0;
    const row = isMarker ? above : box;
    const fill = cssOf(isMarker ? MARKER : toneFor(row), dark);
    const { name, ...rest } = describeFrame(shown, row, subject.profile, ROOT_NAME, grouping === "callers");
    const words = isMarker
      ? `${boxName(layout, box)} below ${name}`
      : [name, ...detailParts({ name, ...rest })].join(" · ");
    const kind = isMarker ? "hidden" : "frame";
    const value = isMarker ? frames.hiddenValue[row] : frames.total[row];
    const line = drawn.up ? levels - 1 - level[box] : level[box];
    return `<g data-kind="${kind}" data-value="${value}"><title>${escapeText(words)}</title>${shapeOf(layout, box, line, top, fill, look)}</g>\n`;
  };
  const title = escapeText([head[0], totalsWords(subject)].join(" · "));
  const hidden = hiddenWords(answer, subject.drawing.grouping !== "stacks");
  function* parts(): Generator<string> {
    yield `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" font-family="${FONT}" font-size="13" fill="${look.text}">
<title>${title}</title>
<rect width="${width}" height="${height}" fill="${look.back}"/>
${headText(head, look)}
<g font-family="${MONO}" font-size="11">
`;
    for (let at = 0; at < order.length; at += SLICE) yield Array.from(order.subarray(at, at + SLICE), boxText).join("");
    yield `</g>
${legend === null ? "" : legendLine(legend, end, dark, look)}${textLine(`${hidden} · Spanflame ${VERSION}`, foot, `fill="${look.muted}"`)}
</svg>
`;
  }
  return { parts: parts(), width, height, frames: layout.rows };
}

/** The texts above the graph, one per line. */
function headOf(subject: Subject, answer: FramesAnswer, problem: string | null): string[] {
  const { profile, names, drawing } = subject;
  const filters = filtersOf(subject).map(({ label, value }) => `${label} ${value}`);
  const shown = filters.slice(0, MOST_FILTERS);
  const more = filters.length - shown.length;
  const lines = [`${profileWords(profile)} · ${namesWords(names)}`, totalsWords(subject)];
  lines.push(
    filters.length === 0 ? "not filtered" : `filtered: ${shown.join(" · ")}${more > 0 ? ` · and ${more} more` : ""}`,
  );
  if (drawing.grouping !== "stacks") lines.push(groupingWords(subject));
  if (answer.path.length > 0) lines.push(`zoomed to ${frameName(answer.frames, 0, ROOT_NAME)}`);
  if (drawing.search !== "")
    lines.push(`search: /${visible(drawing.search, 120)}/${problem === null ? "" : ` (${problem})`}`);
  return lines.map((line) => clipped(line, PICTURE_WIDTH / TEXT_PX));
}

/** The legend of colours, in one row. */
function legendLine({ title, rows }: Legend, y: number, dark: boolean, look: Look): string {
  let x = EDGE_PX + (title.length + 2) * TEXT_PX;
  const parts = rows.map(({ label, tones: [tone], share }) => {
    const fill = tone === undefined ? look.back : cssOf(tone, dark);
    const left = fixed(x);
    const words = `${label} ${share}`;
    const text = `<text x="${fixed(x + LINE_PX)}" y="${y}" fill="${look.muted}">${escapeText(words)}</text>`;
    x += 2 * LINE_PX + words.length * TEXT_PX;
    return `<rect x="${left}" y="${y - 11}" width="12" height="12" fill="${fill}" stroke="${look.muted}"/>${text}`;
  });
  return `${textLine(`${title}:`, y, `fill="${look.muted}"`)}\n<g data-kind="legend">${parts.join("")}</g>\n`;
}

function shapeOf(layout: FlameLayout, box: number, line: number, top: number, fill: string, look: Look): string {
  const left = EDGE_PX + layout.left[box] * PICTURE_WIDTH;
  const wide = layout.width[box] * PICTURE_WIDTH;
  const y = top + line * CELL_PX;
  const inner = fixed(innerWidth(wide));
  const shape = `<rect x="${fixed(left)}" y="${fixed(y)}" width="${inner}" height="${CELL_PX - 1}" fill="${fill}"/>`;
  const label = wide < LABEL_FROM_PX ? "" : labelOf(layout, box, (wide - 8) / LETTER_PX);
  if (label === "") return shape;
  const style = box >= layout.rows ? ` fill="${look.muted}"` : "";
  return `${shape}<text x="${fixed(left + 4)}" y="${fixed(y + 12.5)}"${style}>${escapeText(label)}</text>`;
}

function labelOf(layout: FlameLayout, box: number, letters: number): string {
  const name = boxName(layout, box);
  if (box >= layout.rows) return clipped(name, letters);
  const isRoot = FRAME_TYPES[layout.answer.frames.frameType[box]] === "root";
  return isRoot ? NAMES.fitMiddle(name, letters) : NAMES.fit(name, letters);
}
