/** The page's end of the worker. The worker starts with `startViewer`, before a file is picked. */
import * as Comlink from "comlink";
import type { Failure, Progress, ViewerWorker } from "./api.ts";
import { Connection } from "./connection.ts";

const STUCK: Failure = {
  code: "worker.stuck",
  message: "The decoder did not answer for two seconds, so the page stopped it. Nothing that it had read is kept.",
  lost: true,
};

let connection: Connection<ViewerWorker> | null = null;
/** Counts the calls of `cancel`. */
let cancels = 0;

function connect(): Connection<ViewerWorker> {
  if (connection !== null) return connection;
  const started = new Connection<ViewerWorker>(
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

/** The worker as the page sees it: every answer is a Result, none throws and none waits for ever. */
export const viewer: ViewerWorker = {
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
    if (cancels !== before) viewer.cancel();
    return answer;
  },
  cancel: () => {
    cancels++;
    void connect().endUnlessAnswered((remote) => remote.cancel(), STUCK);
  },
  totals: (query) => connect().ask((remote) => remote.totals(query)),
  frames: (query, request) => connect().ask((remote) => remote.frames(query, request)),
  regroup: (query, request) => connect().ask((remote) => remote.regroup(query, request)),
  children: (query, node) => connect().ask((remote) => remote.children(query, node)),
  top: (query, order, offset, limit, how) => connect().ask((remote) => remote.top(query, order, offset, limit, how)),
  diff: (query, baseline, request) => connect().ask((remote) => remote.diff(query, baseline, request)),
  changed: (query, baseline, normalised, offset, limit) =>
    connect().ask((remote) => remote.changed(query, baseline, normalised, offset, limit)),
  why: (query) => connect().ask((remote) => remote.why(query)),
  fileOf: (name) => connect().ask((remote) => remote.fileOf(name)),
  search: (query, pattern) => connect().ask((remote) => remote.search(query, pattern)),
  timeline: (query, bins, threads, range) => connect().ask((remote) => remote.timeline(query, bins, threads, range)),
  heat: (query, columns, range) => connect().ask((remote) => remote.heat(query, columns, range)),
  marks: () => connect().ask((remote) => remote.marks()),
  threads: (query) => connect().ask((remote) => remote.threads(query)),
  rank: (query, by, offset, limit, how) => connect().ask((remote) => remote.rank(query, by, offset, limit, how)),
  download: (request) => connect().ask((remote) => remote.download(request)),
  messages: (request) => connect().ask((remote) => remote.messages(request)),
};
