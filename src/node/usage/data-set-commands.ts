/** Rows of the table of commands: those that change a data set. */
import { answer, GENERAL, JSON_OPTION, RECORDINGS } from "./options.ts";
import type { CommandRow } from "./rows.ts";

export const DATA_SET_COMMANDS = {
  export: {
    about:
      "Writes the samples of many recordings and the calls of dumps into a data set of Parquet files (docs/parquet.md)",
    operands: { ...RECORDINGS, orOption: "trace" },
    examples: [
      { args: "export recordings/ --parquet fleet", about: "the recordings of a folder that are not in it yet" },
      { args: "export recordings/ --parquet fleet --since 1d --jobs 4", about: "those of the last day" },
      { args: "export --trace trace.json --parquet fleet", about: "a trace that came later than its recordings" },
    ],
    groups: [
      {
        title: "Data set",
        options: [
          {
            name: "parquet",
            value: "DIR",
            path: "folder",
            about: "the folder of the data set; created if it is missing",
          },
          { name: "service", value: "S", about: "service of recordings that state none" },
          {
            name: "resource",
            value: "KEY=VALUE",
            many: true,
            about: "set an attribute of all processes, such as service.version=1.4.2",
          },
          {
            name: "path-pattern",
            value: "P",
            about: "take what recordings do not state from their folders, such as {environment}/{service}/{host}",
          },
          {
            name: "since",
            value: "T",
            about: "only files changed since a time (2026-11-23) or within a duration (36h, 7d)",
          },
          { name: "watch", about: "also export files that appear later, until Ctrl+C" },
          { name: "no-compact", about: "with --watch: keep the parts as they are, and do not merge many of a date" },
          { name: "keep", value: "D", about: "only files of this age, such as 30d; older rows are removed from DIR" },
          {
            name: "status",
            value: "FILE",
            path: "file",
            isOutput: true,
            about: "with --watch: counts and lag, as JSON, after each look",
          },
          { name: "trace", value: "FILE", many: true, path: "file", about: "also write the spans of this trace file" },
          { name: "spans", about: "also write the spans that the recordings know" },
          { name: "jobs", value: "N", about: "use N threads (default by the sizes of inputs)" },
          JSON_OPTION,
        ],
      },
      GENERAL,
    ],
    notes: [
      "A recording, trace file or run of a dump is recognised by its content and written once. Several exports may write to a data set at a time. If one " +
        "is killed, the next one completes or removes its work.",
    ],
  },
  compact: {
    about: "Merges the parts of each date of a data set (docs/parquet.md)",
    operands: { value: "DIR", count: "one", path: "file" },
    examples: [
      { args: "compact fleet", about: "all dates" },
      { args: "compact fleet --date 2026-11-23", about: "one date" },
      { args: "compact fleet --index", about: "for links to traces (#lake=)" },
    ],
    groups: [
      answer(
        { name: "date", value: "D", about: "merge the parts of this date only, such as 2026-11-23" },
        { name: "index", about: "write an index of ids for each date, so that a link to a trace needs few requests" },
        JSON_OPTION,
      ),
      GENERAL,
    ],
  },
  remove: {
    about: "Removes recordings from a data set, whole or not at all (docs/parquet.md)",
    operands: { value: "DIR", count: "one", path: "file" },
    examples: [
      { args: "remove fleet --older-than 30d", about: "all that is older than 30 days" },
      { args: "remove fleet --recording checkout.jfr", about: "a recording, by its name or SHA-256" },
    ],
    groups: [
      {
        title: "What is removed: rows of which all of these are true",
        options: [
          { name: "recording", value: "R", about: "of the recording of this name or SHA-256 (8 digits or more)" },
          { name: "service", value: "S", about: "of this service" },
          { name: "before", value: "T", about: "from before a time, such as 2026-11-23" },
          { name: "older-than", value: "D", about: "older than a duration, such as 30d" },
          { name: "registered", about: "of parts whose rows a catalogue has (examples/iceberg)" },
        ],
      },
      answer(JSON_OPTION),
      GENERAL,
    ],
  },
  verify: {
    about: "Reads all of a data set, and names the files that are damaged (docs/parquet.md)",
    operands: { value: "DIR", count: "one", path: "file" },
    examples: [{ args: "verify fleet", about: "checksums of all pages, and rows that refer to others" }],
    groups: [answer(JSON_OPTION), GENERAL],
  },
} as const satisfies Record<string, CommandRow>;
