/**
 * The page's end of the worker that holds the recording: the session's methods, each asked over the connection. The
 * worker starts with `startViewer`, before a file is picked.
 */
import * as Comlink from "comlink";
import type { Failure, Progress, Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { Session } from "./session.ts";

/** The session without its private members. */
type Viewer = Pick<Session, keyof Session>;

const STUCK: Failure = {
  code: "worker.stuck",
  message: "The decoder did not answer for two seconds, so the page stopped it. Nothing that it had read is kept.",
  lost: true,
};

let connection: Connection<Viewer> | null = null;
/** Counts the calls of `cancel`. */
let cancels = 0;

function connect(): Connection<Viewer> {
  if (connection !== null) return connection;
  const started = new Connection<Viewer>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "spanflame" }),
    "The decoder's worker",
    () => {
      if (connection === started) connection = null;
    },
  );
  connection = started;
  // Until this is answered the worker is being loaded, which may take long.
  void started.ask(async (remote) => ({ ok: true, value: await remote.ping() }));
  return started;
}

export function startViewer(): void {
  connect();
}

/** Ends the worker, and with it the recording; the next question starts another one. */
export function stopViewer(failure: Failure): void {
  connection?.end(failure);
}

/** For how many milliseconds the oldest question has had no answer; 0 without such a question. */
export function viewerWaitingMs(): number {
  return connection?.waitingMs() ?? 0;
}

/** The methods that do more than to pass a question on. */
const own: Pick<Viewer, "ping" | "open" | "cancel"> = {
  ping: () => {},

  open: async (files, extra, onProgress) => {
    const before = cancels;
    const now = connect();
    if (now.isBusy) {
      // New files are not to wait for a question that never ends. The worker may need long to be loaded, though.
      await now.loaded;
      await now.endUnlessAnswered((remote) => remote.ping(), STUCK);
    }
    const progress = (p: Progress) => onProgress(p);
    const answer = connect().ask((remote) => remote.open(files, extra, Comlink.proxy(progress)));
    // Cancel came before the question.
    if (cancels !== before) own.cancel();
    return answer;
  },

  cancel: () => {
    cancels++;
    void connect().endUnlessAnswered((remote) => remote.cancel(), STUCK);
  },
};

type Ask = (...given: unknown[]) => Promise<Result<unknown>>;

/** The worker as the page sees it: every answer is a Result, none throws and none waits for ever. */
export const viewer = new Proxy(own as Viewer, {
  get: (known, name: keyof Viewer) =>
    known[name] ?? ((...given: unknown[]) => connect().ask((remote) => (remote[name] as unknown as Ask)(...given))),
});
