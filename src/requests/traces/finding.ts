/** Requests about traces, names and single samples, for the search box, the selection's header and the flame chart. */
import { type CarriedIds, carriedIds } from "../../core/carried-ids.ts";
import { samplesStamp } from "../../core/instance/instance.ts";
import { outlineOf, splitOf } from "../../core/outline.ts";
import { orderedSamples } from "../../core/samples/ordered-samples.ts";
import { findRoots, findValues, indexValues, type ValueIndex } from "../../core/suggest.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import type {
  CarriedId,
  OrderedSamples,
  Outline,
  OutlineKeys,
  Suggestions,
  UncarriedId,
} from "../../core/view-types.ts";
import { ENDPOINT_KEYS } from "../../model/lists/request-keys.ts";
import { idRanges } from "../../model/lists/row-find.ts";
import { CONTEXT_RULE_KEY, inferredAmong } from "../../model/query/attribute.ts";
import { traceHex } from "../../model/trace/beside.ts";
import {
  coveredWords,
  placeOfId,
  resolveId,
  similarIds,
  unknownWords,
  whenWords,
} from "../../model/trace/resolve-id.ts";
import { statedSpans } from "../../model/trace/stated.ts";
import type { TraceTree } from "../../model/trace/tree.ts";
import { formatNanos } from "../../model/words/format.ts";
import type { HeldCore } from "../held-core.ts";
import { Refusal } from "../refusal.ts";

/** Fewer digits begin too many ids. */
const SHORTEST_ID = 3;

/** Spans of trace files, or of the recordings. */
interface KnownSpans {
  tree(): TraceTree | null;
  nameAt(place: number): string;
  reasonAt(place: number): string;
  overview(): { files: readonly unknown[] } | null;
}

export class Finding {
  private readonly held: HeldCore;
  private readonly profiles: ProfileSummary[];
  /** Values of attributes, once they were searched. */
  private index: ValueIndex | null = null;
  private carriedBy: { stamp: string; ids: CarriedIds } | null = null;

  constructor(held: HeldCore, profiles: ProfileSummary[]) {
    this.held = held;
    this.profiles = profiles;
  }

  outline(filter: Filter, keys: OutlineKeys): Outline {
    const outline = outlineOf(this.held, this.profiles, filter, keys);
    outline.split = outline.split.map((row) => this.withInferred(filter, row));
    return outline;
  }

  /** The outline with what the trace files state of the spans of the filter, or else the recordings of one of them. */
  async stated(filter: Filter, keys: OutlineKeys, spans: KnownSpans): Promise<Outline> {
    const outline = this.outline(filter, keys);
    const tree = spans.tree();
    if (tree === null || (filter.span === undefined && filter.localRoot === undefined)) return outline;
    if (spans.overview()?.files.length === 0) {
      const { rawNames: _, ...conditions } = filter;
      const [id = 0n, ...others] = [Object.values(conditions)].flat(2) as bigint[];
      const at = others.length > 0 ? -1 : placeOfId(tree, id);
      const [from = 0n, to = 0n] = [tree.start[at], tree.end[at]];
      return outline.time === null || at < 0 || from === to ? outline : { ...outline, time: { from, to } };
    }
    await this.held.core.complete();
    const found = statedSpans(tree, filter, () => this.ids());
    if (found === null) return outline;
    const { place, ...stated } = found;
    return { ...outline, stated: { name: spans.nameAt(place), ...stated } };
  }

  /** The samples of a profile whose context is inferred, if it has any. */
  private withInferred(filter: Filter, row: Outline["split"][number]): Outline["split"][number] {
    const isInferring = this.profiles.find(({ id }) => id === row.profile)?.inferredBy !== undefined;
    if (!isInferring) return row;
    const marked = inferredAmong(filter);
    return { ...row, inferred: marked === null ? 0 : this.held.totals(row.profile, marked).samples };
  }

  /** What the first of the ids that anything knows means (model/trace/resolve-id.ts). */
  async carried(ids: bigint[], wholeTrace: boolean, spans: KnownSpans | null): Promise<CarriedId | null> {
    await this.held.core.complete();
    const found = resolveId(ids, this.ids(), spans?.tree() ?? null, wholeTrace);
    if (found === null) return null;
    const [id = found.asked] = found.ids;
    const filter: Filter = found.kind === "span" ? { span: found.ids } : { localRoot: found.ids };
    return { ...found, id, profiles: splitOf(this.held, this.profiles, filter).map(({ profile }) => profile) };
  }

  /** Lines about an id that no sample carries. */
  async uncarried(id: bigint, spans: KnownSpans | null): Promise<UncarriedId> {
    await this.held.core.complete();
    const hasFiles = (spans?.overview()?.files.length ?? 0) > 0;
    const tree = spans?.tree() ?? null;
    const place = placeOfId(tree, id);
    if (tree !== null && spans !== null && place >= 0) {
      const duration = formatNanos((tree.end[place] ?? 0n) - (tree.start[place] ?? 0n));
      const name = spans.nameAt(place);
      const lines = [tree.untimed[place] === 1 ? name : `${name}, ${duration}`, spans.reasonAt(place)];
      return { trace: traceHex(tree, place), lines };
    }
    const similar = similarIds([id], this.ids(), tree);
    const files = this.held.core.files();
    const lines = unknownWords(id, similar, coveredWords(files, this.ids()), hasFiles, whenWords(id, files));
    return { trace: null, lines };
  }

  /** The ids of all samples of the complete core. */
  private ids(): CarriedIds {
    const stamp = samplesStamp(this.held.core.instance);
    if (this.carriedBy?.stamp !== stamp) this.carriedBy = { stamp, ids: carriedIds(this.held) };
    return this.carriedBy.ids;
  }

  async ordered(profile: number, filter: Filter, most: number): Promise<OrderedSamples> {
    const summary = this.profiles.find(({ id }) => id === profile);
    if (summary === undefined) throw new Refusal("profile", "The recording has no such profile.");
    const samples = await orderedSamples(this.held, summary, filter, { most, ruleKey: CONTEXT_RULE_KEY });
    const library = this.held.core.views.ofLibraries(samples.names);
    if (library !== null) samples.library = library;
    return samples;
  }

  suggest(text: string, limit: number): Suggestions {
    this.index ??= indexValues(this.held, this.profiles);
    const values = findValues(this.index, text, limit);
    const ids = text.trim().length < SHORTEST_ID ? null : idRanges(text.trim());
    const roots = ids === null ? [] : findRoots(this.held, { ids }, ENDPOINT_KEYS, limit);
    return { values, roots };
  }
}
