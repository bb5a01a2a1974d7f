/** The core of a recording, as long as it is open. */
import type { Core } from "../core/core.ts";
import { SpanflameError } from "../core/instance/error.ts";
import type { Shape } from "../core/shape.ts";
import type { Filter, ProfileSummary } from "../core/types.ts";
import type { WhyContext } from "../core/why.ts";
import { WHOLE } from "../model/query/shape.ts";

/** The samples of a selection, and the shape of its call tree. */
export interface Wanted {
  /** Index of the profile; null for all profiles. */
  readonly profile: number | null;
  readonly filter: Filter;
  readonly measure: number;
  readonly shape: Required<Shape>;
}

export class HeldCore {
  private core: Core | null;
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
    this.context = null;
    this.kept.clear();
  }

  /** What `make` makes of the recording: made once, and dropped with it. `kind` identifies it. */
  made<T>(kind: object, make: () => T): T {
    if (!this.kept.has(kind)) this.kept.set(kind, make());
    return this.kept.get(kind) as T;
  }

  /** The core, for requests that need no selection or select by themselves. */
  ask<T>(request: (core: Core) => T): T {
    if (this.core === null) throw new SpanflameError("recording.closed", "the recording is closed");
    return request(this.core);
  }

  /** A request about a selection. */
  about<T>({ profile, filter, measure }: Wanted, request: (core: Core) => T): T {
    return this.ask((core) => {
      core.views.choose(profile, filter, measure);
      return request(core);
    });
  }

  /** A request about the call tree of a selection. */
  view<T>(wanted: Wanted, request: (core: Core) => T): T {
    return this.about(wanted, (core) => {
      core.views.shape(wanted.shape);
      return request(core);
    });
  }

  /** Interface for `splitByProfile`. */
  readonly profiles = (): ProfileSummary[] => this.summaries;

  /** Interface for `splitByProfile`. */
  readonly write: Core["write"] = (...how) => this.ask((core) => core.write(...how));

  /** Facts of the recording that every summary needs: read once. */
  whyContext(): WhyContext {
    this.context ??= this.ask(({ views }) => ({ profiles: this.summaries, marks: views.marks(), whole: new Map() }));
    return this.context;
  }
}

/** The shape with these properties, all others as recorded. */
export function wholeShape(shape: Partial<Shape> | undefined): Required<Shape> {
  return shape === undefined ? WHOLE : { ...WHOLE, ...shape };
}
