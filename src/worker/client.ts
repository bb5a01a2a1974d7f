/** The page's end of the worker. The worker starts with `startViewer`, before a file is picked. */
import * as Comlink from "comlink";
import type { Progress, ViewerWorker } from "./api.ts";
import { Connection } from "./connection.ts";

let connection: Connection<ViewerWorker> | null = null;

function connect(): Connection<ViewerWorker> {
  connection ??= new Connection<ViewerWorker>(
    new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "spanflame" }),
    "The decoder's worker",
    () => {
      connection = null;
    },
  );
  return connection;
}

export function startViewer(): void {
  connect();
}

/** The worker as the page sees it: every answer is a Result, none throws and none waits for ever. */
export const viewer: ViewerWorker = {
  open: (files, extra, onProgress) => {
    const progress = (p: Progress) => onProgress(p);
    return connect().ask((remote) => remote.open(files, extra, Comlink.proxy(progress)));
  },
  cancel: () => {
    void connect().ask(async (remote) => {
      await remote.cancel();
      return { ok: true, value: undefined };
    });
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
