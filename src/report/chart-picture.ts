/** A flame chart as SVG: the rows of a part of its time, with the axis, gaps, pauses and the titles of its lanes. */
import { VERSION } from "../core/version.ts";
import { boxOfMark, type Chart } from "../model/chart/chart.ts";
import type { ChartWindow } from "../model/chart/columns.ts";
import { isMark, visitRow } from "../model/chart/visible.ts";
import { boxName, timeWords } from "../model/chart/words.ts";
import { cssOf, FOUND, QUIET, TONES } from "../model/flame/colour.ts";
import { innerWidth } from "../model/flame/tone-paths.ts";
import { ticks } from "../model/timeline/axis.ts";
import { formatNanos } from "../model/words/format.ts";
import { digitsFor, formatMoment, formatOffset } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import { escapeText } from "./escape.ts";
import type { Picture } from "./picture.ts";
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

export interface ChartSubject {
  chart: Chart;
  window: ChartWindow;
  /** What the chart is of. */
  title: string;
  /** Colour of each box, by its number in TONES. */
  tones: Uint8Array;
  /** 1 for the names that a search finds; null without a search. */
  found: Uint8Array | null;
  /** CSS colours of states, by index in BREAKDOWN. */
  states?: readonly string[];
}

/** Room of a tick with its label. */
const TICK_PX = 90;
/** Least width of the mark of narrow boxes. */
const MARK_PX = 0.6;

export function chartPicture(subject: ChartSubject, dark: boolean): Picture {
  const { chart, window } = subject;
  const look = dark ? DARK : LIGHT;
  const lines = shownLines(subject);
  const head = headOf(subject);
  const axis = EDGE_PX + LINE_PX * (head.length + 1);
  const top = axis + LINE_PX / 2;
  const end = top + lines.length * CELL_PX;
  const width = PICTURE_WIDTH + 2 * EDGE_PX;
  const height = Math.ceil(end + LINE_PX + EDGE_PX);
  const title = escapeText(head.join(" · "));
  const hasPauses = chart.columns.pauses.from.length > 0;
  function* parts(): Generator<string> {
    yield `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}" font-family="${FONT}" font-size="13" fill="${look.text}">
<title>${title}</title>
<defs><pattern id="pause" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" stroke="${look.text}" stroke-opacity="0.6"/></pattern></defs>
<rect width="${width}" height="${height}" fill="${look.back}"/>
${headText(head, look)}
${axisText(subject, axis, end, look)}
<g font-family="${MONO}" font-size="11">
`;
    for (const [i, line] of lines.entries()) yield lineText(subject, line, top + i * CELL_PX, dark, look);
    const words = `${hasPauses ? "striped: suspended · " : ""}Spanflame ${VERSION}`;
    yield `</g>\n${textLine(words, end + LINE_PX, `fill="${look.muted}"`)}\n</svg>\n`;
  }
  return { parts: parts(), width, height, frames: chart.boxes };

  /** Lines up to the last one that has a box in the window. */
  function shownLines({ chart: { lines: all } }: ChartSubject): Int32Array {
    let used = 0;
    all.forEach((row, line) => {
      if (row < 0) used = line + 1;
      else
        visitRow(chart, row, window, PICTURE_WIDTH, () => {
          used = line + 1;
        });
    });
    return all.subarray(0, used);
  }
}

function headOf({ chart, window, title }: ChartSubject): string[] {
  const { origin, span } = chart.columns;
  const length = window.to - window.from;
  const isWhole = window.from <= 0 && window.to >= span;
  const digits = digitsFor(Math.max(chart.columns.step, length / PICTURE_WIDTH));
  const start = origin + BigInt(Math.round(window.from));
  const part = isWhole ? "" : `${formatOffset(window.from, digits)}, ${formatNanos(length)} of ${formatNanos(span)}`;
  const words = [formatMoment(start, digits), isWhole ? formatNanos(span) : part];
  return [visible(title), words.filter((each) => each !== "").join(" · ")].map((line) =>
    clipped(line, PICTURE_WIDTH / TEXT_PX),
  );
}

function axisText({ chart, window }: ChartSubject, y: number, end: number, look: Look): string {
  const { origin } = chart.columns;
  const at = (nanos: number) => origin + BigInt(Math.round(nanos));
  const marks = ticks({ from: at(window.from), to: at(window.to) }, origin, Math.floor(PICTURE_WIDTH / TICK_PX));
  return marks
    .map(({ at: share, offset }) => {
      const x = fixed(EDGE_PX + share * PICTURE_WIDTH);
      const line = `<path d="M${x} ${y + 4}V${end}" stroke="${look.muted}" stroke-opacity="0.35"/>`;
      return `${line}<text x="${x}" y="${y}" font-size="11" fill="${look.muted}">${escapeText(offset)}</text>`;
    })
    .join("\n");
}

function lineText(subject: ChartSubject, row: number, y: number, dark: boolean, look: Look): string {
  const { chart, window, tones, found } = subject;
  const { columns } = chart;
  if (row < 0) {
    const title = escapeText(visible(columns.lanes[-1 - row].title, 200));
    return `<text x="${EDGE_PX}" y="${fixed(y + 12.5)}" fill="${look.muted}">${title}</text>\n`;
  }
  const parts: string[] = [];
  const fillOf = (box: number) => {
    if (found !== null) return cssOf(found[columns.name[box]] === 1 ? FOUND : QUIET, dark);
    const part = columns.part?.[box] ?? 0;
    return part === 0 ? cssOf(TONES[tones[box]], dark) : (subject.states?.[part - 1] ?? look.muted);
  };
  visitRow(chart, row, window, PICTURE_WIDTH, (place, after, left, wide) => {
    const box = boxOfMark(chart, place, after);
    const count = after - place;
    const from = Math.max(0, left);
    const to = Math.min(PICTURE_WIDTH, left + Math.max(wide, MARK_PX));
    const mark = isMark(place, after, wide);
    const words = mark && count > 1 ? `${count} frames` : wordsOf(chart, box);
    const rect = (fill: string, x: number, inner: number) =>
      `<rect x="${fixed(EDGE_PX + x)}" y="${fixed(y)}" width="${fixed(inner)}" height="${CELL_PX - 1}" fill="${fill}"/>`;
    const shape = rect(fillOf(box), from, mark ? to - from : innerWidth(to - from));
    const stripes = columns.lanes[columns.lane[box]].stopped
      ? pausesIn(subject, from, to).map(([a, b]) => rect("url(#pause)", a, b - a))
      : [];
    const room = mark || to - from < LABEL_FROM_PX ? 0 : (to - from - 8) / LETTER_PX;
    const label = room === 0 ? "" : NAMES.fit(boxName(columns, box), room);
    const text = `<text x="${fixed(EDGE_PX + from + 4)}" y="${fixed(y + 12.5)}">${escapeText(label)}</text>`;
    parts.push(`<g><title>${escapeText(words)}</title>${shape}${stripes.join("")}${label === "" ? "" : text}</g>\n`);
  });
  return parts.join("");
}

function wordsOf({ columns }: Chart, box: number): string {
  const { name, parts } = timeWords(columns, box);
  return [name, ...parts].join(" · ");
}

/** Parts of a box in pauses, in pixels. */
function pausesIn({ chart, window }: ChartSubject, left: number, right: number): [number, number][] {
  const { from, to } = chart.columns.pauses;
  const perNano = PICTURE_WIDTH / (window.to - window.from);
  const parts: [number, number][] = [];
  for (let i = 0; i < from.length; i++) {
    const start = Math.max(left, (from[i] - window.from) * perNano);
    const end = Math.min(right, (to[i] - window.from) * perNano);
    if (end > start) parts.push([start, end]);
  }
  return parts;
}
