/** Names for downloads: what was filtered, readable in a folder full of them. */
import { FORMATS } from "../../core/formats.ts";
import type { OutputFormat } from "../../core/types.ts";
import type { QueryState } from "../query/query.ts";
import { decimalId } from "./ids.ts";
import type { ShownFormat } from "./shown-formats.ts";

const PACKED = /\.(gz|gzip|zst|zstd|lz4|zip)$/i;
const LONGEST_PART = 60;

/** `recording.cpu.root-4657….pb`; `type` is null when all profiles go into the file. */
export function downloadName(
  files: string[],
  type: string | null,
  query: QueryState,
  format: OutputFormat | ShownFormat,
): string {
  const parts = [baseName(query.file === "" ? files : [query.file]), safe(type ?? "all")];
  for (const id of query.localRoots) parts.push(`root-${decimalId(id)}`);
  for (const id of query.spans) parts.push(`span-${id}`);
  for (const { key, value, exclude } of query.attributes) parts.push(safe(`${exclude ? "not-" : ""}${key}-${value}`));
  for (const { pattern, exclude } of query.frames) parts.push(safe(`${exclude ? "not-" : ""}${pattern}`));
  if (query.time !== null) parts.push(`time-${query.time.from}-${query.time.to}`);
  const ending = FORMATS.find(({ name }) => name === format)?.endings[0] ?? format;
  return `${parts.join(".").slice(0, 200)}.${ending}`;
}

function baseName(files: string[]): string {
  const last = (files[0] ?? "").split(/[\\/]/).at(-1) ?? "";
  const base = safe(last.replace(PACKED, "").replace(/\.jfr$/i, "")) || "recording";
  return files.length > 1 ? `${base}-and-${files.length - 1}-more` : base;
}

/** Letters and digits of any script, and what no file system objects to. */
function safe(text: string): string {
  return text
    .slice(0, 4 * LONGEST_PART)
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+|[.-]+$/g, "")
    .slice(0, LONGEST_PART);
}
