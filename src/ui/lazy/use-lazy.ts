import { useEffect, useReducer } from "react";
import type { Failure } from "../../worker/api.ts";
import type { Lazy } from "./lazy.ts";

/** The module, or null while it is being fetched or after a failure; null asks for no module yet. */
export function useLazy<T>(lazy: Lazy<T> | null, onFailure: (failure: Failure) => void): T | null {
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
