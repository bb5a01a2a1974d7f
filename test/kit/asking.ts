/** A session in the same thread, with its questions as methods, as the page's client has them. */
import type { Viewer } from "../../src/worker/client.ts";
import type { GraphSession } from "../../src/worker/graph-session.ts";

export type Asking<Of> = Of & Omit<Viewer, keyof Of>;

export function asking<Of extends GraphSession>(session: Of): Asking<Of> {
  return new Proxy(session, {
    get: (own, name: string) => {
      const known = own[name as keyof Of];
      if (typeof known === "function") return known.bind(own);
      return known ?? (name === "then" ? undefined : (...given: unknown[]) => own.ask(name as "totals", given));
    },
  }) as Asking<Of>;
}
