/** Loading of the reader of dumps, which most visits do not need: its code, and the rest of the core. */
import type { Dumps } from "./dump.ts";
import type { Instance } from "./instance.ts";

export function lazyDumps(instance: Instance, complete: () => Promise<void>): () => Promise<Dumps> {
  let dumps: Dumps | undefined;
  return async () => {
    await complete();
    dumps ??= new (await import("./dump.ts")).Dumps(instance);
    return dumps;
  };
}
