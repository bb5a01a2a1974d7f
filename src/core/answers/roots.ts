/** Root frames of the call tree: the names of a level's groups. The tree itself: assembly/view/roots.ts. */
import * as Below from "../../../assembly/abi/recursion.ts";
import type { Access } from "../instance/access.ts";
import { poolName } from "../tables/pool-name.ts";
import type { Recursion, RootLevel } from "../view-types.ts";

export const RECURSIONS: Record<Recursion, number> = { kept: Below.Kept, direct: Below.Direct, all: Below.All };

/** Characters of a root frame's name. */
const LONGEST = 1000;
const ENCODER = new TextEncoder();

/** Puts root frames above the current call tree. To be called after each change of the tree's shape. */
export function rootTree(core: Access, levels: readonly RootLevel[], labels: Labels): void {
  const { wasm } = core;
  if (levels.length === 0) return;
  const named = (text: string) => labels.id(text);
  for (const level of levels) {
    wasm.rootLevel(named(level.none));
    for (const key of level.keys) {
      const names = valuesOf(core, key).map((text) => (text === null ? 0 : named(rootName(text, level))));
      core.memory.words(wasm.rootNames(), names.length).set(names);
      wasm.rootSamples();
    }
  }
  wasm.rootTree();
}

/** The values of a key whose samples have one of these root frames. */
export function valuesOfRoots(
  core: Access,
  key: string,
  level: Pick<RootLevel, "pooled">,
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    valuesOf(core, key).filter((text): text is string => text !== null && names.has(rootName(text, level))),
  );
}

/** Texts of a key's values by group (assembly/view/attribute-groups.ts), null for a group of another key. */
function valuesOf(core: Access, key: string): (string | null)[] {
  const count = core.lend(ENCODER.encode(key), (p, n) => core.wasm.rootKey(p, n));
  const labels = core.memory.u32s(core.wasm.rootNames(), count);
  return Array.from(labels, (label) => (label === 0 ? null : core.label(label)));
}

function rootName(value: string, { pooled }: Pick<RootLevel, "pooled">): string {
  const text = value.slice(0, LONGEST);
  // Without the id of a label (assembly/store/threads/labels.ts).
  return (pooled ? poolName(text.replace(/ #\d+$/, "")) : text) || "(empty)";
}

/** Names of frames that are not functions (assembly/view/frame-names.ts): root frames, and runs of frames. */

export class Labels {
  private readonly core: Access;
  private readonly ids = new Map<string, number>();

  constructor(core: Access) {
    this.core = core;
  }

  /** The core was emptied. */
  reset(): void {
    this.ids.clear();
  }

  id(text: string): number {
    let id = this.ids.get(text);
    if (id === undefined) {
      id = this.core.lend(ENCODER.encode(text), (p, n) => this.core.wasm.labelName(p, n)) >>> 0;
      this.ids.set(text, id);
    }
    return id;
  }

  known(text: string): number | undefined {
    return this.ids.get(text);
  }

  texts(): string[] {
    return [...this.ids.keys()];
  }
}
