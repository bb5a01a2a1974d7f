/** The order of samples. */
import type { Kernels } from "../parquet/kernels.ts";

/** What the order of samples depends on, by row; of `request` the number of different values. */
export interface SampleOrder {
  rows: Uint32Array;
  /** Halves of nanoseconds, the lower one first. */
  time: Uint32Array;
  /** 0 for no request. */
  request: Uint32Array;
  requests: number;
  service: Uint32Array;
  type: Uint32Array;
  /** More than the numbers of types. */
  types: number;
}

/**
 * Rows by service, by the first moment of their request, by type, and by time. Those without a request are before the
 * others. All rows of a request are neighbours: a trace is in one row group, and its ids take bytes once.
 */
export function inOrder(
  kernels: Kernels,
  { rows, time, request, requests, service, type, types }: SampleOrder,
): Uint32Array<ArrayBuffer> {
  return kernels.within(() => {
    const [own, room] = [kernels.put(rows), kernels.room(rows.byteLength)];
    const keys = kernels.put(time);
    const { wasm } = kernels;
    const byTime = wasm.sortRows(own, rows.length, keys, room) >>> 0;
    const numbers = kernels.zeros(requests + 1);
    const [requestOf, serviceOf, typeOf] = [request, service, type].map((column) => kernels.put(column));
    wasm.orderKeys(byTime, rows.length, requestOf!, serviceOf!, typeOf!, types, numbers, keys);
    const sorted = wasm.sortRows(byTime, rows.length, keys, byTime === own ? room : own) >>> 0;
    return kernels.words(sorted, rows.length).slice();
  });
}
