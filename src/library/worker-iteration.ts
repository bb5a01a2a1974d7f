/** Iterations in a worker, on the page's side: requests for batches, which a signal can abort while they are made. */
import { type ErrorCode, SpanflameError } from "../core/instance/error.ts";
import type { Connection } from "../worker/connection.ts";
import type { Answer, Asked, Batch, WorkerHost } from "./worker-host.ts";

/**
 * The items of iteration `iteration`. It returns the value that the iteration in the worker returned. An abort rejects
 * at once with the reason of the signal; the worker ends the iteration when it has made the current batch.
 */
export async function* iterated(
  connection: Pick<Connection<WorkerHost>, "ask">,
  iteration: number,
  asked: Asked,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, unknown, undefined> {
  signal?.throwIfAborted();
  const begun = connection.ask((remote) => remote.iterate(iteration, asked));
  let batch: Batch = { items: [], done: false };
  try {
    taken(await unlessAborted(begun, signal));
    while (!batch.done) {
      signal?.throwIfAborted();
      const next = connection.ask((remote) => remote.next(iteration));
      batch = taken(await unlessAborted(next, signal));
      yield* batch.items;
    }
    return batch.returned;
  } finally {
    if (!batch.done) void connection.ask(async (remote) => ({ ok: true, value: await remote.leave(iteration) }));
  }
}

/** Gives each item to `sink`, and returns the value of the iteration. An error of `sink` ends the iteration. */
export async function drained<T, R>(items: AsyncGenerator<T, R, undefined>, sink: (item: T) => void): Promise<R> {
  try {
    let next = await items.next();
    for (; next.done !== true; next = await items.next()) sink(next.value);
    return next.value;
  } finally {
    await items.return(undefined as never);
  }
}

/** The options of a call for the worker, and their signal, which cannot cross. */
export function withoutSignal(options: unknown): [options: unknown, signal: AbortSignal | undefined] {
  if (typeof options !== "object" || options === null || !("signal" in options)) return [options, undefined];
  const { signal, ...rest } = options;
  return signal === undefined || signal instanceof AbortSignal ? [rest, signal] : [options, undefined];
}

/** The value of an answer; throws its error. */
export function taken<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value;
  const { fault, code, message } = answer.error;
  if (fault?.code === null) throw Object.assign(new Error(message), { name: fault.name });
  throw new SpanflameError(code as ErrorCode, message);
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return answer;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
    void answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
