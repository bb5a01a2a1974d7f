/** Prints docs/diagnostics.md from the tables of codes: `npm run docs` writes it, this test compares it with them. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JSON_FAULTS } from "../otlp/transcode.ts";
import { HOST_DIAGNOSTICS } from "./diagnostics/host.ts";
import { WORDINGS } from "./diagnostics/words.ts";

/** A placeholder for the number of a message; no message contains it. */
const NUMBER = 7_654_321n;

const SECTIONS: [prefixes: string[], title: string, about: string][] = [
  [["core", "source"], "Any input", "Problems of a file as a whole, and of the core's memory."],
  [["gzip", "zstd", "lz4", "zip"], "Packed files and archives", "Whatever could be unpacked was read."],
  [["jfr"], "Recordings", "Other chunks of the recording are not affected, unless the message says so."],
  [["otlp"], "OTLP profiles", "Most of them count how often a fault came in a message, and describe the first one."],
  [["pprof"], "pprof", "Likewise, for a profile."],
  [["collapsed"], "Collapsed stacks", "Likewise, for a block of lines."],
  [
    ["cdt"],
    "Dumps of Cloud Profiler",
    "Sound streams and records are read. STREAM is the name of a stream, such as `calls`.",
  ],
  [["CODE"], "Counts", "A file has at most 1,000 diagnostics of one code in the list, and all files have 10,000."],
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
  ...[...WORDINGS.values()].map(({ code, severity, text }) => ({ code, severity, about: words(text(NUMBER, 1)) })),
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
    "A diagnostic is a problem of an input: a code, a severity, a message, and where known the file, the chunk and the byte",
    'offset. The page lists them in "About this recording", the command line prints errors and warnings on standard error,',
    "`info --json` has all of them, and so has the library. Codes are stable: a new minor version may add codes.",
    "",
    "An `error` means that data is lost or misread, a `warning` that something was repaired or is suspicious, an `info` that",
    "something is worth knowing. An intact recording has no error. Damage in bytes that were read does not change the exit",
    "code, unless `--strict` is given ([exit codes](cli.md#exit-codes)).",
    "",
    "N is a number of the message: a size, an offset, an id or a count.",
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
          return [...text.matchAll(/"((?:source|core|jfr|otlp|pprof|collapsed|zip|gzip|zstd|lz4)\.[a-z.-]+)"/g)];
        }),
    );
    expect(noted.length).toBeGreaterThan(15);
    expect(Object.keys(JSON_FAULTS).filter((code) => !known.has(`otlp.json.${code}`))).toEqual([]);
    expect(noted.map(([, code = ""]) => code).filter((code) => !known.has(code))).toEqual([]);
  });
});
