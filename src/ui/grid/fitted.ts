/**
 * Texts that are shortened to the width of their element. One observer serves all: the browser reports widths after its
 * layout and before it paints, so nothing is laid out for the sake of measuring, and no text is seen in two forms.
 */
import { useLayoutEffect, useRef } from "react";
import { type Piece, shownText, type WidthOf } from "../../model/words/short-name.ts";
import { forgetFonts, type LabelFont, labelFont } from "../flame/label-font.ts";
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
}

/** Widths are of whole letters; a browser's are of the text. */
const SLACK_PX = 1;

const all = new Map<Element, Fitted>();
let observer: ResizeObserver | null = null;

/** The element of a text, whose width must not depend on the text, that is shortened by `shorten`. */
export function useFitted<E extends HTMLElement>(text: string, shorten: Shorten) {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    all.set(current, { text: "", shorten, room: 0, font: null, shown: null });
    observe(current);
    return () => {
      all.delete(current);
      observer?.unobserve(current);
    };
  }, [shorten]);
  useLayoutEffect(() => {
    const { current } = element;
    const fitted = current && all.get(current);
    if (!current || !fitted) return;
    fitted.text = text;
    fitted.shorten = shorten;
    show(current, fitted);
  }, [text, shorten]);
  return element;
}

function observe(element: Element): void {
  if (observer === null) {
    observer = new ResizeObserver(resized);
    // The page's fonts come after its first picture.
    document.fonts.addEventListener("loadingdone", () => {
      forgetFonts();
      for (const [each, fitted] of all) fitted.font = labelFont(each);
      for (const [each, fitted] of all) show(each, fitted);
    });
  }
  observer.observe(element);
}

function resized(entries: ResizeObserverEntry[]): void {
  // All styles are read before the first text is changed.
  for (const { target, contentRect } of entries) {
    const fitted = all.get(target);
    if (fitted === undefined) continue;
    fitted.room = contentRect.width;
    fitted.font ??= labelFont(target);
  }
  for (const { target } of entries) {
    const fitted = all.get(target);
    if (fitted !== undefined) show(target, fitted);
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
