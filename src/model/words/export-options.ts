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
  /** For files, not for sent messages. */
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
      file: "compress the file",
      receiver: "compress the messages; the receiver must allow the content-encoding header",
    },
  },
  {
    option: "timestamps",
    key: "timestamps",
    id: "timestamps",
    label: "times",
    about: both("every sample with its timestamp; larger"),
  },
  {
    option: "normalise-names",
    key: "normaliseNames",
    id: "normalise-names",
    label: "names",
    about: both("normalise generated names, which differ from run to run"),
  },
  {
    option: "pretty",
    key: "pretty",
    id: "pretty",
    label: "indent",
    about: both("indented JSON over several lines"),
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
