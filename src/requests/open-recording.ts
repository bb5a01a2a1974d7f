/** An open recording: its core with what has been read, and the questions of a query about it. */
import { sameNames } from "../core/answers/filters.ts";
import type { Core } from "../core/core.ts";
import type { RankBy, RankHow, RankPage } from "../core/rank-types.ts";
import type { Filter, ProfileSummary, ReadChoice } from "../core/types.ts";
import type { WhyContext } from "../core/why.ts";
import type { FileKind } from "../input/classify.ts";
import type { Baseline } from "../model/query/baseline.ts";
import { filterKey } from "../model/query/query.ts";
import { filterFrom, WHOLE } from "../model/query/shape.ts";
import type { InputFile, Query } from "./api/api.ts";
import type { LibraryNames } from "./api/symbols-api.ts";
import type { Calls } from "./calls/calls.ts";
import type { HeldCore } from "./held-core.ts";
import type { Finding } from "./traces/finding.ts";
import { marksOf } from "./traces/sample-facts.ts";
import type { SpanRequests } from "./traces/span-requests.ts";

const MOST_KEPT = 32;

/** What a reading has made. */
export interface ReadFiles {
  held: HeldCore;
  calls: Calls | null;
  spans: SpanRequests;
  files: InputFile[];
  kinds: FileKind[];
  choice: ReadChoice;
  profiles: () => ProfileSummary[];
}

export class OpenRecording {
  readonly read: Readonly<ReadFiles>;
  readonly held: HeldCore;
  readonly calls: Calls | null;
  readonly spans: SpanRequests;
  /** Names of symbols that are shown, by build id. */
  names: ReadonlyMap<string, LibraryNames>;
  /** The last ranking, and the core's stamp for it. */
  private ranked = { key: "", stamp: 0 };
  private readonly whole: WhyContext["whole"] = new Map();
  private kept = new Map<string, unknown>();
  /** For requests that find rows by themselves. */
  found: Finding | null = null;

  constructor(read: ReadFiles, names: ReadonlyMap<string, LibraryNames> = new Map()) {
    this.names = names;
    this.read = read;
    this.held = read.held;
    this.calls = read.calls;
    this.spans = read.spans;
  }

  get core(): Core {
    return this.held.core;
  }

  /** The filter as the core knows it. Fails with `Missing` where it has to read the frames of other calls first. */
  samplesOf(filter: Filter, alone = false): Filter {
    return this.calls?.samples.samplesOf(filter, null, alone) ?? this.spans.samplesOf(filter) ?? filter;
  }

  /** A question whose filter is the core's, with no other samples in the core. */
  alone<Q extends { filter: Filter }>(question: Q): Q {
    return { ...question, filter: this.samplesOf(question.filter, true) };
  }

  /** The views with `query` as the selection. `filter`: its filter as the core knows it. */
  about({ profile, measure, filter: asked }: Query, filter = this.samplesOf(asked)): Core["views"] {
    return this.held.about(profile, filter, measure);
  }

  /** The views with `query` as the selection, and the call tree in its shape. */
  look(query: Query, filter = this.samplesOf(query.filter)): Core["views"] {
    return this.held.look({ ...query, filter });
  }

  /** Selects `query` with its baseline beside it; `squared` for sampling errors. */
  beside(query: Query, { filter, rest }: Baseline, squared = false) {
    const shape = query.shape ?? WHOLE;
    const others = sameNames(filterFrom(filter, shape.from), query.filter);
    this.calls?.samples.samplesOf(query.filter, others);
    const known = this.calls?.samples.othersOf(query.filter) ?? this.samplesOf(others);
    const base = this.held.compareWith({ ...query, filter: known }, shape, squared);
    const views = this.look(query);
    const totals = views.totals();
    const baseTotals = rest ? { samples: base.samples - totals.samples, value: base.value - totals.value } : base;
    return { views, totals, baseTotals };
  }

  /** A list is scrolled beside views of another selection: its rows stay valid without selecting again. */
  rank(query: Query, by: RankBy, offset: number, limit: number, how: RankHow): RankPage {
    const key = `${query.profile} ${query.measure} ${filterKey(query.filter)}`;
    const { ranked } = this;
    const kept = key === ranked.key ? this.core.views.rankOf(ranked.stamp, by, offset, limit, how) : null;
    if (kept !== null) return kept;
    const views = this.about(query);
    this.ranked = { key, stamp: views.selectionStamp };
    return views.rank(by, offset, limit, how);
  }

  /** The answer to a question that Overview asks again when the user returns to a selection. */
  async keep<T>(question: readonly unknown[], ask: () => T | Promise<T>): Promise<T> {
    const { kept } = this;
    const key = filterKey(question);
    const known = kept.get(key);
    if (known !== undefined) return known as T;
    const answer = await ask();
    const [oldest = ""] = kept.keys();
    if (kept.size === MOST_KEPT) kept.delete(oldest);
    kept.set(key, answer);
    return answer;
  }

  whyContext(): WhyContext {
    return { profiles: this.read.profiles(), marks: marksOf(this.core), whole: this.whole };
  }

  /** The samples of calls have changed, or the names of frames. */
  forgetSamples(): void {
    this.spans.forget();
    this.kept = new Map();
    this.whole.clear();
    this.ranked.key = "";
    this.core.views.forget();
  }
}
