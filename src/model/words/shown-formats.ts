/** The table of formats for people, made of a drawing's frames; those of src/core/formats.ts are made of samples. */
import type { OutputRow } from "../../core/formats.ts";

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
