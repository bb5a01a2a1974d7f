/**
 * Value of the selected samples of each link, for the sums of spans and local roots. Links without such samples have no
 * row.
 *
 *   | value i64 | span u64 | root u64 | a sample u32 | link u32 | samples u64 |
 *     40 bytes per link (abi/link-value-row.ts)
 */
import {
  LINK_VALUE_BYTES,
  LINK_VALUE_LINK,
  LINK_VALUE_ROOT,
  LINK_VALUE_SAMPLE,
  LINK_VALUE_SAMPLES,
  LINK_VALUE_SPAN,
  LINK_VALUE_VALUE,
} from "../abi/link-value-row";
import { SAMPLE_LINK } from "../store/samples";
import { LINK_SPAN, links, localRootOf } from "../store/tables";
import { Block } from "./block";
import { wordColumn } from "./columns";
import { countAt, maskAt, maskRows, needWeights, weightAt } from "./selection";

const rows: Block = changetype<Block>(memory.data(8, 8));
/** Row of each link, 0 without one. */
const rowOf: Block = changetype<Block>(memory.data(8, 8));

/** Rows of the last `linkValues`, the unused row 0 included. */
export let linkValueRows: u32 = 0;

export function resetLinkValues(): void {
  rows.drop();
  rowOf.drop();
  linkValueRows = 0;
}

/** Pointer to the rows of the current selection. Valid until the next call that may allocate. */
export function linkValues(): usize {
  needWeights();
  const linkOf = wordColumn(SAMPLE_LINK);
  const at = rows.zeroed(<usize>(links.count + 1) * LINK_VALUE_BYTES);
  const numbers = rowOf.zeroed((<usize>links.count) << 2);
  linkValueRows = 1;
  for (let row: u32 = 1; row < maskRows; row++) {
    if (load<u8>(maskAt + row) === 0) continue;
    const link = load<u32>(linkOf + ((<usize>row) << 2));
    const number = numbers + ((<usize>link) << 2);
    let p = at + <usize>load<u32>(number) * LINK_VALUE_BYTES;
    if (p === at) {
      store<u32>(number, linkValueRows);
      p = at + <usize>linkValueRows * LINK_VALUE_BYTES;
      linkValueRows++;
      store<u64>(p, links.get64(link, LINK_SPAN), LINK_VALUE_SPAN);
      store<u64>(p, localRootOf(link), LINK_VALUE_ROOT);
      store<u32>(p, row, LINK_VALUE_SAMPLE);
      store<u32>(p, link, LINK_VALUE_LINK);
    }
    store<i64>(p, load<i64>(p, LINK_VALUE_VALUE) + load<i64>(weightAt + ((<usize>row) << 3)), LINK_VALUE_VALUE);
    store<u64>(p, load<u64>(p, LINK_VALUE_SAMPLES) + load<u32>(countAt + ((<usize>row) << 2)), LINK_VALUE_SAMPLES);
  }
  return at;
}
