/** The table of boxes in the export dialog: the options of the format tables that it offers, and their words. */
import type { OutputOption } from "../../core/formats.ts";
import type { OutputFormat } from "../../core/types.ts";

export interface DialogOption {
  option: OutputOption;
  /** What it changes of the choice. */
  key: "gzip" | "normaliseNames" | "timestamps" | "pretty" | "withRecordings";
  /** Hook for tests: `export-ID`. */
  id: string;
  label: string;
  about: Record<"file" | "receiver", string>;
  /** Of a file, not of what is sent. */
  fileOnly?: boolean;
  /** Where the dialog offers less than the command line. */
  only?: OutputFormat;
}

const both = (about: string) => ({ file: about, receiver: about });

export const DIALOG_OPTIONS: readonly DialogOption[] = [
  {
    option: "gzip",
    key: "gzip",
    id: "gzip",
    label: "gzip",
    about: {
      file: "packs the file",
      receiver: "packs what is sent; the receiver has to allow the header content-encoding",
    },
  },
  {
    option: "timestamps",
    key: "timestamps",
    id: "timestamps",
    label: "times",
    about: both("a sample for each observation, with its time; larger"),
  },
  {
    option: "normalise-names",
    key: "normaliseNames",
    id: "normalise-names",
    label: "names",
    about: both("generated names without what differs from run to run"),
  },
  {
    option: "pretty",
    key: "pretty",
    id: "pretty",
    label: "indent",
    about: both("JSON over many lines, for people"),
    fileOnly: true,
    // The JSON of viewers is not read by people.
    only: "otlp-json",
  },
  {
    option: "include-payload",
    key: "withRecordings",
    id: "recording",
    label: "recording",
    about: both("attach the original recording (unfiltered)"),
    fileOnly: true,
    only: "otlp",
  },
];
