/**
 * Which modules of the page share a script. By itself the bundler makes a script for each set of modules that the same
 * parts of the page need: 99 scripts and 35 style sheets were fetched to open a recording, many of them smaller than
 * the headers of their request.
 */
import { fileURLToPath } from "node:url";
import { normalizePath, type Plugin } from "vite";

const ROOT = normalizePath(fileURLToPath(new URL("..", import.meta.url)));
const RECORDING = `${ROOT}src/ui/shell/app/recording-parts.ts`;
const VIEWS = `${ROOT}src/ui/views/views.ts`;
/** What the worker fetches once the first view is drawn; inference shares the last two with it. */
const ANSWERS = [
  ...["requests/questions/page", "core/writing/message-writing", "core/answers/late"],
  ...["model/context/by-thread", "requests/waits"],
].map((name) => `${ROOT}src/${name}.ts`);
/** Needed by dialogs, and by parts of the page that need no dialog. */
const TASKS = `${ROOT}src/worker/task-workers.ts`;
/** Loaded apart from the page. */
const SERVICE_WORKER = `${ROOT}src/offline/service-worker.ts`;
/** A module that the page fetches once the browser is idle. */
const LIKELY = /likelySoon\(\s*\(\)\s*=>\s*import\("([^"]+)"\)/g;

/**
 * The groups for `codeSplitting`, and the plugin that finds their modules. A group takes along what its modules import,
 * unless a group before it has it. What is fetched on demand only (a trace, a chart, calls, symbols) is in no group.
 */
export function pageChunks() {
  const views = new Set<string>();
  const dialogs = new Set<string>();
  const plugin: Plugin = {
    name: "spanflame:page-chunks",
    apply: "build",
    enforce: "pre",
    async transform(code, id) {
      for (const [, name = ""] of code.matchAll(LIKELY)) {
        const found = await this.resolve(name, id);
        if (found !== null) (normalizePath(id) === VIEWS ? views : dialogs).add(found.id);
      }
    },
  };
  const groups = [
    { name: "main", tags: ["$initial" as const], test: (id: string) => normalizePath(id) !== SERVICE_WORKER },
    { name: "tasks", test: (id: string) => normalizePath(id) === TASKS },
    { name: "recording", test: (id: string) => normalizePath(id) === RECORDING },
    { name: "views", test: (id: string) => views.has(id) },
    { name: "dialogs", test: (id: string) => dialogs.has(id) },
  ];
  return { plugin, groups: groups.map((group, at) => ({ ...group, priority: groups.length - at })) };
}

const CATALOGUE = `${ROOT}src/core/tables/catalogue.ts`;
const WORDS = /^\s*(?:about|setting):(?:\s*\n)?.*,\n/gm;

/** Leaves out the sentences of the catalogue, which the page has: the worker reads by it and shows nothing. */
export function wordless(): Plugin {
  return {
    name: "spanflame:wordless",
    apply: "build",
    enforce: "pre",
    transform(code, id) {
      if (normalizePath(id) !== CATALOGUE) return null;
      return { code: code.replace(WORDS, (words) => "\n".repeat(words.split("\n").length - 1)), map: null };
    },
  };
}

/** The same for the worker: its first script, and what it fetches ahead. */
export const WORKER_GROUPS = [
  { name: "worker", tags: ["$initial" as const], priority: 2 },
  { name: "answers", test: (id: string) => ANSWERS.includes(normalizePath(id)), priority: 1 },
];
