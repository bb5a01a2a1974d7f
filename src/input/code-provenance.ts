/**
 * The list of libraries in an upload of Datadog's profilers (code-provenance.json), as those for Python and Ruby write
 * it:
 *
 *   {"v1": [{"kind": "library", "name": "requests", "version": "2.31.0", "paths": ["/app/lib/requests", …]}, …]}
 *
 * A bare list is read, too. The kind is `library` or `standard library`.
 */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { CodeLibrary } from "../core/answers/library-paths.ts";

const FILE = "code-provenance.json";
/** Longer files are not read. */
const LONGEST = 1 << 25;

export interface ReadLibraries {
  libraries: CodeLibrary[];
  /** Why some or all of them are missing; null if all were read. */
  problem: string | null;
}

/** Whether a file of an upload is named as the list of libraries is. */
export function isLibraries(name: string): boolean {
  return name.slice(name.lastIndexOf("/") + 1) === FILE;
}

export async function readLibraries(source: ByteSource): Promise<ReadLibraries> {
  const bytes = await source.slice(0, LONGEST + 1);
  if (bytes.length > LONGEST) return nothing(`it is longer than ${LONGEST >> 20} MiB`);
  return librariesIn(new TextDecoder().decode(bytes));
}

export function librariesIn(text: string): ReadLibraries {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return nothing(error instanceof Error ? error.message : String(error));
  }
  const list = isRecord(value) ? value.v1 : value;
  if (!Array.isArray(list)) return nothing('it has no list "v1"');
  const libraries = list.map(libraryOf).filter((library) => library !== null);
  const left = list.length - libraries.length;
  const problem = left === 0 ? null : `${FILE}: ${left} of ${list.length} libraries have no name or no list of paths`;
  return { libraries, problem };
}

function nothing(reason: string): ReadLibraries {
  return { libraries: [], problem: `${FILE} was not read: ${reason}` };
}

function libraryOf(value: unknown): CodeLibrary | null {
  if (!isRecord(value)) return null;
  const { kind, name, version, paths } = value;
  if (typeof name !== "string" || name === "" || !Array.isArray(paths)) return null;
  const text = (of: unknown) => (typeof of === "string" ? of : "");
  const known = paths.filter((path) => typeof path === "string");
  return { kind: text(kind), name, version: text(version), paths: known };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
