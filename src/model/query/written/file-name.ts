/** Names for downloads: the filters, readable in a folder full of them. */
import { FORMATS } from "../../../core/tables/formats.ts";
import type { Filter, OutputFormat } from "../../../core/types.ts";
import { SHOWN_FORMATS, type ShownFormat } from "../../words/shown-formats.ts";
import { filterChipsOf } from "../chips.ts";
import { filterRow } from "../filters.ts";

const PACKED = /\.(gz|gzip|zst|zstd|lz4|zip)$/i;
const LONGEST_PART = 60;

/** `recording.cpu.root-4657….pb`; `type` is null when all profiles go into the file. */
export function downloadName(
  files: string[],
  type: string | null,
  filter: Filter,
  format: OutputFormat | ShownFormat,
): string {
  const filtered = filterChipsOf(filter)
    .map((chip) => filterRow(chip.kind).fileName(chip))
    .filter((part) => part !== null);
  const parts = [
    baseName(filter.file === undefined ? files : [filter.file]),
    ...[type ?? "all", ...filtered].map(safe),
  ];
  const ending = [...FORMATS, ...SHOWN_FORMATS].find(({ name }) => name === format)?.endings[0] ?? format;
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
