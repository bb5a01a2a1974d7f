/**
 * d3 as far as d3-flame-graph needs it here. For every frame of every drawing the library starts three transitions
 * (with a duration of 0 too: timers and bookkeeping), binds three listeners, sets every attribute again and keeps a
 * label of HTML; together that costs far more than the drawing. Here a transition applies what it is given at once,
 * nothing is bound (the renderer listens for all frames), what is as it should be is left alone, and there are no
 * labels: the renderer writes its own. Nothing else on the page uses d3, and scripts/lean-d3.ts puts this file in the
 * place of packages of which the library calls one function each, so the page does not load timers and interpolators.
 */
import { selection } from "d3-selection";

/** The part of a d3 selection that the library sets through transitions. */
interface Settable {
  attr(name: string, value: unknown): unknown;
  style(name: string, value: unknown): unknown;
  text(value: unknown): unknown;
}

class AtOnce {
  private readonly target: Settable;

  constructor(target: Settable) {
    this.target = target;
  }

  duration(): this {
    return this;
  }

  delay(): this {
    return this;
  }

  ease(): this {
    return this;
  }

  attr(name: string, value: unknown): this {
    this.target.attr(name, value);
    return this;
  }

  style(name: string, value: unknown): this {
    this.target.style(name, value);
    return this;
  }

  text(value: unknown): this {
    this.target.text(value);
    return this;
  }
}

/** The element that the library keeps a frame's label in. */
const LABEL = "foreignObject";
const NONE = () => null;

type Find = (this: unknown, name: unknown) => unknown;
type Each = (this: unknown, visit: (this: Element, datum: unknown) => void) => unknown;

/** A gap of one pixel between boxes, as the canvas has it. */
const GAP_PX = 1;

/** Setting an attribute is several times slower than reading it. Size and name have no meaning on a `g`. */
function setIfOther(element: Element, name: string, value: unknown): void {
  if (element.localName === "g" && name !== "transform" && name !== "class") return;
  const isSize = element.localName === "rect" && (name === "width" || name === "height");
  const text = String(isSize ? Math.max(0, Number(value) - GAP_PX) : value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

/** Once, before the library draws. */
export function makeLean(): void {
  const { select, append, each } = selection.prototype as unknown as { select: Find; append: Find; each: Each };
  Object.assign(selection.prototype, {
    attr(this: unknown, name: string, value: unknown) {
      return each.call(this, function (datum) {
        setIfOther(this, name, typeof value === "function" ? value.call(this, datum) : value);
      });
    },
    transition(this: Settable) {
      return new AtOnce(this);
    },
    on(this: unknown) {
      return this;
    },
    select(this: unknown, selector: unknown) {
      return select.call(this, selector === LABEL ? NONE : selector);
    },
    append(this: unknown, name: unknown) {
      return name === LABEL ? select.call(this, NONE) : append.call(this, name);
    },
  });
}

/** d3-scale: the library maps shares of the whole, 0 to 1. */
export function scaleLinear() {
  let [low, high] = [0, 1];
  const at = (share: number) => low * (1 - share) + high * share;
  return Object.assign(at, {
    range: (range: [number, number]) => {
      [low, high] = range;
      return at;
    },
  });
}

/** d3-format: the library asks for ".3f", in words that nothing shows here. */
export const format = () => (value: number) => value.toFixed(3);

/** d3-array. */
export function ascending(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}

/** d3-ease, which only transitions call. */
export const easeCubic = NONE;
