/**
 * Invocations as people type them, right and wrong: the exit code, the lines on standard error in full, and the
 * beginning of the answer. The command line guidelines (https://clig.dev) are the source of most expectations.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DEV_FULL, need } from "../../test/kit/needs.ts";
import { buildCli, CLI, callCli, ROOT, runCli } from "../../test/kit/run-cli.ts";
import { FORMATS } from "../core/tables/formats.ts";
import { SHOWN_FORMATS } from "../model/words/shown-formats.ts";

let cwd: string;
beforeAll(async () => {
  await buildCli();
  cwd = mkdtempSync(join(tmpdir(), "spanflame-invocations-"));
  copyFileSync(join(ROOT, "fixtures", "shop.jfr"), join(cwd, "shop.jfr"));
  copyFileSync(join(ROOT, "public", "sample.jfr"), join(cwd, "sample.jfr"));
  writeFileSync(join(cwd, "notes.txt"), "These are no samples.\n");
  mkdirSync(join(cwd, "empty"));
  writeFileSync(join(cwd, "events.json"), '{ "jdk.SocketWrite": { "type": "sent", "value": "bytesWritten" } }');
  writeFileSync(join(cwd, "wrong.json"), '{ "a.B": { "typ": "x" } }');
}, 120_000);
afterAll(() => rmSync(cwd, { recursive: true }));

const HAS = "the recording has cpu, wall, alloc-samples, lock-contention";
const CARRIES = "the samples carry operation, tenant, retries";
const USUAL = "--type cpu; the recording also has wall, alloc-samples, lock-contention";
const ROWS = [...FORMATS, ...SHOWN_FORMATS.filter(({ pageOnly }) => !pageOnly)];
const NAMES = ROWS.map(({ name }) => name).join(", ");
const ENDINGS = ROWS.flatMap(({ endings }) => endings.map((ending) => `.${ending}`)).join(", ");
const TOP = ["top", "shop.jfr", "--type", "cpu"];
const SPANS = ["spans", "shop.jfr", "--type", "cpu"];
const CONVERT = ["convert", "shop.jfr"];

/** Arguments, exit code, lines on standard error (one or none), beginning of standard output. */
type Row = [args: string[], code: number, err: string | RegExp, out?: string | RegExp];

const HELP: Row[] = [
  [["--help"], 0, "", /^Opens recordings in the viewer\. (.*\n)+\nExamples:\n {2}# .*\n {2}spanflame --sample\n/],
  [["-h"], 0, "", /\nCommands:\n {2}info /],
  [["help"], 0, "", /^Opens recordings in the viewer\. /],
  [
    ["help", "convert"],
    0,
    "",
    /^Writes the samples .*\n\nExamples:\n {2}# .*\n {2}spanflame convert recording\.jfr -o trace\.pb\n/,
  ],
  [["convert", "--help"], 0, "", /\nUsage: spanflame convert IN… \[options\]\n\nOutput:\n {2}-o, --output OUT /],
  [["top", "--help"], 0, "", /^Lists the functions with the most self time\.\n/],
  [["top", "nosuch.jfr", "--frobnicate", "-h"], 0, "", /^Lists the functions/],
  [["guide"], 0, "", /^Begin\n {2}What is in a file.*\n {4}spanflame info recording\.jfr\n/],
  [["schemas"], 0, "", /^calls\ncompact\n/],
  [["schemas", "top"], 0, "", /"title": "Answer of spanflame top --json"/],
  [["schemas", "tpo"], 2, /^schemas: "tpo" is not one of calls, .*; did you mean top\?$/, ""],
  [["help", "conver"], 2, 'there is no command "conver"; did you mean convert?', ""],
  [["--version"], 0, "", /^\d+\.\d+\.\d+\n$/],
  [["-V"], 0, "", /^\d+\.\d+\.\d+\n$/],
  [["-v"], 2, "unknown option -v; did you mean -V (--version)?", ""],
  [["completion", "bash"], 0, "", /^# Completion of spanflame for bash/],
  [["completion"], 2, "completion needs one of bash, zsh, fish: spanflame completion bash", ""],
  [["completion", "tcsh"], 2, 'completion: "tcsh" is not one of bash, zsh, fish', ""],
  [["completion", "fisch"], 2, 'completion: "fisch" is not one of bash, zsh, fish; did you mean fish?', ""],
];

const INFO: Row[] = [
  [["inof", "shop.jfr"], 2, '"inof" is no command and no file; did you mean info?', ""],
  [["-q", "inof", "shop.jfr"], 2, '"inof" is no command and no file; did you mean info?', ""],
  [["frobnicate"], 2, '"frobnicate" is no command and no file; spanflame help lists the commands', ""],
  [["convret", "shop.jfr", "-o", "x.pb"], 2, '"convret" is no command and no file; did you mean convert?', ""],
  [["shop.jfr", "--gzip"], 2, "unknown option --gzip; it is an option of convert, push", ""],
  [
    ["info", "shop.jfr", "--limit", "3"],
    2,
    "unknown option --limit of info; it is an option of spans, waits, events, trace, top, calls, pauses, dictionary, diff, gate, query",
    "",
  ],
  [["nosuch.jfr"], 1, "nosuch.jfr: there is no such file", ""],
  [["info", "empty"], 1, /^error: empty: the folder contains no recording: no file name ends in \.jfr, /, ""],
  [["info"], 2, "info needs a file: spanflame info recording.jfr", ""],
  [["info", "nosuch.jfr"], 1, "error: nosuch.jfr: there is no such file", ""],
  [["info", "shop.jfr", "nosuch.jfr", "-q"], 3, "error: nosuch.jfr: there is no such file", /^shop\.jfr: 128 KiB, /],
  [["info", "shop.jfr", "--jsn"], 2, "unknown option --jsn; did you mean --json?", ""],
  [["info", "shop.jfr", "--json"], 0, /^19 samples of lock-contention have no span id; --inferred/, /^\{/],
  [
    ["info", "notes.txt"],
    1,
    /^error: notes\.txt: the file is plain text, not a recording \(22 bytes/,
    /^notes\.txt: 22 B/,
  ],
  [["info", "-"], 1, "error: standard input: the file is empty, not a recording (offset 0)", /^standard input: 0 B/],
  [["info", "-", "-"], 2, "- can be given once", ""],
  [["info", "shop.jfr", "--quiet"], 0, "", /^shop\.jfr: /],
  [["-q", "info", "shop.jfr"], 0, "", /^shop\.jfr: /],
  [["info", "shop.jfr", "--verbose"], 2, "unknown option --verbose; spanflame help info lists the options", ""],
  [["info", "shop.jfr", "--color"], 2, "unknown option --color; spanflame help info lists the options", ""],
];

const ANSWERS: Row[] = [
  [["top", "shop.jfr"], 0, USUAL, /^total 198 samples\n/],
  [["top", "shop.jfr", "-q"], 0, "", /^total 198 samples\n/],
  [["spans", "shop.jfr"], 0, USUAL, / 0x|[0-9a-f]{16}/],
  [[...TOP, "--from", "1999-12-31"], 0, "--from is now --since", /^total 198 samples\n/],
  [[...TOP, "--since=soon"], 2, /^--since: "soon" is neither a duration such as 1d, 12h or 30m nor a time /, ""],
  [
    [...TOP, "--until", "2000-01-01"],
    0,
    /^no samples in this range of time; the recordings cover shop\.jfr, \S+Z to \S+Z$/,
    "total 0 samples\n",
  ],
  [[...TOP, "--endpoint", "GET /"], 0, 'no samples of the endpoint "GET /"; the samples carry no endpoint', /^total 0/],
  [
    ["top", "sample.jfr", "--type", "cpu", "--endpoint", "POST /chekout"],
    0,
    /^no samples of the endpoint "POST \/chekout"; there are POST \/.*; did you mean POST \/checkout\?$/,
    /^total 0/,
  ],
  [["top", "sample.jfr", "--type", "cpu", "--endpoint", "POST /checkout"], 0, "", /^total 391 samples\n/],
  [[...TOP, "--trace-id", "zz"], 2, /^--trace-id: "zz" is not an id: use decimal, 0x-hex, /, ""],
  [
    ["top", "shop.jfr", "--type", "cup"],
    2,
    /^--type: there is no profile type "cup"; the recording has cpu, .*; did you mean cpu\?$/,
    "",
  ],
  [["top", "shop.jfr", "--type", "native"], 0, `no samples of this type; ${HAS}`, "total 0 samples\n"],
  [[...TOP, "--limit", "3"], 0, "", /^total 198 samples\n(.*\n){3}$/],
  [[...TOP, "--limit", "abc"], 2, '--limit: "abc" is not a number', ""],
  [[...TOP, "--limit", "0"], 0, "", "total 198 samples\n"],
  [[...TOP, "--json"], 0, "", /^\{/],
  [[...TOP, "--type", "wall", "--limit", "0"], 0, "--type is given twice; the last one counts", /^total/],
  [
    ["calls", "shop.jfr"],
    0,
    "no input is a Cloud Profiler dump; spans lists the requests of a recording",
    "0 calls, 0 ns\n",
  ],
  [["symbolize", "0x12"], 2, "no file is named that may have the symbols: --symbols PATH, or --module FILE", ""],
  [
    ["symbolize", "--module", "abcd", "0x12"],
    1,
    "no file is named that may have the symbols: --symbols PATH, or --module FILE",
    "0x12: no file of this build id\n",
  ],
  [["compact", "nosuch"], 1, "nosuch: not a data set: no such folder", ""],
  [
    ["top", "sample.jfr", "--events", "events.json", "--type", "sent"],
    0,
    /^1 sample of sent has no span id; /,
    /^total 12 B\n/,
  ],
  [["top", "shop.jfr", "--events", "events.json", "--type", "sent"], 0, `no samples of this type; ${HAS}`, /^total 0/],
  [
    ["info", "sample.jfr", "--events", "events.json"],
    0,
    / have no span id; --inferred assigns /,
    /\nsent: 1 sample, 12 B, /,
  ],
  [["convert", "sample.jfr", "--events", "events.json", "--type", "sent", "--out-dir", "own", "-q"], 0, "", ""],
  [["top", "shop.jfr", "--events", "nosuch.json"], 2, "--events: nosuch.json: there is no such file", ""],
  [["top", "shop.jfr", "--events", "notes.txt"], 2, /^--events: notes\.txt: this is no JSON: /, ""],
  [["top", "shop.jfr", "--events", "wrong.json"], 2, /^--events: wrong\.json: events\.a\.B has no option "typ"; /, ""],
  [[...TOP, "--vlaue", "x"], 2, "unknown option --vlaue; did you mean --value?", ""],
  [
    [...TOP, "--value", "samplse"],
    2,
    '--value: "samplse" is not a measure of cpu; it has samples; did you mean samples?',
    "",
  ],
  [["spans", "sample.jfr", "--type", "cpu", "--by", "endpoint"], 0, "", / (GET|POST) \//],
  [[...SPANS, "--by", "endpoint"], 0, `no samples with the attribute "endpoint"; ${CARRIES}`, ""],
  [[...SPANS, "--by", "thread", "--limit", "1"], 0, "", /http-\d/],
  [[...SPANS, "--by", "endpiont"], 2, /^--by: "endpiont" is not one of .*; did you mean endpoint\?$/, ""],
  [[...SPANS, "--by", "attr:nosuch"], 0, `no samples with the attribute "nosuch"; ${CARRIES}`, ""],
  [
    [...SPANS, "--by", "attr:tennant"],
    0,
    `no samples with the attribute "tennant"; ${CARRIES}; did you mean tenant?`,
    "",
  ],
  [
    [...TOP, "--attr", "tennant=x"],
    0,
    /^no samples with the attribute "tennant"; .*did you mean tenant\?$/,
    /^total 0/,
  ],
  [
    [...TOP, "--local-root", "12"],
    0,
    "no samples with local root 12; spanflame spans shop.jfr --type cpu lists the ids",
    /^total 0/,
  ],
  [
    ["why", "shop.jfr", "--span", "12"],
    1,
    /^no samples with span 12; .* lists the ids; the recordings cover shop\.jfr, \S+Z to \S+Z, 10 requests; add a trace file, /,
    "",
  ],
  [[...TOP, "--local-root", "zz"], 2, /^--local-root: "zz" is not an id: use decimal, 0x-hex, /, ""],
  [[...TOP, "--attr", "tenant"], 2, '--attr: "tenant" is not KEY=VALUE', ""],
  [[...TOP, "--frame", "("], 2, "--frame: missing closing ): (", ""],
  // An engine that backtracks does not come to an end here.
  [[...TOP, "--frame", "(.*)*\\)x"], 0, "no samples", /^total 0/],
  [
    ["validate", "shop.jfr"],
    1,
    "",
    "error E25: this is a JFR recording, of which `convert` makes OTLP profiles\nnot valid\n",
  ],
  [["trace", "shop.jfr", "--trace", "nosuch.json"], 1, "error: nosuch.json: there is no such file", ""],
  [
    ["trace", "shop.jfr", "--trace", "0401983cebb6ce92"],
    1,
    "error: 0401983cebb6ce92: there is no such file; did you mean --trace-id 0401983cebb6ce92?",
    "",
  ],
  [["trace", "shop.jfr", "--span", "1", "--local-root", "2"], 2, "--local-root and --span exclude each other", ""],
  [["trace", "shop.jfr", "--trace-id", "nosuch"], 2, '--trace-id: "nosuch" is not an id', ""],
  [["trace", "shop.jfr", "--trace", "notes.txt"], 1, /^error: notes\.txt: this is no trace file of OTLP, Jaeger, /, ""],
  [["trace", "-", "--trace", "-"], 2, "--trace: standard input can only be read once", ""],
  [
    ["trace", "shop.jfr"],
    0,
    /^19 samples of lock-contention have no span id; /,
    /^shop\.jfr: clock of the trace .*\n(.*\n)*≥ 14\.5 ms +1\.89 ms +\* servlet\.request/,
  ],
  [["validate", "nosuch.pb"], 1, "nosuch.pb: there is no such file", ""],
  [["validate", "a.pb", "b.pb"], 2, 'validate takes one file; "b.pb" is one too many', ""],
];

const CONVERTING: Row[] = [
  [CONVERT, 2, "-o OUT is missing (- for standard output)", ""],
  [[...CONVERT, "-o"], 2, "-o: a value is missing: -o OUT", ""],
  [
    [...CONVERT, "-o", "--pretty"],
    2,
    "-o: a value is missing before --pretty; a value that is like an option is --output=--pretty",
    "",
  ],
  [[...CONVERT, "-o", "x.pb"], 0, /^128 KiB, 324 events → 322 observations in 108 samples of 4 profiles, .* ms$/, ""],
  [[...CONVERT, "-o", "x.pb", "--type", "cpu"], 0, / of 1 profile, /, ""],
  [["convert", "shop.jfr", "./shop.jfr", "-o", "two.pb"], 0, /^256 KiB, 324 events → 322 observations /, ""],
  [
    [...CONVERT, "-o", "x.pb", "-q", "--local-root", "12"],
    0,
    /^no samples with local root 12; spanflame spans shop\.jfr --type cpu lists the ids: the message has a profile without/,
    "",
  ],
  [[...CONVERT, "-o", "x.pb", "-q"], 0, "", ""],
  [[...CONVERT, "-o", "x.svg", "--type", "cpu", "-q"], 0, "", ""],
  [[...CONVERT, "-o", "x.unknown"], 2, `-o: no format ends in .unknown; use ${ENDINGS}, or name one with --format`, ""],
  [[...CONVERT, "-o", "x.parquet"], 2, `-o: no format ends in .parquet; use ${ENDINGS}, or name one with --format`, ""],
  [[...CONVERT, "-o", "x.jsno.gz"], 2, /^-o: no format ends in \.jsno; .*; did you mean \.json\?$/, ""],
  [[...CONVERT, "-o", "x", "--format", "xml"], 2, `--format: "xml" is not one of ${NAMES}`, ""],
  [[...CONVERT, "-o", "x", "--format", "ptlp"], 2, `--format: "ptlp" is not one of ${NAMES}; did you mean otlp?`, ""],
  [
    [...CONVERT, "-o", "x.pb", "--preset", "pyrosope"],
    2,
    '--preset: "pyrosope" is not one of default, otel, aggregated, pyroscope; did you mean pyroscope?',
    "",
  ],
  [["convert", "-", "-o", "-"], 1, "error: standard input: the file is empty, not a recording (offset 0)", ""],
  [[...CONVERT, "-o", "nosuch/x.pb"], 1, "cannot write nosuch/x.pb: there is no folder nosuch", ""],
  [[...CONVERT, "-o", "/"], 1, "cannot write /: it is a folder", ""],
  [[...CONVERT, "-o", "x.collapsed", "-q"], 0, "", ""],
  [[...CONVERT, "-o", "x.collapsed", "--type", "cpu"], 0, / of 1 profile, /, ""],
  [
    [...CONVERT, "-o", "shop.jfr", "--format", "otlp"],
    2,
    '-o: the output "shop.jfr" and the input "shop.jfr" are the same file; choose another output',
    "",
  ],
  [["push", "shop.jfr"], 2, "--to URL is missing, and OTEL_EXPORTER_OTLP_ENDPOINT is not set", ""],
  [["push", "shop.jfr", "--to", "http://127.0.0.1:1", "--type", "cpu"], 1, /^cpu, .*: not sent: bad port$/, ""],
  [["--port", "abc"], 2, '--port: "abc" is not a number', ""],
  [["--port", "70000"], 2, "--port: 70000 is more than 65535", ""],
  [["--frobnicate"], 2, "unknown option --frobnicate; spanflame help lists the options", ""],
];

describe.each([
  ["help and version", HELP],
  ["info and files", INFO],
  ["answers", ANSWERS],
  ["outputs", CONVERTING],
])("%s", (_, rows) => {
  it.each(rows)("spanflame %j", async (args, code, err, out) => {
    // Standard input has one end in a process.
    const ended = await (args.includes("-") ? runCli : callCli)(args, { cwd });
    const line = ended.err.replace(/^spanflame: /, "").replace(/\n$/, "");
    expect([ended.code, line]).toEqual([code, typeof err === "string" ? err : expect.stringMatching(err)]);
    expect(line).not.toContain("\n");
    const answer = ended.out.toString();
    if (typeof out === "string") expect(answer).toBe(out);
    else expect(answer).toMatch(out!);
    // Neither of them has colours, which NO_COLOR would turn off.
    expect(answer + ended.err).not.toContain("\u001b");
  });
});

it("the recording is unchanged after all of this", () => {
  expect(readFileSync(join(cwd, "shop.jfr")).equals(readFileSync(join(ROOT, "fixtures", "shop.jfr")))).toBe(true);
});

DEV_FULL.it("a full device is one line", async () => {
  const line = (command: string) => {
    const script = `"${process.execPath}" "${CLI}" ${command} 2>&1 >/dev/full; echo $?`;
    return execFileSync("sh", ["-c", script], { cwd, encoding: "utf8" });
  };
  const full = "no space left on device (ENOSPC)";
  expect(line("info shop.jfr")).toBe(`spanflame: cannot write standard output: ${full}\n1\n`);
  expect(line("convert shop.jfr -o /dev/full")).toBe(`spanflame: cannot write /dev/full: ${full}\n1\n`);
});

/** `script` gives a command a terminal; its options are those of util-linux. */
const HAS_TERMINAL = (() => {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
})();

need(HAS_TERMINAL, "no script of util-linux").describe("a terminal", () => {
  const onTerminal = (args: string) => {
    const command = `"${process.execPath}" "${CLI}" ${args}`;
    return execFileSync("script", ["-qec", `${command}; echo "code $?"`, "/dev/null"], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    }).toString("latin1");
  };

  it("gets no binary output without --force", () => {
    const refusal = "spanflame: -o -: binary output is not written to a terminal; redirect it, or add --force";
    expect(onTerminal("convert shop.jfr -o -")).toBe(`${refusal}\r\ncode 2\r\n`);
    expect(onTerminal("convert shop.jfr -o - --format pprof")).toContain("code 2");
    const forced = onTerminal("convert shop.jfr -o - --force -q");
    expect([forced.length > 5000, forced.includes("code 0")]).toEqual([true, true]);
  });

  it("gets heads of columns, and the time that samples represent", () => {
    const lines = (args: string) => onTerminal(`${args} -q`).split("\r\n");
    expect(lines("top sample.jfr --type cpu --limit 1").slice(0, 3)).toEqual([
      "total 899 samples, â\u0089\u0088 4.5 s",
      "      self      time  share       total      time  function",
      expect.stringMatching(
        /^39 samples {2}.* 195 ms {2}4\.3 % {2}78 samples {2}.* 390 ms {2}java\.util\.regex\.Pattern\$SliceI\.match$/,
      ),
    ]);
    expect(lines("spans sample.jfr --type cpu --limit 1")[0]).toMatch(
      /^ +value +time {2}samples +duration +start +endpoint {2}local root \(hex, decimal\)$/,
    );
    expect(lines("spans sample.jfr --type alloc-samples --by endpoint")[0]).toMatch(
      /^ +value {2}samples +requests +each {2}trace endpoint$/,
    );
    expect(lines("top shop.jfr --type cpu --until 2000-01-01").at(-3)).toBe("total 0 samples");
  });

  it("gets text", () => {
    expect(onTerminal("convert shop.jfr -o - --format collapsed --type cpu")).toContain("code 0");
  });
});
