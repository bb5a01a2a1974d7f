/**
 * The functions of the module that encodes data sets, apart from the core: loops over whole columns, without state.
 * The host arranges the memory from `base` on and gives every function its places (src/fleet/parquet/kernels.ts).
 */
export { bloom } from "./parquet/bloom";
export {
  distinct,
  highest,
  localise,
  longEnds,
  mapped,
  micros,
  nestedLevels,
  pairs,
  presentLongs,
  rankEnds,
} from "./parquet/columns";
export { deltas, hybrid, hybridBytes, intDeltas } from "./parquet/encodings";
export { hashBytes, hashStacks } from "./parquet/sha256";
export { orderKeys, sortRows } from "./parquet/sort";
export { decodeStacks, distinctStacks, sortStacks, stackItems } from "./parquet/stacks";

/** First byte that is free. */
export function base(): usize {
  return __heap_base;
}
