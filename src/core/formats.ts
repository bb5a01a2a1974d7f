/** What can be written, as rows: the names that files have, and what a profile becomes in each. */
import type { OutputFormat } from "./types.ts";

export interface FormatRow {
  name: OutputFormat;
  /** A few words for a list to choose from. */
  about: string;
  mediaType: string;
  /** What file names end in, the usual one first. */
  endings: [usual: string, ...others: string[]];
  /** Read as gzip by everybody, so written as such. */
  packed?: boolean;
  /** Holds one profile only. */
  single?: boolean;
}

/** The first is the default. */
export const FORMATS: FormatRow[] = [
  { name: "otlp", about: "OTLP profiles, protobuf", mediaType: "application/x-protobuf", endings: ["pb"] },
  { name: "otlp-json", about: "OTLP profiles, JSON", mediaType: "application/json", endings: ["json", "jsonl"] },
];

export function formatRow(name: OutputFormat): FormatRow {
  return FORMATS.find((row) => row.name === name)!;
}
