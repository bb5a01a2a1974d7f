/**
 * The core of a recording, as long as it is open. Each question names its samples, and the shape of its call tree: no
 * other file selects in a core.
 */
import type { Views } from "../core/answers/views.ts";
import type { Core } from "../core/core.ts";
import type { Held } from "../core/held.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { Shape } from "../core/shape.ts";
import type { Filter, SelectionTotals } from "../core/types.ts";
import { WHOLE } from "../model/query/shape.ts";

/** The samples of a selection, and the shape of its call tree: without one as recorded. */
export interface Wanted {
  /** Index of the profile; null for all profiles. */
  readonly profile: number | null;
  readonly filter: Filter;
  readonly measure: number;
  readonly shape?: Shape | undefined;
}

export class HeldCore implements Held {
  private held: Core | null;
  private reason: unknown = null;

  constructor(core: Core) {
    this.held = core;
  }

  /** Throws the reason of `close`. */
  get core(): Core {
    if (this.held === null) throw this.reason;
    return this.held;
  }

  get isClosed(): boolean {
    return this.held === null;
  }

  /** Gives the memory up. Every later question throws this reason. */
  close(reason: unknown = new SpanflameError("recording.closed", "the recording is closed")): void {
    this.held = null;
    this.reason = reason;
  }

  about(profile: number | null, filter: Filter, measure = 0, shape: Shape = WHOLE): Views {
    const { views } = this.core;
    views.choose(profile, filter, measure, shape);
    return views;
  }

  totals(profile: number | null, filter: Filter, measure = 0): SelectionTotals {
    return this.about(profile, filter, measure).totals();
  }

  /** As `Views.compareWith`: the baseline of what is asked about the call tree of another selection. */
  compareWith(baseline: Wanted & { profile: number }, shape: Shape, squared = false): SelectionTotals {
    return this.core.views.compareWith(baseline, shape, squared);
  }

  /** The answers about the call tree of a selection. */
  look({ profile, filter, measure, shape = WHOLE }: Wanted): Views {
    const views = this.about(profile, filter, measure, shape);
    views.shape(shape);
    return views;
  }

  /** The call tree as in `look`. Its samples are selected only where the tree is in another shape. */
  see(wanted: Wanted): void {
    if (!this.core.views.hasShape(wanted.shape ?? WHOLE)) this.look(wanted);
  }
}
