/** Formats for people, made of a drawing's frames; those of src/core/tables/formats.ts are made of samples. */
import type { OutputRow } from "../../core/tables/formats.ts";
import type { OutputFormat } from "../../core/types.ts";

export type ShownFormat = "html" | "svg" | "png";

export interface ShownRow extends OutputRow<ShownFormat> {
  /** Needs a browser to be drawn. */
  pageOnly?: boolean;
}

export const SHOWN_FORMATS: ShownRow[] = [
  {
    name: "html",
    about: "a report with graph, filters and top functions that opens offline",
    mediaType: "text/html",
    endings: ["html"],
    options: ["root-by", "collapse", "truncated", "gzip"],
    single: true,
  },
  {
    name: "svg",
    about: "picture of the graph that scales, with tooltips on its frames",
    mediaType: "image/svg+xml",
    endings: ["svg"],
    options: ["root-by", "collapse", "truncated", "gzip", "dark"],
    single: true,
  },
  {
    name: "png",
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

/** The cards of the export dialog: formats by purpose, with their usual names. */
type Format = OutputFormat | ShownFormat;

interface FormatCard {
  title: string;
  about: string;
  formats: { name: Format; label: string }[];
}

export const FORMAT_CARDS: FormatCard[] = [
  {
    title: "OTLP profile",
    about: "For a Collector, a backend or Spanflame.",
    formats: [
      { name: "otlp", label: "Protobuf" },
      { name: "otlp-json", label: "JSON" },
    ],
  },
  {
    title: "Other tools",
    about: "To open in another profiler.",
    formats: [
      { name: "pprof", label: "pprof" },
      { name: "collapsed", label: "Collapsed stacks" },
      { name: "speedscope", label: "speedscope" },
      { name: "firefox", label: "Firefox Profiler" },
    ],
  },
  {
    title: "Report and picture",
    about: "To share with people.",
    formats: [
      { name: "html", label: "HTML report" },
      { name: "svg", label: "SVG" },
      { name: "png", label: "PNG" },
    ],
  },
];
