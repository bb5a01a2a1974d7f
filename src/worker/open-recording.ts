/**
 * The open recording of a session, and what its core has made last: selection, shape of the call tree, baseline and
 * ranking. A question that needs the same again does not have it made again.
 */
import { sameNames } from "../core/answers/filters.ts";
import type { Core } from "../core/core.ts";
import type { RankBy, RankHow, RankPage } from "../core/rank-types.ts";
import type { Filter, ProfileSummary, ReadChoice, SelectionTotals } from "../core/types.ts";
import type * as View from "../core/view-types.ts";
import type { WhyContext } from "../core/why.ts";
import type { FileKind } from "../input/classify.ts";
import type { Baseline } from "../model/query/baseline.ts";
import { filterKey } from "../model/query/query.ts";
import { filterFrom, shapeKey, WHOLE } from "../model/query/shape.ts";
import type { LibraryNames } from "../requests/api/symbols-api.ts";
import { queryKey } from "../requests/asking.ts";
import type { Calls } from "../requests/calls/calls.ts";
import type { Finding } from "../requests/traces/finding.ts";
import { marksOf } from "../requests/traces/sample-facts.ts";
import type { SpanRequests } from "../requests/traces/span-requests.ts";
import type { InputFile, Query } from "./api.ts";

const NOTHING: SelectionTotals = { samples: 0, value: 0n };

const MOST_KEPT = 32;

/** What a reading has made. */
export interface ReadFiles {
  core: Core;
  calls: Calls | null;
  spans: SpanRequests;
  files: InputFile[];
  kinds: FileKind[];
  choice: ReadChoice;
  profiles: () => ProfileSummary[];
}

export class OpenRecording {
  readonly read: Readonly<ReadFiles>;
  readonly core: Core;
  readonly calls: Calls | null;
  readonly spans: SpanRequests;
  /** Names of symbols that are shown, by build id. */
  names: ReadonlyMap<string, LibraryNames>;
  /** Totals of the selection. */
  totals = NOTHING;
  private selected = "";
  /** Shape of the core's call tree. */
  private shaped = "";
  /** The last ranking, and the core's stamp for it. */
  private ranked = { key: "", stamp: 0 };
  private baseline = { key: "", frames: 0, totals: NOTHING };
  private readonly whole: WhyContext["whole"] = new Map();
  private kept = new Map<string, unknown>();
  /** For requests that find rows by themselves. */
  found: Finding | null = null;

  constructor(read: ReadFiles, names: ReadonlyMap<string, LibraryNames> = new Map()) {
    this.names = names;
    this.read = read;
    this.core = read.core;
    this.calls = read.calls;
    this.spans = read.spans;
  }

  /** The filter as the core knows it. Fails with `Missing` where it has to read the frames of other calls first. */
  samplesOf(filter: Filter, alone = false): Filter {
    return this.calls?.samples.samplesOf(filter, null, alone) ?? this.spans.samplesOf(filter) ?? filter;
  }

  /** A question whose filter is the core's, with no other samples in the core. */
  alone<Q extends { filter: Filter }>(question: Q): Q {
    return { ...question, filter: this.samplesOf(question.filter, true) };
  }

  /** Makes `query` the core's selection, unless it is already. `filter`: its filter as the core knows it. */
  select(query: Query, filter = this.samplesOf(query.filter)): Core {
    const key = queryKey({ ...query, filter });
    if (key !== this.selected) {
      // Where it fails, nothing is known to be selected.
      this.selected = "";
      this.totals = this.core.select(query.profile, filter, query.measure);
      this.selected = key;
    }
    return this.core;
  }

  /** The views with `query` as the selection, and the call tree in its shape. */
  look(query: Query, filter?: Filter): Core["views"] {
    const { views } = this.select(query, filter);
    // Other names are another tree, which has no shape yet.
    const key = `${shapeKey(query.shape)}${query.filter.rawNames === true ? " raw" : ""}`;
    if (key !== this.shaped) {
      this.shaped = "?";
      views.shape(query.shape ?? WHOLE);
      this.shaped = key;
    }
    return views;
  }

  /** Selects `query` with its baseline beside it; `squared` for sampling errors. */
  beside(query: Query, { filter, rest }: Baseline, squared = false) {
    const others = sameNames(filterFrom(filter, query.shape?.from ?? ""), query.filter);
    this.calls?.samples.samplesOf(query.filter, others);
    const base = this.compareWith({ ...query, filter: others }, squared);
    const views = this.look(query);
    const { totals } = this;
    const baseTotals = rest ? { samples: base.samples - totals.samples, value: base.value - totals.value } : base;
    return { views, totals, baseTotals };
  }

  /** Makes `query` the core's baseline, unless it is already. */
  private compareWith(query: Query, squared: boolean): SelectionTotals {
    const key = `${queryKey(query)} ${shapeKey(query.shape)} ${squared}`;
    if (key !== this.baseline.key || this.core.views.frameStamp !== this.baseline.frames) {
      const views = this.look(query, this.calls?.samples.othersOf(query.filter));
      this.baseline.key = "";
      views.keepBaseline(squared);
      this.baseline = { key, frames: views.frameStamp, totals: this.totals };
    }
    return this.baseline.totals;
  }

  /** A list is scrolled beside views of another selection: its rows stay valid without selecting again. */
  rank(query: Query, by: RankBy, offset: number, limit: number, how: RankHow): RankPage {
    const key = queryKey(query);
    const { ranked } = this;
    const kept = key === ranked.key ? this.core.views.rankOf(ranked.stamp, by, offset, limit, how) : null;
    if (kept !== null) return kept;
    const { views } = this.select(query);
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

  /** Asks about the tree of a query; afterwards nothing is known to be selected. */
  summarised<T>(query: Query, ask: (core: Core) => T): T {
    this.look(query, query.filter);
    this.selected = "";
    return ask(this.core);
  }

  /** Notes what a summary has selected at its end. */
  selects<T extends View.Why>(query: Query, answer: T): T {
    this.selected = queryKey(query);
    this.totals = answer.totals;
    return answer;
  }

  /** The core for requests that select by themselves. */
  unselected(): Core {
    this.selected = "";
    return this.core;
  }

  /** Writing makes a separate selection and call tree. */
  overwritten(): void {
    this.selected = "";
    this.shaped = "?";
  }

  /** The samples of calls have changed, or the names of frames. */
  forgetSamples(): void {
    this.spans.forget();
    this.kept = new Map();
    this.whole.clear();
    this.forgetAnswers();
  }

  /** Selection, shape, ranking and baseline: the next questions have the core make them again. */
  forgetAnswers(): void {
    this.selected = "";
    this.shaped = "?";
    this.baseline = { key: "", frames: 0, totals: NOTHING };
    this.ranked = { key: "", stamp: 0 };
  }
}
