/** The page's end of the worker. The worker starts with `startViewer`, before a file is picked. */
import * as Comlink from "comlink";
import type { Failure, Progress, Result, ViewerWorker } from "./api.ts";

interface Connection {
  worker: Worker;
  /** Kept here for as long as the worker lives: calls in flight hang once a comlink proxy is collected. */
  remote: Comlink.Remote<ViewerWorker>;
  /** Settles only if the worker dies; comlink's calls would wait for ever. */
  death: Promise<Result<never>>;
}

let connection: Connection | null = null;

function connect(): Connection {
  if (connection !== null) return connection;
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "spanflame" });
  const death = new Promise<Result<never>>((resolve) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      connection = null;
      worker.terminate();
      const reason = event.message === undefined || event.message === "" ? "it could not be loaded" : event.message;
      resolve(failed({ code: "worker.failed", message: `The decoder's worker stopped: ${reason}.` }));
    });
  });
  connection = { worker, remote: Comlink.wrap<ViewerWorker>(worker), death };
  return connection;
}

function failed(error: Failure): Result<never> {
  return { ok: false, error };
}

/** One call: its answer, or the failure of the worker under it. */
async function ask<T>(call: (remote: Comlink.Remote<ViewerWorker>) => Promise<Result<T>>): Promise<Result<T>> {
  const { remote, death } = connect();
  try {
    return await Promise.race([call(remote), death]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failed({ code: "worker.call", message });
  }
}

export function startViewer(): void {
  connect();
}

/** The worker as the page sees it: every answer is a Result, none throws and none waits for ever. */
export const viewer: ViewerWorker = {
  open: (files, extra, onProgress) => {
    const progress = (p: Progress) => onProgress(p);
    return ask((remote) => remote.open(files, extra, Comlink.proxy(progress)));
  },
  cancel: () => {
    void ask(async (remote) => {
      await remote.cancel();
      return { ok: true, value: undefined };
    });
  },
  totals: (query) => ask((remote) => remote.totals(query)),
  frames: (query, request) => ask((remote) => remote.frames(query, request)),
  regroup: (query, request) => ask((remote) => remote.regroup(query, request)),
  children: (query, node) => ask((remote) => remote.children(query, node)),
  top: (query, order, offset, limit) => ask((remote) => remote.top(query, order, offset, limit)),
  diff: (query, baseline, request) => ask((remote) => remote.diff(query, baseline, request)),
  why: (query) => ask((remote) => remote.why(query)),
  search: (query, pattern) => ask((remote) => remote.search(query, pattern)),
  timeline: (query, bins, threads, range) => ask((remote) => remote.timeline(query, bins, threads, range)),
  threads: (query) => ask((remote) => remote.threads(query)),
  rank: (query, by, offset, limit) => ask((remote) => remote.rank(query, by, offset, limit)),
  download: (profile, measure, filter, format) => ask((remote) => remote.download(profile, measure, filter, format)),
};
