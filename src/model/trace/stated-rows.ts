/** Rows of a ranking of ids with the durations that something states, which are also what they are ordered by. */
import type { RankHow, RankPage, RankRow } from "../../core/rank-types.ts";
import { isTrace } from "../words/ids.ts";
import { idsOf } from "./evidence.ts";
import type { TraceTree } from "./tree.ts";

const LOW = 0xffff_ffffn;
const HALF = 32n;
/** More rows are ordered by their samples: all of them would have to be read for each page. */
const MOST_ORDERED = 20_000;

interface Stating {
  tree: TraceTree;
  /** Whether more than samples tells of a place. */
  isStated(place: number): boolean;
  /** Ends are stated, and no beginnings. */
  atLeast: boolean;
}

/** Rows [offset, offset + limit); `rank` has the rows by their samples. */
export function statedPage(
  { tree, isStated, atLeast }: Stating,
  { sort, reversed = false }: RankHow,
  [offset, limit]: readonly [number, number],
  rank: (offset: number, limit: number) => RankPage,
): RankPage {
  const page = rank(offset, limit);
  if (sort !== "duration" || page.count > MOST_ORDERED) return { ...page, rows: page.rows.map(stated) };
  const all = rank(0, page.count).rows.map(stated);
  const length = ({ stated: known, first, last }: RankRow) => Number(known ?? last - first);
  const sign = reversed ? -1 : 1;
  const rows = all.sort((a, b) => sign * (length(b) - length(a))).slice(offset, offset + limit);
  return { ...page, rows };

  function stated(row: RankRow): RankRow {
    const { index } = idsOf(tree);
    const place = isTrace(row.id) ? -1 : index.placeOf(Number(row.id & LOW), Number(row.id >> HALF));
    if (place < 0 || !isStated(place)) return row;
    return { ...row, stated: (tree.end[place] ?? 0n) - (tree.start[place] ?? 0n), ...(atLeast && { atLeast }) };
  }
}

/** Rows [offset, offset + limit) of endpoints by the p95 of their requests. */
export function slowestFirst(
  times: readonly { endpoint: string; p95: number }[],
  { reversed = false }: RankHow,
  [offset, limit]: readonly [number, number],
  rank: (offset: number, limit: number) => RankPage,
): RankPage {
  const page = rank(offset, limit);
  if (page.count > MOST_ORDERED) return page;
  const known = new Map(times.map(({ endpoint, p95 }) => [endpoint, p95]));
  const sign = reversed ? -1 : 1;
  const p95Of = ({ label }: RankRow) => known.get(label) ?? 0;
  const rows = rank(0, page.count).rows.sort((a, b) => sign * (p95Of(b) - p95Of(a)));
  return { ...page, rows: rows.slice(offset, offset + limit) };
}
