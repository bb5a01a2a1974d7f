/**
 * Value of the selected samples of each link, for the sums of spans and local roots. Links without such samples have no
 * row.
 *
 *   | value i64 | span u64 | root u64 | a sample u32 | link u32 | samples u64 |
 *     40 bytes per link (abi/rows/link-value-row.ts)
 */

import * as LinkValueRow from "../abi/rows/link-value-row";
import { addTo } from "../memory/sums";
import * as LinkRow from "../store/rows/link-row";
import * as SampleRow from "../store/rows/sample-row";
import { links, localRootOf } from "../store/tables";
import { Block } from "./block";
import { wordColumn } from "./columns";
import { countAt, maskAt, maskRows, needWeights, weightAt } from "./selection";

const rows: Block = changetype<Block>(memory.data(16, 4));
/** Row of each link, 0 without one. */
const rowOf: Block = changetype<Block>(memory.data(16, 4));

/** Rows of the last `linkValues`, the unused row 0 included. */
export let linkValueRows: u32 = 0;

/** Gives the rows back, which are 44 bytes of each link. */
export function endLinkValues(): void {
  rows.drop();
  rowOf.drop();
}

/** Pointer to the rows of the current selection. Valid until the next call that may allocate. */
export function linkValues(): usize {
  needWeights();
  const linkOf = wordColumn(SampleRow.LINK);
  const at = rows.zeroed(<usize>(links.count + 1) * LinkValueRow.BYTES);
  const numbers = rowOf.zeroed((<usize>links.count) << 2);
  linkValueRows = 1;
  for (let row: u32 = 1; row < maskRows; row++) {
    if (load<u8>(maskAt + row) === 0) continue;
    const link = load<u32>(linkOf + ((<usize>row) << 2));
    const number = numbers + ((<usize>link) << 2);
    let p = at + <usize>load<u32>(number) * LinkValueRow.BYTES;
    if (p === at) {
      store<u32>(number, linkValueRows);
      p = at + <usize>linkValueRows * LinkValueRow.BYTES;
      linkValueRows++;
      store<u64>(p, links.get64(link, LinkRow.SPAN), LinkValueRow.SPAN);
      store<u64>(p, localRootOf(link), LinkValueRow.ROOT);
      store<u32>(p, row, LinkValueRow.SAMPLE);
      store<u32>(p, link, LinkValueRow.LINK);
    }
    addTo(p + LinkValueRow.VALUE, load<i64>(weightAt + ((<usize>row) << 3)));
    store<u64>(p, load<u64>(p, LinkValueRow.SAMPLES) + load<u32>(countAt + ((<usize>row) << 2)), LinkValueRow.SAMPLES);
  }
  return at;
}
