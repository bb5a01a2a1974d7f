import { useEffect, useReducer } from "react";
import type { Failure } from "../../worker/api.ts";
import type { Part } from "./part.ts";

/** The part, or null while it is being fetched or could not be; null asks for none yet. */
export function usePart<T>(part: Part<T> | null, onFailure: (failure: Failure) => void): T | null {
  const [, arrived] = useReducer((times: number) => times + 1, 0);
  useEffect(() => {
    let wanted = true;
    if (part !== null && part.loaded === null) {
      part.fetch().then(
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
  }, [part, onFailure]);
  return part === null ? null : part.loaded;
}

/** What is said where a part of the page is missing. */
export function incomplete(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: "page.incomplete", message: `A part of the page could not be loaded: ${reason}` };
}
