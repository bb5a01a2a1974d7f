/**
 * Row groups that may have an id. Of a bloom filter of this program one block of 32 bytes decides, so only that is
 * read: whole filters would be most of what a trace needs of a large file.
 */
import { hashParquetValue, sbbfContains } from "hyparquet/src/bloom.js";
import { type Group, groupsOf, type Opened } from "./file-reader.ts";
import type { Piece } from "./ranges-ahead.ts";

const BLOCK_BYTES = 32;
const BLOCK_WORDS = 8;

/** `column` has signed numbers of 64 bits. */
export async function groupsWith(opened: Opened, column: string, value: bigint): Promise<Group[]> {
  const hash = hashParquetValue(value, { name: column, type: "INT64" });
  const groups = groupsOf(opened);
  const blocks = groups.map(({ group }) => {
    const meta = group.columns.find(({ meta_data: each }) => each?.path_in_schema[0] === column)?.meta_data;
    const { bloom_filter_offset: at, bloom_filter_length: length = 0 } = meta ?? {};
    return hash === undefined || at === undefined ? null : blockOf(Number(at), length, hash);
  });
  opened.file.fetch(blocks.filter((block) => block !== null));
  const has = await Promise.all(
    blocks.map(async (block) => {
      if (block === null || hash === undefined) return true;
      const view = new DataView(await opened.file.slice(block.from, block.to));
      const words = Uint32Array.from({ length: BLOCK_WORDS }, (_, i) => view.getUint32(4 * i, true));
      return sbbfContains(words, hash);
    }),
  );
  return groups.filter((_, i) => has[i]);
}

/** The block of a hash. The header before the blocks is shorter than one; a filter without blocks says nothing. */
function blockOf(at: number, length: number, hash: bigint): Piece | null {
  const count = Math.floor(length / BLOCK_BYTES);
  if (count === 0) return null;
  const block = Number(((hash >> 32n) * BigInt(count)) >> 32n);
  const from = at + (length % BLOCK_BYTES) + block * BLOCK_BYTES;
  return { from, to: from + BLOCK_BYTES };
}
