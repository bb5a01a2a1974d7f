/**
 * d3-flame-graph starts three transitions per frame for every drawing, with a duration of 0 too: timers and
 * bookkeeping that cost more than the drawing itself, and labels that come a tick late. Here a transition applies
 * what it is given at once. Nothing else on the page uses d3, and vite.config.ts puts this file in d3-transition's place:
 * nobody loads timers and interpolators that are never used.
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

export function turnTransitionsOff(): void {
  Object.assign(selection.prototype, {
    transition(this: Settable) {
      return new AtOnce(this);
    },
  });
}
