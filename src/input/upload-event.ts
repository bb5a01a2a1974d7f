/**
 * The description of an upload of Datadog's profilers (event.json), which comes with its attachments in a multipart
 * body, an archive or a folder.
 *
 *   event := {"attachments": ["main.jfr", …], "tags_profiler": "service:shop,runtime-id:…,…", "family": "java", …}
 *
 * Its tags say which process was recorded. They complete what the attachments state: profiles of other languages have
 * no name of a service.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { UploadFacts } from "../core/answers/uploads.ts";

/** Longer descriptions are not read. */
export const LONGEST_EVENT = 1 << 20;
const TAGS_KEYS = ["tags_profiler", "tags"];

/** Tags that semantic conventions 1.44 have a name for. The others keep theirs. */
const RESOURCE_KEYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    service: "service.name",
    env: "deployment.environment.name",
    version: "service.version",
    host: "host.name",
    "runtime-id": "service.instance.id",
    container_id: "container.id",
    language: "telemetry.sdk.language",
    process_id: "process.pid",
    runtime: "process.runtime.name",
    runtime_version: "process.runtime.version",
    "git.branch": "vcs.ref.head.name",
    "git.commit.sha": "vcs.ref.head.revision",
    "git.repository_url": "vcs.repository.url.full",
  }),
);
/** Values of `language` whose name in the conventions is another. */
const LANGUAGES: ReadonlyMap<string, string> = new Map(
  Object.entries({ jvm: "java", javascript: "nodejs", node: "nodejs", csharp: "dotnet", ".net": "dotnet" }),
);
/** Keys that Datadog's intake takes, and its own, such as `_dd.origin`. The others are no tags. */
const KEY = /^[a-z_][\w./-]{0,199}$/i;
const MOST_TAGS = 256;
const MOST_COUNTS = 10_000;
const MOST_FIGURES = 1000;

export interface BundleEvent extends Pick<UploadFacts, "endpoints"> {
  /** Names of files. */
  attachments: string[];
  resource: Record<string, string>;
  /** Beginning of its time, ISO 8601; "" if it is not stated. */
  start: string;
}

/** A finding about an upload as a whole. */
export interface BundleFinding {
  code: "bundle.missing" | "bundle.libraries";
  severity: "error" | "warning";
  message: string;
}

/** The finding about a list of libraries that could not be read as a whole. */
export function libraryFinding(message: string): BundleFinding {
  return { code: "bundle.libraries", severity: "warning", message };
}

/** The finding about an attachment that is missing. */
export function missingFinding(name: string): BundleFinding {
  const message = `the attachment ${JSON.stringify(name)} of event.json is not there`;
  return { code: "bundle.missing", severity: "error", message };
}

/** The description in a file; null if it is none. */
export async function readEvent(source: ByteSource): Promise<BundleEvent | null> {
  const bytes = await source.slice(0, LONGEST_EVENT + 1);
  return bytes.length > LONGEST_EVENT ? null : eventIn(new TextDecoder().decode(bytes));
}

export function eventIn(text: string): BundleEvent | null {
  const event = objectIn(text);
  const { attachments } = event ?? {};
  if (event === null || !Array.isArray(attachments)) return null;
  const names = new Set(attachments.filter((name) => typeof name === "string"));
  const start = typeof event.start === "string" ? event.start : "";
  return { attachments: [...names], resource: resourceOf(event), endpoints: countsIn(event.endpoint_counts), start };
}

/** Requests by endpoint: `{"GET /cart": 12}`. */
function countsIn(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null) return {};
  const counts = Object.entries(value).filter(([, count]) => Number.isSafeInteger(count) && count > 0);
  return Object.fromEntries(counts.slice(0, MOST_COUNTS));
}

/** Figures as profilers for Go write them, `[["go_gcs_per_sec", 0.2], …]`, or as an object; null if it has none. */
export function figuresIn(text: string): Record<string, number> | null {
  const value = valueIn(text);
  const pairs: unknown[] = Array.isArray(value) ? value : Object.entries(value ?? {});
  const figures = pairs.filter(
    (pair): pair is [string, number] =>
      Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "number" && Number.isFinite(pair[1]),
  );
  return figures.length === 0 ? null : Object.fromEntries(figures.slice(0, MOST_FIGURES));
}

export async function readFigures(source: ByteSource): Promise<Record<string, number> | null> {
  const bytes = await source.slice(0, LONGEST_EVENT + 1);
  return bytes.length > LONGEST_EVENT ? null : figuresIn(new TextDecoder().decode(bytes));
}

/** Files of uploads in the order of their times (UTC without a zone), where uploads are among the others. */
export function inTimeOrder<T extends { upload?: { start: string } }>(files: readonly T[]): T[] {
  const startOf = ({ upload }: T) => Date.parse((upload?.start ?? "").replace(/T[\d:.]+$/, "$&Z"));
  const timed = files.filter((file) => !Number.isNaN(startOf(file))).sort((a, b) => startOf(a) - startOf(b));
  let next = 0;
  return files.map((file) => (Number.isNaN(startOf(file)) ? file : timed[next++]!));
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function objectIn(text: string): Record<string, unknown> | null {
  const value = valueIn(text);
  return typeof value === "object" && value !== null ? { ...value } : null;
}

/** The tags that state these attributes. A value with a comma cannot be a tag. */
export function tagsOf(resource: Readonly<Record<string, unknown>>): string {
  const names = new Map([...RESOURCE_KEYS].map(([tag, key]) => [key, tag]));
  const tags = Object.entries(resource).map(([key, value]) => [names.get(key) ?? key, String(value)] as const);
  return tags
    .filter(([key, value]) => KEY.test(key) && value !== "" && !value.includes(","))
    .map(([key, value]) => `${key}:${value}`)
    .join(",");
}

/** The first value of each tag counts. */
function resourceOf(event: Record<string, unknown>): Record<string, string> {
  const found = new Map<string, string>();
  for (const tags of TAGS_KEYS.map((key) => event[key])) {
    for (const tag of typeof tags === "string" ? tags.split(",") : []) {
      const colon = tag.indexOf(":");
      const key = tag.slice(0, Math.max(colon, 0)).trim();
      const name = RESOURCE_KEYS.get(key) ?? key;
      const value = tag.slice(colon + 1).trim();
      if (!KEY.test(key) || value === "" || found.has(name) || found.size >= MOST_TAGS) continue;
      found.set(name, key === "language" ? (LANGUAGES.get(value) ?? value) : value);
    }
  }
  return Object.fromEntries(found);
}
