/** What the pictures share: sizes, colours, fonts and lines of text of an SVG. */
import { fitEnd, NameLabels } from "../model/words/short-name.ts";
import { escapeText } from "./escape.ts";

/** Drawing width of a picture: it has every frame that is half a pixel wide in it. */
export const PICTURE_WIDTH = 1568;

export const EDGE_PX = 16;
export const CELL_PX = 18;
export const LINE_PX = 20;
/** Width of the 11 px monospaced labels; a wide character takes two. */
export const LETTER_PX = 6.65;
/** Approximate width of the 13 px text. */
export const TEXT_PX = 7.5;
export const LABEL_FROM_PX = 24;

export const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
export const MONO = "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export interface Look {
  back: string;
  text: string;
  muted: string;
}

export const LIGHT: Look = { back: "#ffffff", text: "#1b1f24", muted: "#57606a" };
export const DARK: Look = { back: "#14171b", text: "#edf0f3", muted: "#9ea7b2" };

export function headText(lines: string[], look: Look): string {
  const style = (i: number) =>
    i === 0 ? 'font-size="15" font-weight="600"' : `fill="${i === 1 ? look.text : look.muted}"`;
  return lines.map((line, i) => textLine(line, EDGE_PX + LINE_PX * (i + 0.75), style(i))).join("\n");
}

export function textLine(text: string, y: number, look: string): string {
  return `<text x="${EDGE_PX}" y="${y}" ${look}>${escapeText(text)}</text>`;
}

export function fixed(px: number): string {
  return String(Number(px.toFixed(2)));
}

/** Names that fit into so many letters. */
export const NAMES = new NameLabels(lettersOf);

/** As much of a text as so many letters of a monospaced font take up; "" where that says nothing. */
export function clipped(text: string, letters: number): string {
  return fitEnd(text, letters, lettersOf);
}

/** Width of a text in a monospaced font: a wide character counts as two letters. */
function lettersOf(text: string): number {
  let letters = 0;
  for (const c of text) letters += /[\u1100-\u{10ffff}]/u.test(c) && !/[\u2000-\u2bff]/u.test(c) ? 2 : 1;
  return letters;
}
