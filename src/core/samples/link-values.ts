/** Selected samples by their links: columns of ids and values, a row for each link with such samples. */
import * as Row from "../../../assembly/abi/rows/link-value-row.ts";
import * as StoreTable from "../../../assembly/abi/store-table.ts";
import type { Instance } from "../instance/instance.ts";
import { allColumns, HALVES } from "./store-columns.ts";

const U32 = Uint32Array.BYTES_PER_ELEMENT;
const HALF = 2 ** 32;

/** Row 0 is unused. Ids are halves of 64 bits, the low one first. */
export interface LinkValues {
  span: Uint32Array;
  /** Local root, the low half of an id of 128 bits; 0 = none. */
  root: Uint32Array;
  /** Sum of the values of the selection's measure. */
  value: Float64Array;
  /** How many samples. */
  samples: Float64Array;
  /** Row of one of the samples. */
  sample: Uint32Array;
  /** Row in the store's table of links. */
  link: Uint32Array;
}

/** The id at a row of a column of halves. */
export function idAt(halves: Uint32Array, row: number): bigint {
  return longOf(halves[HALVES * row] ?? 0, halves[HALVES * row + 1] ?? 0);
}

/** Of the current selection of a complete core. */
export function linkValues({ wasm, memory }: Instance): LinkValues {
  const at = wasm.linkValues();
  const count = wasm.linkValueRows.value;
  const words = memory.u32s(at, (count * Row.BYTES) / U32);
  const [span, root] = [new Uint32Array(HALVES * count), new Uint32Array(HALVES * count)];
  const [value, samples] = [new Float64Array(count), new Float64Array(count)];
  const [sample, link] = [new Uint32Array(count), new Uint32Array(count)];
  for (let i = 0, p = 0; i < count; i++, p += Row.BYTES / U32) {
    const word = (field: number) => words[p + field / U32] ?? 0;
    const low = HALVES * i;
    span[low] = word(Row.SPAN);
    span[low + 1] = word(Row.SPAN + U32);
    root[low] = word(Row.ROOT);
    root[low + 1] = word(Row.ROOT + U32);
    value[i] = word(Row.VALUE) + HALF * (word(Row.VALUE + U32) | 0);
    samples[i] = word(Row.SAMPLES) + HALF * word(Row.SAMPLES + U32);
    sample[i] = word(Row.SAMPLE);
    link[i] = word(Row.LINK);
  }
  wasm.endLinkValues();
  return { span, root, value, samples, sample, link };
}

/** Ids of a link. */
export interface StatedLink {
  span: bigint;
  /** 0n without one. */
  root: bigint;
  /** Low and high 64 bits of a trace id; 0n where the link has none, or only the low half. */
  traceLow: bigint;
  traceHigh: bigint;
}

/** Columns of the halves of each id in the store's table of links. */
const [SPAN, ROOT, TRACE_LOW, TRACE_HIGH] = [0, 2, 4, 6] as const;

/** The links of the samples of the current selection of a complete core. */
export function statedLinks(instance: Instance): StatedLink[] {
  const { link, samples } = linkValues(instance);
  const words = allColumns(instance, StoreTable.Links);
  const idOf = (first: number, row: number) => longOf(words[first]![row] ?? 0, words[first + 1]![row] ?? 0);
  return [...link.subarray(1)]
    .filter((_, i) => samples[i + 1] !== 0)
    .map((row) => ({
      span: idOf(SPAN, row),
      root: idOf(ROOT, row),
      traceLow: idOf(TRACE_LOW, row),
      traceHigh: idOf(TRACE_HIGH, row),
    }));
}

function longOf(low: number, high: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low);
}
