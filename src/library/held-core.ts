/** The core of the library's recording, with what is made of it once. */
import type { Core } from "../core/core.ts";
import type { Shape } from "../core/shape.ts";
import type { ProfileSummary } from "../core/types.ts";
import type { WhyContext } from "../core/why.ts";
import { WHOLE } from "../model/query/shape.ts";
import { HeldCore, type Wanted as Selected } from "../requests/held-core.ts";

/** The samples of a selection, and the shape of its call tree. */
export type Wanted = Selected & { readonly shape: Required<Shape> };

export class RecordingCore extends HeldCore {
  private context: WhyContext | null = null;
  private readonly kept = new Map<object, unknown>();
  /** Types of the profiles by id. */
  readonly types: ReadonlyMap<number, string>;
  private readonly summaries: ProfileSummary[];

  /** Whether all samples were read, so that what none has is unknown. */
  readonly isWhole: boolean;

  constructor(core: Core, profiles: ProfileSummary[], isWhole: boolean) {
    super(core);
    this.isWhole = isWhole;
    this.summaries = profiles;
    this.types = new Map(profiles.map(({ id, type }) => [id, type]));
  }

  override close(): void {
    super.close();
    this.context = null;
    this.kept.clear();
  }

  /** What `make` makes of the recording: made once, and dropped with it. `kind` identifies it. */
  made<T>(kind: object, make: () => T): T {
    if (!this.kept.has(kind)) this.kept.set(kind, make());
    return this.kept.get(kind) as T;
  }

  /** Interface for `splitByProfile`. */
  readonly profiles = (): ProfileSummary[] => this.summaries;

  /** Interface for `splitByProfile`. */
  readonly write: Core["write"] = (...how) => this.core.write(...how);

  /** Interface for `splitByProfile`. */
  readonly views = { timeBounds: () => this.core.views.timeBounds() };

  /** Facts of the recording that every summary needs: read once. */
  whyContext(): WhyContext {
    this.context ??= { profiles: this.summaries, marks: this.core.views.marks(), whole: new Map() };
    return this.context;
  }
}

/** The shape with these properties, all others as recorded. */
export function wholeShape(shape: Partial<Shape> | undefined): Required<Shape> {
  return shape === undefined ? WHOLE : { ...WHOLE, ...shape };
}
