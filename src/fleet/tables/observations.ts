/** All observations of a core as columns, with values as they were recorded. */
import type { Core } from "../../core/core.ts";
import { observationColumns } from "../../core/samples/store-columns.ts";
import { HeldCore } from "../../requests/held-core.ts";

const PAGE_ROWS_READ = 1 << 15;

/** Numbers of 64 bits as halves, the lower one first; the others are rows of the store's tables. */
export interface Observations {
  rows: number;
  time: Uint32Array;
  value: Uint32Array;
  second: Uint32Array;
  event: Uint32Array;
  stack: Uint32Array;
  link: Uint32Array;
  thread: Uint32Array;
  set: Uint32Array;
}

export function allObservations(core: Core): Observations {
  const rows = core.samples();
  const words = () => new Uint32Array(rows);
  const longs = () => new Uint32Array(2 * rows);
  const all: Observations = {
    rows,
    time: longs(),
    value: longs(),
    second: longs(),
    event: words(),
    stack: words(),
    link: words(),
    thread: words(),
    set: words(),
  };
  new HeldCore(core).about(null, {});
  const count = core.instance.wasm.observationCount.value;
  let at = 0;
  for (let next = 0; next < count; ) {
    const page = observationColumns(core.instance, null, next, PAGE_ROWS_READ, false);
    for (const name of ["time", "value", "second"] as const) {
      const { buffer, byteOffset } = page[name];
      all[name].set(new Uint32Array(buffer, byteOffset, 2 * page.rows), 2 * at);
    }
    for (const name of ["event", "stack", "link", "thread", "set"] as const) all[name].set(page[name], at);
    at += page.rows;
    next = page.next;
  }
  all.rows = at;
  return all;
}
