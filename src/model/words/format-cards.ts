/** The cards of the export dialog: formats by purpose, with their usual names. */
import type { ExportChoice } from "./export-choice.ts";

type Format = ExportChoice["format"];

export interface FormatCard {
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
