/** Rankings of the current selection, ordered and narrowed. Rows and groups: assembly/view/rank.ts. */

import * as RankKind from "../../../assembly/abi/rank-kind.ts";
import * as RankOrder from "../../../assembly/abi/rank-order.ts";
import * as RankRowAbi from "../../../assembly/abi/rows/rank-row.ts";
import { LOOKED_AT } from "../../pattern/pattern.ts";
import type { Access } from "../instance/access.ts";
import type { RankBy, RankFind, RankHow, RankPage, RankRow, RankSort, Requests } from "../rank-types.ts";
import { foundBy } from "./find-texts.ts";
import { tellWorkEvents } from "./work-events.ts";

const KINDS: Record<RankBy["kind"], number> = {
  "local-root": RankKind.LocalRoot,
  span: RankKind.Span,
  attribute: RankKind.Attribute,
};
/** The host gives the order by name as keys. */
const ORDERS: Record<RankSort, number> = {
  weight: RankOrder.Value,
  samples: RankOrder.Samples,
  name: RankOrder.Key,
  first: RankOrder.First,
  duration: RankOrder.Duration,
  requests: RankOrder.Requests,
  slowest: RankOrder.Slowest,
};
/** Number of rows per request if all are needed. */
const BATCH = 4096;

/** A value of an attribute, and the group it has in the core. */
interface Value {
  group: number;
  text: string;
}

export class Ranking {
  private readonly core: Access;
  /** Keys by which the core can group, and the number of groups. */
  private grouped = "";
  private groups = 0;
  /** The rows that it has in order, and how many. */
  private held = "";
  private count = 0;
  /** Texts of labels read so far, for rankings that are ordered or filtered by them. */
  private readonly texts = new Map<number, string>();

  constructor(core: Access) {
    this.core = core;
  }

  /** The core was emptied. */
  reset(): void {
    this.grouped = "";
    this.held = "";
    this.texts.clear();
  }

  /**
   * Rows [offset, offset + limit) of the selection with this stamp. It need not be the current one: the last sums are
   * kept until others are computed, so that a list can be scrolled beside views of another selection.
   */
  page(by: RankBy, offset: number, limit: number, how: RankHow, stamp: number): RankPage | null {
    if (!this.group(by, stamp, how)) return null;
    const count = this.order(by, how);
    const from = Math.min(Math.max(0, offset), count);
    const n = Math.max(0, Math.min(limit, count - from));
    const start = how.reversed === true ? count - from - n : from;
    const keys = (how.about ?? []).map((key) => this.stringId(key));
    const at = this.core.wasm.rankRows(start, n);
    const rows = Array.from({ length: n }, (_, i) => this.row(at + i * RankRowAbi.BYTES, by));
    for (const [i, row] of rows.entries())
      row.about = this.about(this.core.memory.u32(at + i * RankRowAbi.BYTES + RankRowAbi.SAMPLE), keys);
    if (how.reversed === true) rows.reverse();
    return { count, offset, heaviest: this.core.wasm.heaviest.value, rows };
  }

  private row(p: number, by: RankBy): RankRow {
    const { memory } = this.core;
    const trace = (memory.u64(p + RankRowAbi.TRACE_HIGH) << 64n) | memory.u64(p + RankRowAbi.TRACE_LOW);
    const last = memory.u64(p + RankRowAbi.LAST);
    const id = { "local-root": trace, span: memory.u64(p + RankRowAbi.SPAN), attribute: 0n }[by.kind];
    return {
      id,
      root: by.kind === "span" ? trace : 0n,
      label: by.kind === "attribute" ? this.core.label(memory.u32(p + RankRowAbi.LABEL)) : "",
      samples: memory.u32(p + RankRowAbi.SAMPLES),
      inferred: memory.u32(p + RankRowAbi.INFERRED),
      value: memory.i64(p + RankRowAbi.VALUE),
      first: last === 0n ? 0n : BigInt.asUintN(64, ~memory.u64(p + RankRowAbi.FIRST)),
      last,
      about: "",
      requests: by.kind === "attribute" ? this.requests(p + RankRowAbi.REQUESTS) : null,
    };
  }

  private requests(p: number): Requests | null {
    const { memory } = this.core;
    const count = memory.u32(p + RankRowAbi.REQUEST_COUNT);
    if (count === 0) return null;
    return {
      count,
      p50: memory.u64(p + RankRowAbi.REQUEST_P50),
      p95: memory.u64(p + RankRowAbi.REQUEST_P95),
      longest: memory.u64(p + RankRowAbi.REQUEST_LONGEST),
    };
  }

  /** Has the core add up by groups, unless it has; false for a selection that is gone. */
  private group(by: RankBy, stamp: number, { wholeExtents = false, requests = false }: RankHow): boolean {
    const { wasm } = this.core;
    const wanted = JSON.stringify([stamp, by, wholeExtents, requests]);
    if (wanted === this.grouped) return true;
    if (stamp !== wasm.selectionStamp.value) return false;
    this.grouped = "";
    this.held = "";
    if (wholeExtents || requests) tellWorkEvents(this.core);
    const name = new TextEncoder().encode(by.kind === "attribute" ? by.key : "");
    this.groups = this.core.lend(name, (p, n) => wasm.rankBy(KINDS[by.kind], p, n, requests)) >>> 0;
    if (wholeExtents && by.kind === "local-root") wasm.rankExtents();
    this.grouped = wanted;
    return true;
  }

  /** Has the core put the rows in order, unless they are; how many there are. */
  private order(by: RankBy, { sort = "weight", find }: RankHow): number {
    const { wasm } = this.core;
    const wanted = JSON.stringify([sort, find], (_, value) => (typeof value === "bigint" ? String(value) : value));
    if (wanted === this.held) return this.count;
    this.held = "";
    const keyed = find !== undefined || (sort === "name" && by.kind === "attribute");
    if (keyed) this.say(by, this.groups, sort === "name", find);
    this.count = wasm.rankOrder(ORDERS[sort], keyed) >>> 0;
    this.held = wanted;
    return this.count;
  }

  /** Passes to the core the groups that are included and, with `ordered`, their order. */
  private say(by: RankBy, groups: number, ordered: boolean, find: RankFind | undefined): void {
    const { wasm, memory } = this.core;
    if (by.kind === "attribute") {
      const values = this.values(find);
      if (ordered) values.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
      const at = wasm.rankKeys();
      const keys = memory.words(at, groups);
      for (const [i, { group }] of values.entries()) keys[group] = i + 1;
    } else if (find !== undefined && "ids" in find) {
      const at = wasm.rankKeys();
      const keys = memory.words(at, groups);
      const ids = wasm.rankIds();
      for (const [from, to] of find.ids) {
        keys.fill(1, this.firstAtLeast(ids, groups, from), this.firstAtLeast(ids, groups, to + 1n));
      }
    } else {
      // Ids have no text.
      wasm.rankKeys();
    }
  }

  /** The first group from 1 on whose id is at least this; ids come ascending. */
  private firstAtLeast(ids: number, groups: number, id: bigint): number {
    const { memory } = this.core;
    let low = 1;
    let high = Math.max(1, groups);
    while (low < high) {
      const mid = (low + high) >>> 1;
      const p = ids + RankRowAbi.ID_BYTES * mid;
      if (((memory.u64(p + RankRowAbi.ID_HIGH) << 64n) | memory.u64(p + RankRowAbi.ID_LOW)) < id) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  /** The values of the selection that pass, in the order first seen. */
  private values(find: RankFind | undefined): Value[] {
    const { wasm, memory } = this.core;
    const count = wasm.rankOrder(RankOrder.Key, false) >>> 0;
    const values: Value[] = [];
    for (let offset = 0; offset < count; offset += BATCH) {
      const at = wasm.rankRows(offset, BATCH);
      for (let i = 0; i < Math.min(BATCH, count - offset); i++) {
        const text = this.text(memory.u32(at + i * RankRowAbi.BYTES + RankRowAbi.LABEL));
        values.push({ group: memory.u32(at + i * RankRowAbi.BYTES + RankRowAbi.GROUP), text });
      }
    }
    if (find === undefined) return values;
    const texts = values.map(({ text }) => text);
    const passes = passing(find, texts);
    return values.filter((_, i) => passes[i]);
  }

  private text(label: number): string {
    let text = this.texts.get(label);
    if (text === undefined) {
      text = this.core.label(label).slice(0, LOOKED_AT);
      this.texts.set(label, text);
    }
    return text;
  }

  /** The first of these attributes that a sample carries, as text. */
  private about(sample: number, keys: number[]): string {
    for (const key of keys) {
      const attribute = this.core.wasm.carriedAttribute(sample, key);
      if (attribute !== 0) return this.core.label(attribute);
    }
    return "";
  }

  private stringId(text: string): number {
    return this.core.lend(new TextEncoder().encode(text), (p, n) => this.core.wasm.findString(p, n) >>> 0);
  }
}

/** By text: whether it is one of those looked for. Capitals matter if there is one. */
function passing(find: RankFind, texts: readonly string[]): boolean[] {
  if ("pattern" in find) return foundBy(find.pattern, texts);
  if ("ids" in find) return texts.map(() => false);
  const { text: part } = find;
  const exact = /\p{Lu}/u.test(part);
  return texts.map((text) => (exact ? text : text.toLowerCase()).includes(part));
}
