/** The part of the core that a page loads late: readers of messages and writers (scripts/split-core.mjs). */
import { instantiate } from "../../../build/core.js";
import type { Capacity, Wasm } from "../instance/capacity.ts";
import type { Instance } from "../instance/instance.ts";
import type { Dumps } from "./dump.ts";

/** Fetches the module of the rest. */
export type LoadRest = () => Promise<WebAssembly.Module>;

/**
 * Brings an instance of the first module up to the whole core. The whole module has no rest: `complete` then does
 * nothing.
 */
export class Rest {
  private readonly capacity: Capacity;
  private readonly load: LoadRest | undefined;
  private completed: Promise<void> | null = null;

  constructor(capacity: Capacity, load: LoadRest | undefined) {
    this.capacity = capacity;
    this.load = load;
  }

  /** Rejects if the module cannot be loaded; the next call tries again. */
  complete(): Promise<void> {
    const { load } = this;
    if (load === undefined) return Promise.resolve();
    this.completed ??= this.link(load).catch((error) => {
      this.completed = null;
      throw error;
    });
    return this.completed;
  }

  /** Functions of the rest fill the slots that the first module calls them through, and exported ones join its own. */
  private async link(load: LoadRest): Promise<void> {
    const module = await load();
    const first = this.capacity.wasm;
    const late = await instantiate(module, { first, env: { memory: first.memory } });
    for (const { name } of WebAssembly.Module.exports(module)) this.capacity.add(name, late[name as keyof Wasm]);
  }
}

/** Loading of the reader of dumps, which most visits do not need: its code, and the rest of the core. */
interface Owner {
  readonly instance: Instance;
  readonly views: { drop(): void };
  complete(): Promise<void>;
}

export function lazyDumps(core: Owner): () => Promise<Dumps> {
  let dumps: Dumps | undefined;
  return async () => {
    await core.complete();
    dumps ??= new (await import("./dump.ts")).Dumps(core.instance, () => core.views.drop());
    return dumps;
  };
}
