/** Facts of a recording beside its samples: the process that wrote it, and when. */
import { INPUT_FORMATS } from "../../core/inputs/formats.ts";
import { recordedSpan } from "../../core/tables/recorded-time.ts";
import type { ChunkSummary, FileSummary } from "../../core/types.ts";
import { formatCounted } from "../words/format.ts";

export interface ProcessFact {
  label: string;
  value: string;
}

/** What a reader would look for, in this order; the recording says some of it. */
export function processFacts({ resource }: FileSummary): ProcessFact[] {
  const get = (key: string) => resource[key] ?? "";
  const runtime = [get("process.runtime.name"), get("process.runtime.version")].filter((part) => part !== "").join(" ");
  const facts: [string, string][] = [
    ["Service", get("service.name")],
    ["Instance", get("service.instance.id")],
    ["Runtime", runtime || get("process.runtime.description")],
    ["Process id", get("process.pid")],
    ["Host", get("host.name")],
    ["System", osName(get("os.description"))],
    ["Processor", get("host.arch")],
  ];
  return facts.filter(([, value]) => value !== "").map(([label, value]) => ({ label, value }));
}

/** The JDK gives a whole /etc/os-release and uname: the name in it, else the kernel. */
function osName(description: string): string {
  const pretty = /PRETTY_NAME="([^"]+)"/.exec(description)?.[1];
  const kernel = /uname: (\S+ \S+)/.exec(description)?.[1];
  if (pretty !== undefined) return kernel === undefined ? pretty : `${pretty}, ${kernel}`;
  return kernel ?? description;
}

export interface FileFacts {
  chunks: number;
  events: number;
  /** Begin of the first chunk or profile, and the time to the end of the last; 0n if they state none. */
  startUnixNano: bigint;
  durationNano: bigint;
}

/** The chunks that count: without copies of others. */
export function countedChunks(file: FileSummary): ChunkSummary[] {
  return file.chunks.filter(({ copy }) => copy !== true);
}

export function fileFacts(file: FileSummary): FileFacts {
  let events = 0;
  for (const chunk of countedChunks(file)) for (const count of Object.values(chunk.events)) events += count;
  return { chunks: file.chunks.length, events, ...recordedSpan(file) };
}

/** What a file consists of, and how many events or samples it has. `calls`: of a run of a dump, if they are known. */
export function fileCounts(file: FileSummary, calls?: number): string[] {
  const { format, messages } = file;
  if (format === "cdt") return calls === undefined ? [] : [formatCounted(calls, "call")];
  if (format === "jfr") {
    const { chunks, events } = fileFacts(file);
    return [formatCounted(chunks, ...INPUT_FORMATS.jfr.parts), formatCounted(events, "event")];
  }
  const samples = messages.reduce((sum, message) => sum + message.samples, 0);
  return [formatCounted(messages.length, ...INPUT_FORMATS[format].parts), formatCounted(samples, "sample")];
}
