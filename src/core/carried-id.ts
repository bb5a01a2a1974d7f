/** The first of several candidate ids that samples carry, as local root, trace or span. */
import type { Core } from "./core.ts";
import { splitOf } from "./outline.ts";
import type { Filter, ProfileSummary } from "./types.ts";
import type { CarriedId } from "./view-types.ts";

const LARGEST_SPAN = (1n << 64n) - 1n;

/**
 * A root's samples include those of the span with its id, so root wins. With `wholeTrace` a span leads to its local
 * root, where its samples name one. Leaves another selection in the core.
 */
export function carriedId(
  core: Core,
  profiles: readonly ProfileSummary[],
  ids: readonly bigint[],
  wholeTrace: boolean,
): CarriedId | null {
  const found = (kind: CarriedId["kind"], id: bigint, asked: bigint): CarriedId => {
    const filter: Filter = kind === "span" ? { span: id } : { localRoot: id };
    return { kind, id, asked, profiles: splitOf(core, profiles, filter).map(({ profile }) => profile) };
  };
  for (const id of ids) {
    if (core.select(null, { localRoot: id }).samples > 0) return found("local-root", id, id);
    if (id > LARGEST_SPAN || core.select(null, { span: id }).samples === 0) continue;
    const root = core.views.rank({ kind: "span" }, 0, 1).rows[0]?.root ?? 0n;
    return wholeTrace && root !== 0n ? found("local-root", root, id) : found("span", id, id);
  }
  return null;
}
