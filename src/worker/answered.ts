/** Answers of the workers that do one job. */
import * as Comlink from "comlink";
import type { Failure, Result } from "./api.ts";

export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * The answer of a job. Its error is a failure of this code, or the failure that it is to be. `progress`: a proxied
 * callback, which holds a message port until it is released.
 */
export async function answered<T>(
  failure: string | ((error: unknown) => Failure),
  job: () => Promise<T>,
  progress?: (...given: never[]) => void,
): Promise<Result<T>> {
  try {
    return { ok: true, value: await job() };
  } catch (error) {
    return {
      ok: false,
      error: typeof failure === "string" ? { code: failure, message: errorWords(error) } : failure(error),
    };
  } finally {
    release(progress);
  }
}

/** Releases the message port of a proxied callback. */
export function release(progress: unknown): void {
  (progress as Partial<Comlink.ProxyMethods> | undefined)?.[Comlink.releaseProxy]?.();
}
