/** The spans and local roots that samples carry, with the times of their samples. */
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import { IdMap } from "../../ids/map.ts";
import type { Instance } from "../instance/instance.ts";
import { idAt, linkValues } from "./link-values.ts";
import type { Spans } from "./spans.ts";
import { allColumns } from "./store-columns.ts";

export interface SampledSpan {
  id: bigint;
  /** 0n where the samples state none; of a local root its own id. */
  root: bigint;
  /** 0n where the samples state no trace. */
  traceHigh: bigint;
  traceLow: bigint;
  /** Of its samples, of a local root without samples those of its spans, ns since 1970; null without times. */
  times: { first: bigint; last: bigint } | null;
  /** Row of one of its samples. */
  sample: number;
  /** A string of the store, 0 = not known. */
  name: number;
}

const HALF = 32n;
/** Words of a link in the store's columns: the low ones of the halves of its trace. */
const TRACE_LOW = 4;
const TRACE_HIGH = 6;

/** Of the selection's samples. It includes local roots that have no sample themselves. */
export function sampledSpans(instance: Instance, table: Spans): SampledSpan[] {
  const { first, last } = table.linkTimes();
  const words = allColumns(instance, StoreTable.Links);
  const long = (low: number, row: number) =>
    (BigInt(words[low + 1]?.[row] ?? 0) << HALF) | BigInt(words[low]?.[row] ?? 0);
  const { span, root, sample, link } = linkValues(instance);
  const [spans, roots] = [new IdMap<SampledSpan>(), new IdMap<SampledSpan>()];
  for (let i = 1; i < link.length; i++) {
    const row = link[i] ?? 0;
    const [to, own] = [last[row] ?? 0n, idAt(root, i)];
    const stated = {
      root: own,
      traceHigh: long(TRACE_HIGH, row),
      traceLow: long(TRACE_LOW, row),
      times: to === 0n ? null : { first: first[row] ?? 0n, last: to },
      sample: sample[i] ?? 0,
    };
    add(spans, idAt(span, i), stated);
    add(roots, own, stated);
  }
  return [...spans.values(), ...[...roots.values()].filter(({ id }) => !spans.has(id))];
}

function add(known: IdMap<SampledSpan>, id: bigint, stated: Omit<SampledSpan, "id" | "name">): void {
  if (id === 0n) return;
  const span = known.get(id);
  if (span === undefined) {
    known.set(id, { id, name: 0, ...stated });
    return;
  }
  if (span.root === 0n) span.root = stated.root;
  if (span.traceLow === 0n) [span.traceHigh, span.traceLow] = [stated.traceHigh, stated.traceLow];
  const { times } = stated;
  if (times === null) return;
  const { first, last } = span.times ?? times;
  span.times = { first: first < times.first ? first : times.first, last: last > times.last ? last : times.last };
}
