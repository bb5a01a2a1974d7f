/**
 * Runs of CDT dumps: the files of a JVM's streams, grouped by their paths.
 *
 *   directory, zip   a folder with folders named after streams; `SERVER/MS` where it is in `SERVER/YYYY/MM/DD/MS`
 *   stream files     files of one prefix beside each other
 *
 * A run has calls or a trace: a dictionary alone is none.
 */
import type { ByteSource } from "../../bytes/byte-source.ts";
import type { RunInfo } from "../../core/dumps/dump.ts";
import { Stream } from "../../core/tables/dump-streams.ts";
import { streamPath } from "./stream-names.ts";

/** A file that may be part of a dump. */
export interface DumpFile {
  /** As the user knows it, with `/` between its parts; a directory's begins with its own name. */
  path: string;
  /** A new source each time: a file may be read again. */
  open(): ByteSource;
}

/** A file of a stream of a run. */
export interface StreamFile extends DumpFile {
  stream: number;
  /** Number of the file in references and keys, from 1. */
  index: number;
}

/** The files of a run, and what is known of its process. */
export interface RunFiles extends RunInfo {
  /** Files by stream, each by its index. */
  files: StreamFile[];
  /** The data ends within a command of the capture, so the last record of a stream may be missing. */
  isCut?: boolean;
}

/** Groups files by their paths. `rest` has those that are of no run. */
export function runsOf(
  files: readonly DumpFile[],
  container: RunInfo["container"],
): { runs: RunFiles[]; rest: DumpFile[] } {
  const groups = new Map<string, Group>();
  const rest: DumpFile[] = [];
  for (const file of files) {
    const known = streamPath(file.path);
    if (known === null) {
      rest.push(file);
      continue;
    }
    const key = JSON.stringify([known.folder, known.prefix]);
    const group: Group = groups.get(key) ?? { folder: known.folder, prefix: known.prefix, files: new Map(), all: [] };
    groups.set(key, group);
    group.all.push(file);
    const place = `${known.stream}/${known.index}`;
    // A file that is there both compressed and not counts once.
    if (!group.files.has(place) || file.path.endsWith(".gz")) {
      group.files.set(place, { ...file, stream: known.stream, index: known.index });
    }
  }
  const sorted = [...groups.values()].sort(
    (a, b) => order(a.folder, b.folder) || order(a.prefix ?? "", b.prefix ?? ""),
  );
  const whole = sorted.filter(isRun);
  rest.push(...sorted.filter((group) => !isRun(group)).flatMap(({ all }) => all));
  const runs = whole.map((group) => runOf(group, container));
  for (const run of runs) borrowParams(run, runs);
  return { runs, rest };
}

interface Group {
  folder: string;
  prefix: string | null;
  /** By stream and index. */
  files: Map<string, StreamFile>;
  all: DumpFile[];
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isRun({ files }: Group): boolean {
  return [...files.values()].some(({ stream }) => stream === Stream.Calls || stream === Stream.Trace);
}

function runOf({ folder, prefix, files }: Group, container: RunInfo["container"]): RunFiles {
  const parts = folder.split("/");
  const date = parts.slice(-4, -1).join("/");
  const isDated = prefix === null && parts.length >= 5 && /^\d{4}\/\d\d\/\d\d$/.test(date);
  const server = isDated ? (parts.at(-5) ?? "") : "";
  const own = parts.at(-1) ?? "";
  return {
    label: prefix ?? (server === "" ? own : `${server}/${own}`),
    container: prefix === null ? container : "streams",
    server,
    service: prefix ?? "",
    namespace: "",
    pod: "",
    files: [...files.values()].sort((a, b) => a.stream - b.stream || a.index - b.index),
  };
}

/** Parameters are those of the server: a run without them has those of another of its runs. */
function borrowParams(run: RunFiles, runs: readonly RunFiles[]): void {
  const isParams = ({ stream }: StreamFile) => stream === Stream.Params;
  if (run.server === "" || run.files.some(isParams)) return;
  const other = runs.find(({ server, files }) => server === run.server && files.some(isParams));
  if (other !== undefined) run.files = [...run.files, ...other.files.filter(isParams)];
}
