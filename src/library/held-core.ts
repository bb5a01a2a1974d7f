/**
 * The core of a recording. It has one current selection and one shape of its call tree, so each request first restores
 * those of its selection: selections that are used in turn do not disturb each other. After a request that failed, both
 * are unknown.
 */
import type { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { Shape } from "../core/shape.ts";
import type { Filter, ProfileSummary } from "../core/types.ts";
import type { WhyContext } from "../core/why.ts";
import { shapeKey, WHOLE } from "../model/query/shape.ts";

/** The samples of a selection, and the shape of its call tree. */
export interface Wanted {
  /** Index of the profile; null for all profiles. */
  readonly profile: number | null;
  readonly filter: Filter;
  readonly measure: number;
  readonly shape: Shape;
}

export class HeldCore {
  private core: Core | null;
  /** The current selection of the core, by identity; null if it is unknown. */
  private selected: Wanted | null = null;
  /** The shape of its call tree, and the names that it is of; null if it is unknown. */
  private shaped: string | null = null;
  /** Requests that select by themselves and are not over. */
  private stepping = 0;
  private context: WhyContext | null = null;
  private readonly kept = new Map<object, unknown>();
  /** Types of the profiles by id. */
  readonly types: ReadonlyMap<number, string>;
  private readonly summaries: ProfileSummary[];

  /** Whether all samples were read, so that what none has is unknown. */
  readonly isWhole: boolean;

  constructor(core: Core, profiles: ProfileSummary[], isWhole: boolean) {
    this.core = core;
    this.isWhole = isWhole;
    this.summaries = profiles;
    this.types = new Map(profiles.map(({ id, type }) => [id, type]));
  }

  get isClosed(): boolean {
    return this.core === null;
  }

  /** Gives the memory up. Every later request throws `recording.closed`. */
  close(): void {
    this.core = null;
    this.selected = null;
    this.context = null;
    this.kept.clear();
  }

  /** What `make` makes of the recording: made once, and dropped with it. `kind` identifies it. */
  made<T>(kind: object, make: () => T): T {
    if (!this.kept.has(kind)) this.kept.set(kind, make());
    return this.kept.get(kind) as T;
  }

  /** A request that needs no selection and changes none. */
  ask<T>(request: (core: Core) => T): T {
    return this.guarded(request);
  }

  /** A request about a selection. */
  about<T>(wanted: Wanted, request: (core: Core) => T): T {
    return this.guarded((core) => {
      this.select(core, wanted);
      return request(core);
    });
  }

  /** A request about the call tree of a selection. */
  view<T>(wanted: Wanted, request: (core: Core) => T): T {
    return this.guarded((core) => {
      this.select(core, wanted);
      // Other names make another tree, which has no shape yet.
      const key = `${shapeKey(wanted.shape)}${wanted.filter.rawNames === true ? " raw" : ""}`;
      if (key !== this.shaped || this.stepping > 0) {
        this.shaped = null;
        core.views.shape(wanted.shape);
        this.shaped = key;
      }
      return request(core);
    });
  }

  /** A request that leaves another selection, and perhaps another shape, in the core. */
  apart<T>(request: (core: Core) => T): T {
    this.forget();
    return this.guarded(request);
  }

  /** A request that selects by itself in steps, between which others are answered. */
  async stepwise<T>(request: () => T | Promise<T>): Promise<T> {
    this.stepping++;
    try {
      return await this.apart(request);
    } finally {
      this.stepping--;
      this.forget();
    }
  }

  /** Interface for `splitByProfile`. */
  readonly profiles = (): ProfileSummary[] => this.summaries;

  /** Interface for `splitByProfile`. */
  readonly write: Core["write"] = (...how) => this.apart((core) => core.write(...how));

  /** Facts of the recording that every summary needs: read once. */
  whyContext(): WhyContext {
    this.context ??= this.ask(({ views }) => ({ profiles: this.summaries, marks: views.marks(), whole: new Map() }));
    return this.context;
  }

  private select(core: Core, wanted: Wanted): void {
    if (this.selected === wanted && this.stepping === 0) return;
    this.selected = null;
    core.views.choose(wanted.profile, wanted.filter, wanted.measure);
    this.selected = wanted;
  }

  private forget(): void {
    this.selected = null;
    this.shaped = null;
  }

  private guarded<T>(request: (core: Core) => T): T {
    const { core } = this;
    if (core === null) throw new SpanflameError("recording.closed", "the recording is closed");
    try {
      return request(core);
    } catch (error) {
      this.forget();
      throw error;
    }
  }
}

/** The shape with these properties, all others as recorded. */
export function wholeShape(shape: Partial<Shape> | undefined): Shape {
  return shape === undefined ? WHOLE : { ...WHOLE, ...shape };
}
