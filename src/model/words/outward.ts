/**
 * All that leaves the machine, or the host of the page. Limits of answers, questions of the page, the workers whose
 * policy allows other hosts and the table of docs/hosting.md are made of these rows. src/outward.test.ts looks for
 * requests without a row.
 */

export interface Outward {
  /** What asks or sends. */
  from: string;
  /** The worker of the page that does it (src/worker/NAME.ts), and that may ask other hosts. */
  worker?: string;
  to: string;
  when: string;
  /** What the receiver learns. */
  learns: string;
  /** Bytes of an answer that are read. */
  most?: number;
  /** Files that send it. */
  at: readonly string[];
}

const CROSS_ORIGIN = "src/push/cross-origin.ts";

const PAGE: Outward = {
  from: "page",
  to: "its own host",
  when: "it is loaded; with `?files` and `?symbols`",
  learns: "the path of each file",
  at: [
    "src/ui/parts/files/own-host.ts",
    "src/ui/parts/symbols/served-symbols.ts",
    "src/worker/fetched-core.ts",
    "src/worker/symbolizer.ts",
  ],
};

const SERVICE_WORKER: Outward = {
  from: "service worker",
  to: "the page's own host",
  when: "the page is loaded",
  learns: "the paths of the page's files",
  at: ["src/offline/service-worker.ts", "src/offline/install.ts"],
};

/** A file of the page's own host may have as many bytes as that states. */
export const URL_FILES = {
  from: "page",
  worker: "fetcher",
  to: "the host of `?url=`",
  when:
    "after your yes, which the page's own host does not need, and again if you cancel the reading and open the file " +
    "again; a HEAD request for the size if you ask for it",
  learns: "the path of each file",
  most: 2 ** 31,
  at: ["src/worker/fetcher.ts", CROSS_ORIGIN],
} as const satisfies Outward;

/** A trace of three thousand samples in 150 MB of files takes 8 MB. */
export const LAKE = {
  from: "page",
  worker: "fetcher",
  to: "the host of `#lake=`",
  when: "after your yes, which the page's own host does not need",
  learns: "which ranges of which files are read",
  most: 2 ** 28,
  at: ["src/fleet/lake.ts", CROSS_ORIGIN],
} as const satisfies Outward;

export const DEBUG_FILES = {
  from: "page",
  worker: "debuginfod",
  to: "the server that you enter",
  when: "Fetch, and your yes",
  learns: "the build ids of libraries",
  most: 2 ** 31,
  at: ["src/worker/debuginfod.ts", "src/symbols/debuginfod.ts", CROSS_ORIGIN],
} as const satisfies Outward;

export const SEND = {
  from: "page",
  worker: "sender",
  to: "the endpoint that you enter",
  when: "Send",
  learns: "the exported message",
  most: 2 ** 16,
  at: ["src/worker/sender.ts", "src/push/push.ts", CROSS_ORIGIN],
} as const satisfies Outward;

/** A file is in memory until it is checked; the largest debug files of browsers have less. */
export const CACHED_DEBUG_FILES = {
  from: "`spanflame symbols --fetch`",
  to: "the servers that it names",
  when: "always, for libraries that are in no cache",
  learns: "the build ids of libraries",
  most: 2 ** 30,
  at: ["src/node/symbols/fetched-files.ts", "src/symbols/debuginfod.ts"],
} as const satisfies Outward;

export const ELEMENT = {
  from: "`<span-flame>`, React component",
  to: "the URL of `src`, and the host of the component's own files",
  when: "it is shown",
  learns: "the path of the file",
  most: 2 ** 31,
  at: ["src/viewer/input.ts"],
} as const satisfies Outward;

export const OUTWARD: readonly Outward[] = [
  PAGE,
  SERVICE_WORKER,
  URL_FILES,
  LAKE,
  DEBUG_FILES,
  SEND,
  {
    from: "`spanflame push`",
    to: "`--to`",
    when: "always",
    learns: "the exported messages",
    most: SEND.most,
    at: ["src/cli/push/push.ts", "src/push/push.ts"],
  },
  CACHED_DEBUG_FILES,
  {
    from: "`spanflame query --external`",
    to: "hosts that its SQL names",
    when: "DuckDB has its extension for them (`httpfs`)",
    learns: "what DuckDB sends",
    at: ["src/fleet/duckdb.ts"],
  },
  { from: "other commands", to: "–", when: "never", learns: "–", at: [] },
  {
    from: "library",
    to: "the host that serves its decoder, worker and symbol reader",
    when: "`open`, `openInWorker`, the option `symbols`",
    learns: "the paths of these files",
    at: ["src/library/load-core.ts"],
  },
  {
    from: "library",
    to: "the URL that you pass to `openUrl`, or a source of yours",
    when: "always",
    learns: "the path and the ranges",
    at: ["src/library/url-source.ts"],
  },
  {
    from: "library",
    to: "the receiver that you pass to `push`; the recorder's receiver, if it has one",
    when: "always; once a minute",
    learns: "the messages",
    most: SEND.most,
    at: ["src/push/push.ts", "src/record/sending.ts"],
  },
  ELEMENT,
];
