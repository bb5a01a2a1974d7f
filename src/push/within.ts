/** A time limit for one request. */

/**
 * The result of `work`. After `timeoutMs` its signal aborts and the promise rejects with a TimeoutError, even if `work`
 * never settles: Node's `fetch` does so after a broken content encoding. The timer keeps a process of Node alive, which
 * the timer of AbortSignal.timeout does not.
 */
export async function within<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const reason = new DOMException("The time limit has passed.", "TimeoutError");
      reject(reason);
      abort.abort(reason);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(abort.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
