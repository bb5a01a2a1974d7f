/** The ids that samples carry, for the search of one. */
import { IdMap } from "../ids/map.ts";
import type { Held } from "./held.ts";
import { idAt, linkValues } from "./samples/link-values.ts";

const ALL = 2 ** 31 - 1;
const LOW = (1n << 64n) - 1n;

/** Ids that samples carry: of spans, and of local roots or traces with their low 64 bits, also beside their links. */
export interface CarriedIds {
  /** The local root of each span, 0n without one. */
  spans: IdMap<bigint>;
  /** By their low 64 bits: all of the id. */
  roots: IdMap<bigint>;
}

/** The ids of all samples of a complete core. */
export function carriedIds(held: Held): CarriedIds {
  const { core } = held;
  const views = held.about(null, {});
  const { span, root, samples } = linkValues(core.instance);
  const spans = new IdMap<bigint>();
  const roots = new IdMap<bigint>();
  for (let i = 1; i < samples.length; i++) {
    const id = idAt(span, i);
    if ((samples[i] ?? 0) !== 0 && id !== 0n && (spans.get(id) ?? 0n) === 0n) spans.set(id, idAt(root, i));
  }
  for (const { id } of views.rank({ kind: "local-root" }, 0, ALL).rows) roots.set(id & LOW, id);
  // Local roots and traces of samples whose link has another one (assembly/read/own-ids.ts).
  const { wasm } = core.instance;
  for (let row = wasm.nextRootId(1); row !== 0; row = wasm.nextRootId(row + 1)) {
    const low = BigInt.asUintN(64, wasm.idLow.value);
    if (!roots.has(low)) roots.set(low, (BigInt.asUintN(64, wasm.idHigh.value) << 64n) | low);
  }
  return { spans, roots };
}
