/** Root frames of the call tree: the names of a level's groups. The tree itself: assembly/view/roots.ts. */
import type { Access } from "./access.ts";
import type { RootLevel } from "./view-types.ts";

/** Characters of a root frame's name. */
const LONGEST = 1000;

/** Puts root frames above the current call tree. To be called after each change of the tree's shape. */
export function rootTree(core: Access, levels: readonly RootLevel[]): void {
  const { wasm } = core;
  if (levels.length === 0) return;
  const encoder = new TextEncoder();
  const named = (text: string) => core.lend(encoder.encode(text), (p, n) => wasm.labelName(p, n)) >>> 0;
  for (const { keys, pooled, none } of levels) {
    wasm.rootLevel(named(none));
    for (const key of keys) {
      const count = core.lend(encoder.encode(key), (p, n) => wasm.rootKey(p, n));
      const names = core.memory.u32s(wasm.rootNames(), count).map((label) => {
        if (label === 0) return 0;
        const text = core.label(label).slice(0, LONGEST);
        return named((pooled ? poolName(text) : text) || "(empty)");
      });
      core.memory.words(wasm.rootNames(), count).set(names);
      wasm.rootSamples();
    }
  }
  wasm.rootTree();
}

const isDigit = (c: string | undefined) => c !== undefined && c >= "0" && c <= "9";

/**
 * The thread pool of a thread: its name with the number at the end replaced, `http-nio-8080-exec-*` of
 * `http-nio-8080-exec-12`, and `RMI(*)` of `RMI(7)`. A name that does not end with a number is its own pool.
 */
export function poolName(thread: string): string {
  let end = thread.length;
  while (end > 0 && ")]".includes(thread[end - 1]!)) end--;
  let start = end;
  while (isDigit(thread[start - 1])) start--;
  return start === end ? thread : `${thread.slice(0, start)}*${thread.slice(end)}`;
}
