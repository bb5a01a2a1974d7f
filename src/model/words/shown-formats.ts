/** Formats for people, made of a drawing's frames; those of src/core/tables/formats.ts are made of samples. */
import { FORMATS, type OutputRow } from "../../core/tables/formats.ts";
import type { OutputFormat } from "../../core/types.ts";

export type ShownFormat = "html" | "svg" | "png";

export interface ShownRow extends OutputRow<ShownFormat> {
  /** Needs a browser to be drawn. */
  pageOnly?: boolean;
}

export const SHOWN_FORMATS: ShownRow[] = [
  {
    name: "html",
    label: "HTML report",
    about: "a report of the selection with a graph for each profile that opens offline",
    mediaType: "text/html",
    endings: ["html"],
    options: ["root-by", "collapse", "truncated", "gzip"],
  },
  {
    name: "svg",
    label: "SVG",
    about: "picture of the graph that scales, with tooltips on its frames",
    mediaType: "image/svg+xml",
    endings: ["svg"],
    options: ["root-by", "collapse", "truncated", "gzip", "dark"],
    single: true,
  },
  {
    name: "png",
    label: "PNG",
    about: "picture of the graph for a chat or a slide",
    mediaType: "image/png",
    endings: ["png"],
    options: ["dark"],
    single: true,
    pageOnly: true,
  },
];

export function shownRow(name: string): ShownRow | undefined {
  return SHOWN_FORMATS.find((row) => row.name === name);
}

export function isShown(name: string): name is ShownFormat {
  return shownRow(name) !== undefined;
}

const isOtlp = ({ name }: OutputRow) => name.startsWith("otlp");

/** The cards of the export dialog: formats by purpose. */
export const FORMAT_CARDS: { title: string; about: string; formats: OutputRow<OutputFormat | ShownFormat>[] }[] = [
  { title: "OTLP profile", about: "For a Collector, a backend or Spanflame.", formats: FORMATS.filter(isOtlp) },
  { title: "Other tools", about: "To open in another profiler.", formats: FORMATS.filter((row) => !isOtlp(row)) },
  { title: "Report and picture", about: "To share with people.", formats: SHOWN_FORMATS },
];
