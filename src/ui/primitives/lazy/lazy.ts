import { useEffect, useReducer } from "react";
import type { Failure } from "../../../worker/api.ts";
import { useFailure } from "./on-failure.ts";

/**
 * Modules loaded on demand. A module that was loaded before is there at once; a fetch that failed is tried again when
 * the module is next asked for. Each is declared beside the component that shows it, so this file imports none of them.
 */
export class Lazy<T> {
  private readonly load: () => Promise<T>;
  private loading: Promise<T> | null = null;
  /** Null until it is there. */
  loaded: T | null = null;

  /** `load` is a dynamic import. */
  constructor(load: () => Promise<T>) {
    this.load = load;
  }

  /** A module that is part of this script already. */
  static ready<T>(loaded: T): Lazy<T> {
    const lazy = new Lazy<T>(async () => loaded);
    lazy.loaded = loaded;
    return lazy;
  }

  fetch(): Promise<T> {
    this.loading ??= this.load().then(
      (loaded) => {
        this.loaded = loaded;
        return loaded;
      },
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  /** Uses the module: at once if it is there, else when it is fetched. Who shows it reports a failure (`useLazy`). */
  use(then: (loaded: T) => void): void {
    if (this.loaded !== null) then(this.loaded);
    else this.fetch().then(then, () => {});
  }

  /** Fetches before the module is wanted; a failure is reported when it is wanted. */
  prefetch(): void {
    this.fetch().catch(() => {});
  }
}

const likely: Lazy<unknown>[] = [];

/** A module that the user probably needs soon: `prefetchLikely` fetches it. */
export function likelySoon<T>(load: () => Promise<T>): Lazy<T> {
  const lazy = new Lazy(load);
  likely.push(lazy);
  return lazy;
}

/** Fetches the likely modules once the browser is idle. */
export function prefetchLikely(): void {
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 500));
  idle(() => {
    for (const lazy of likely) lazy.prefetch();
  });
}

/**
 * The module, or null while it is being fetched or after a failure; null asks for no module yet. A failure is told to
 * `instead`, or to what is around.
 */
export function useLazy<T>(lazy: Lazy<T> | null, instead?: (failure: Failure) => void): T | null {
  const around = useFailure();
  const onFailure = instead ?? around;
  const [, arrived] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    let wanted = true;
    if (lazy !== null && lazy.loaded === null) {
      lazy.fetch().then(
        () => {
          if (wanted) arrived();
        },
        (error: unknown) => {
          if (wanted) onFailure(incomplete(error));
        },
      );
    }
    return () => {
      wanted = false;
    };
  }, [lazy, onFailure]);
  return lazy === null ? null : lazy.loaded;
}

/** The message where a module of the page could not be loaded. */
export function incomplete(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "page.incomplete", message: `A part of the page could not be loaded: ${reason}` };
}
