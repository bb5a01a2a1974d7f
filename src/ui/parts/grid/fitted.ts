/**
 * Texts that are shortened to the width of their element. One observer serves all: the browser reports widths after its
 * layout and before it paints, so nothing is laid out for the sake of measuring, and no text is seen in two forms. Of
 * the texts of a column, which are equally wide, one is observed for all: each observed element costs the browser time
 * in every layout.
 */
import { createContext, useLayoutEffect, useRef } from "react";
import { type Piece, shownText, type WidthOf } from "../../../model/words/short-name.ts";
import { forgetFonts, type LabelFont, labelFont } from "../drawing/label-font.ts";
import css from "./FrameName.module.css";

export type Shorten = (text: string, room: number, widthOf: WidthOf) => Piece[];

interface Fitted {
  text: string;
  shorten: Shorten;
  /** Pixels; 0 until the first layout. */
  room: number;
  font: LabelFont | null;
  /** What is shown now. */
  shown: string | null;
  column: FittedColumn | null;
}

/** Elements of a column that are equally wide; one of them is observed. */
export class FittedColumn {
  readonly elements = new Set<Element>();
  observed: Element | null = null;
  /** Of the observed one. */
  room = 0;
  font: LabelFont | null = null;
}

/** The column of names in the table around an element. */
export const NameColumn = createContext<FittedColumn | null>(null);

/** Widths are of whole letters; a browser's are of the text. */
const SLACK_PX = 1;

const all = new Map<Element, Fitted>();
let observer: ResizeObserver | null = null;

/**
 * The element of a text, whose width must not depend on the text, that is shortened by `shorten`. With a column, it is
 * as wide as the column's other elements.
 */
export function useFitted<E extends HTMLElement>(text: string, shorten: Shorten, column: FittedColumn | null = null) {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const { room, font } = column ?? { room: 0, font: null };
    all.set(current, { text: "", shorten, room, font, shown: null, column });
    enter(current, column);
    return () => {
      all.delete(current);
      leave(current, column);
    };
  }, [shorten, column]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in another column, the text has to be shown again
  useLayoutEffect(() => {
    const { current } = element;
    const fitted = current && all.get(current);
    if (!current || !fitted) return;
    fitted.text = text;
    fitted.shorten = shorten;
    show(current, fitted);
  }, [text, shorten, column]);
  return element;
}

function enter(element: Element, column: FittedColumn | null): void {
  column?.elements.add(element);
  if (column !== null && column.observed !== null) return;
  if (column !== null) column.observed = element;
  observe(element);
}

function leave(element: Element, column: FittedColumn | null): void {
  column?.elements.delete(element);
  if (column !== null && column.observed !== element) return;
  observer?.unobserve(element);
  if (column === null) return;
  // Rows leave at one end of a table and come at the other: the newest stays longest.
  column.observed = [...column.elements].at(-1) ?? null;
  if (column.observed !== null) observe(column.observed);
}

function observe(element: Element): void {
  if (observer === null) {
    observer = new ResizeObserver(resized);
    // The page's fonts come after its first picture.
    document.fonts.addEventListener("loadingdone", () => {
      forgetFonts();
      for (const [each, fitted] of all) {
        fitted.font = labelFont(each);
        if (fitted.column !== null) fitted.column.font = fitted.font;
      }
      for (const [each, fitted] of all) show(each, fitted);
    });
  }
  observer.observe(element);
}

function resized(entries: ResizeObserverEntry[]): void {
  // All styles are read before the first text is changed.
  const changed: Element[] = [];
  for (const { target, contentRect } of entries) {
    const fitted = all.get(target);
    if (fitted === undefined) continue;
    const { column } = fitted;
    const font = fitted.font ?? labelFont(target);
    const isOther = column !== null && (column.room !== contentRect.width || column.font !== font);
    if (isOther) Object.assign(column, { room: contentRect.width, font });
    const elements = isOther ? column.elements : [target];
    for (const element of elements) Object.assign(all.get(element) ?? {}, { room: contentRect.width, font });
    changed.push(...elements);
  }
  for (const element of changed) {
    const fitted = all.get(element);
    if (fitted !== undefined) show(element, fitted);
  }
}

function show(element: Element, fitted: Fitted): void {
  const { text, shorten, room, font } = fitted;
  const isPlaced = font !== null && room > 0;
  // Most texts fit, and have been shown in full since before the first layout.
  if (isPlaced && fitted.shown === keyOf(text, text) && font.widthOf(text) <= room - SLACK_PX) return;
  const pieces = isPlaced ? shorten(text, room - SLACK_PX, widthIn(font)) : shorten(text, Infinity, () => 0);
  const shown = keyOf(text, shownText(pieces));
  if (shown === fitted.shown) return;
  fitted.shown = shown;
  element.replaceChildren(...pieces.flatMap(nodesOf));
}

function keyOf(text: string, shown: string): string {
  return `${text}\n${shown}`;
}

function widthIn(font: LabelFont): WidthOf {
  return (text) => font.widthOf(text);
}

/** The whole text is present; the hidden part has no size. */
function nodesOf({ text, shown, home, more }: Piece): Node[] {
  if (shown && !home) return [document.createTextNode(text)];
  const span = document.createElement("span");
  span.textContent = text;
  span.className = shown ? css.home : css.off;
  if (!more) return [span];
  const ellipsis = document.createElement("span");
  ellipsis.className = css.more;
  return [ellipsis, span];
}
