/** Prints docs/diagnostics.md from the tables of codes: `npm run docs` writes it, this test compares it with them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JSON_FAULTS } from "../otlp/transcode.ts";
import { SYMBOL_DIAGNOSTICS } from "../symbols/diagnostics.ts";
import { TRACE_FINDINGS } from "../traces/findings.ts";
import { HOST_DIAGNOSTICS } from "./diagnostics/host.ts";
import { WORDINGS } from "./inputs/words.ts";

/** A placeholder for the number of a message; no message contains it. */
const NUMBER = 7_654_321n;

const SECTIONS: [prefixes: string[], title: string, about: string][] = [
  [["core", "source"], "Any input", "Problems of a whole file, and of the core's memory."],
  [
    ["gzip", "zstd", "lz4", "zip", "multipart", "bundle"],
    "Compressed files and archives",
    "The data before the damage was read.",
  ],
  [["parquet"], "Data sets", "The page reads them by `#lake=`; `open` prints the same sentences on standard error."],
  [["jfr"], "Recordings", "Other chunks of the recording are not affected, unless the message says so."],
  [["otlp"], "OTLP profiles", "Most of them have the number of occurrences in a message, and describe the first one."],
  [["pprof"], "pprof", "Most of them have the number of occurrences in a profile, and describe the first one."],
  [["logs"], "OTLP logs", "The profiles of other log records were read."],
  [["other"], "Other profilers and viewers", "Files of speedscope, Firefox, V8 and perf. Other samples were read."],
  [
    ["collapsed"],
    "Collapsed stacks",
    "They have the number of occurrences in a block of lines, and describe the first one.",
  ],
  [
    ["cdt"],
    "Dumps of Cloud Profiler",
    "Intact streams and records are read. STREAM is the name of a stream, such as `calls`.",
  ],
  [
    ["symbols", "elf", "dwarf"],
    "Files of symbols",
    "Everything else of the file is used. `symbols` and `symbolize` list them in `diagnostics`.",
  ],
  [["trace"], "Trace files", "Files of `--trace`; standard error has the first 20 of each kind and file."],
  [["CODE"], "Counts", "The list has at most 1,000 diagnostics of one code for a file, and at most 10,000 in all."],
];

/** The words of a message, with N for its number. */
function words(text: string): string {
  return text
    .replaceAll(`0x${NUMBER.toString(16)}`, "N")
    .replaceAll(`${NUMBER}`, "N")
    .replace("the ?_table", "a table");
}

const rows = [
  ...HOST_DIAGNOSTICS,
  ...SYMBOL_DIAGNOSTICS,
  ...Object.entries(TRACE_FINDINGS).map(([code, row]) => ({ code, ...row })),
  ...Object.values(WORDINGS).map(({ code, severity, text }) => ({ code, severity, about: words(text(NUMBER, 1)) })),
];

function section([prefixes, title, about]: (typeof SECTIONS)[number]): string {
  const own = rows.filter(({ code }) => prefixes.includes(code.split(".")[0] ?? ""));
  return [
    `## ${title}`,
    "",
    about,
    "",
    "| code | severity | meaning |",
    "|---|---|---|",
    ...own.map((row) => `| \`${row.code}\` | ${row.severity} | ${row.about} |`),
    "",
  ].join("\n");
}

function document(): string {
  return [
    "# Diagnostics",
    "",
    "<!-- Printed from src/core/diagnostics by `npm run docs`: change the tables, not this file. -->",
    "",
    "A diagnostic describes a problem of an input. It has a code, a severity and a message; if they are known, also the file,",
    'the chunk and the byte offset. The page lists diagnostics in "About this recording". The command line prints errors and',
    "warnings on standard error. `info --json` and the library list all diagnostics. Codes are stable; minor versions may add",
    "codes ([versions](versions.md)).",
    "",
    "| severity | meaning |",
    "|---|---|",
    "| `error` | data is lost or misread. An intact recording has no error |",
    "| `warning` | data was repaired or is suspicious |",
    "| `info` | a fact that may explain an unexpected answer |",
    "",
    "Damage in bytes that were read does not change the exit code, unless you pass `--strict` ([exit codes](cli.md#exit-codes)).",
    "",
    "In the tables, N is a number of the message: a size, an offset, an id or a count.",
    "",
    ...SECTIONS.map(section),
  ].join("\n");
}

describe("docs/diagnostics.md", () => {
  it("agrees with the tables of codes", async () => {
    await expect(document()).toMatchFileSnapshot("../../docs/diagnostics.md");
  });

  it("has a section for every code, and each code once", () => {
    const codes = rows.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    const prefixes = SECTIONS.flatMap(([each]) => each);
    expect(codes.filter((code) => !prefixes.includes(code.split(".")[0] ?? ""))).toEqual([]);
  });

  it("has every code that a reader notes", () => {
    const known = new Set(rows.map(({ code }) => code));
    const noted = ["input", "otlp", "bytes"].flatMap((room) =>
      readdirSync(new URL(`../${room}/`, import.meta.url))
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .flatMap((name) => {
          const text = readFileSync(new URL(`../${room}/${name}`, import.meta.url), "utf8");
          return [
            ...text.matchAll(
              /"(?!source\.event\.)((?:source|core|jfr|otlp|pprof|logs|collapsed|zip|gzip|zstd|lz4|multipart|bundle)\.[a-z.-]+)"/g,
            ),
          ];
        }),
    );
    expect(noted.length).toBeGreaterThan(15);
    expect(Object.keys(JSON_FAULTS).filter((code) => !known.has(`otlp.json.${code}`))).toEqual([]);
    expect(noted.map(([, code = ""]) => code).filter((code) => !known.has(code))).toEqual([]);
  });
});
