/**
 * Spans of recordings in the store: the times in which threads worked for them, and the local roots of those whose
 * parents a recording states (events that are spans, not scopes). A scope of such a span has its root, though its event
 * has only the span.
 */

import * as Row from "../../../assembly/abi/rows/span-row.ts";
import * as Origin from "../../../assembly/abi/span-origin.ts";
import { type IdLookup, IdMap } from "../../ids/map.ts";
import type { Instance } from "../instance/instance.ts";

/** The root of a span id; 0n where a parent on the way is not in the recording, or where parents go in a circle. */
export type RootOf = (span: bigint) => bigint;

/**
 * Of the rows of the table of spans from `first` on. A file in which no span has a parent may not state parents at all,
 * so nothing is a root there: null.
 */
export function spanRoots({ wasm, memory }: Pick<Instance, "wasm" | "memory">, first: number): RootOf | null {
  const parents = new IdMap<bigint>();
  const at = wasm.spanRows();
  for (let i = first; i < wasm.spanCount.value; i++) {
    const p = at + i * Row.BYTES;
    if (memory.u32(p + Row.ORIGIN) !== Origin.OtelSpan) continue;
    parents.set(memory.u64(p + Row.ID), memory.u64(p + Row.PARENT));
  }
  return [...parents.values()].some((parent) => parent !== 0n) ? rootsBy(parents) : null;
}

/** `parents` of each span, 0n for roots. Each span is passed once, however deep the tree is. */
export function rootsBy(parents: IdLookup<bigint>): RootOf {
  const known = new IdMap<bigint>();
  return (span) => {
    const path: bigint[] = [];
    let at = span;
    let root = known.get(at);
    while (root === undefined) {
      // A circle comes back to a span of the path.
      known.set(at, 0n);
      path.push(at);
      const parent = parents.get(at);
      if (parent === undefined) root = 0n;
      else if (parent === 0n) root = at;
      else {
        at = parent;
        root = known.get(at);
      }
    }
    for (const each of path) known.set(each, root);
    return root;
  };
}

/** A time in which a thread worked for a span, as a recording states it. */
export interface Activation {
  span: bigint;
  /** 0 where it is not known. */
  root: bigint;
  /** Ns since 1970. */
  start: bigint;
  end: bigint;
}

/** Other events of spans last from their start to their end, on whatever thread. */
const STATED = new Set<number>([Origin.Timeline, Origin.OtelScope]);

export function activationsOf(instance: Pick<Instance, "wasm" | "memory">): Activation[] {
  const { wasm, memory } = instance;
  const found: Activation[] = [];
  let rootOf: RootOf | null | undefined;
  for (let i = 0, p = wasm.spanRows(); i < wasm.spanCount.value; i++, p += Row.BYTES) {
    const [start, end] = [memory.i64(p + Row.START), memory.i64(p + Row.END)];
    if (!STATED.has(memory.u32(p + Row.ORIGIN)) || end <= start) continue;
    if (rootOf === undefined) rootOf = spanRoots(instance, 0);
    const span = memory.u64(p + Row.ID);
    found.push({ span, root: memory.u64(p + Row.ROOT) || (rootOf?.(span) ?? 0n), start, end });
  }
  return found;
}
