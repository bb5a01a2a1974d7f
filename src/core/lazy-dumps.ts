/** Loading of the reader of dumps, which most visits do not need: its code, and the rest of the core. */
import type { Dumps } from "./dump.ts";
import type { Instance } from "./instance.ts";

interface Owner {
  readonly instance: Instance;
  readonly views: { reset(): void };
  complete(): Promise<void>;
}

export function lazyDumps(core: Owner): () => Promise<Dumps> {
  let dumps: Dumps | undefined;
  return async () => {
    await core.complete();
    dumps ??= new (await import("./dump.ts")).Dumps(core.instance, () => core.views.reset());
    return dumps;
  };
}
