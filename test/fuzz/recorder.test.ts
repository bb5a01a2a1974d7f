/**
 * The fuzzer of the recorder (docs/fuzzing.md): programs of several threads and processes, names of files that are
 * hard to keep apart, among files of earlier runs, and receivers that answer anything. The program keeps its exit code
 * and its own output, and ends; every part has a file of its own; nothing is printed raw.
 */
import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { visible } from "../../src/model/words/text.ts";
import { pathOf } from "../../src/record/options.ts";
import { buildOnce, ROOT } from "../kit/build-once.ts";
import { type Answer, answer, garbled, reset, serve, silence, stall } from "../kit/http/server.ts";
import { openRecording } from "../kit/open-recording.ts";
import { Random } from "../kit/random.ts";
import { type FuzzCase, fuzz } from "./runner.ts";

const RECORD = pathToFileURL(join(ROOT, "dist-lib", "record.js")).href;
/** A program that takes longer hangs. */
const MOST_MS = 50_000;

/** It prints how many parts each thread has made. Of a preloaded recorder, the end makes the last one. */
const PROGRAM = `
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
const { flush, start, stop } = await import(process.env.RECORDER);
const { files, flushes, threads, children, end, isPushed } = JSON.parse(process.env.PLAN);
for (const file of files ?? [null]) {
  if (file !== null) await start({ file, hz: 1000 });
  for (let i = 0; i < flushes; i++) await (isPushed ? void flush() : flush());
  if (file !== null) await stop();
}
const isFirst = isMainThread && process.argv[2] !== "child";
if (isFirst) await Promise.all(Array.from({ length: threads }, () => once(new Worker(process.argv[1]), "exit")));
for (let i = 0; isFirst && i < children; i++)
  spawnSync(process.execPath, [...process.execArgv, process.argv[1], "child"], { stdio: "inherit" });
writeSync(1, \`\${(flushes + 1) * (files ?? [null]).length}\\n\`);
if (isFirst) writeSync(2, "own words\\n");
if (isFirst && end === "exit") process.exit(7);
if (isFirst && end === "error") throw new Error("own error");
if (isFirst && end === "signal") {
  process.kill(process.pid, "SIGTERM");
  setInterval(() => {}, 1000);
}
`;
const ENDS = { none: 0, exit: 7, error: 1, signal: "SIGTERM" };

const PIECES = ["%p", "%t", "%n", "%p", "%t", "%n", "1", "12", "-", "-t1", "-2", ".", "a", "é", "%", " ", "./", "sub/"];
/** Some of them cannot be written. */
const RARE = ["no/", "sub/", "\u001b[31m", "\u202e", "x".repeat(250), "../case/", "\n"];

interface RecorderCase extends FuzzCase {
  /** Of calls of `start`; null: of the environment. */
  files: string[] | null;
  file: string | null;
  plan: { flushes: number; threads: number; children: number; end: keyof typeof ENDS; isPushed: boolean };
  /** What is there before: a file, a link to a name, or a folder. */
  before: { path: string; is: "file" | "link" | "folder" }[];
  answers: Answer[];
  /** Whether all files can be written. */
  isSound: boolean;
}

function templateOf(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(5) }, () => random.pick(random.one(40) ? RARE : PIECES));
  return pieces.join("") + random.pick(["", ".pb", ".pb", "a"]);
}

/** Whether files of the template can be written: only one folder is there. */
function isName(template: string): boolean {
  const name = template.replace(/^(\.\/)*(sub\/(\.\/)*)?/, "");
  return !name.includes("/") && name.length < 200 && /[^.]/.test(name);
}

/** A name that another template gives. */
function nameOf(random: Random, template: string): string {
  return pathOf(template, {
    pid: random.below(100_000),
    thread: random.below(3),
    part: 1 + random.below(4),
    isChild: random.one(2),
  });
}

const TEXTS = [
  ...["", "{", "full", "\u001b[2J\u0007full\r\nnow", "\u202e\u0085\u2028", "x".repeat(100_000), "\u0000\u00ff"],
  JSON.stringify({ partialSuccess: { rejectedProfiles: "1", errorMessage: "\u001b]0;title\u0007\n\u009b1m" } }),
  JSON.stringify({ code: 3, message: "\u001b[31mred\u007f" }),
];
const STATUSES = [200, 202, 204, 301, 302, 303, 307, 308, 400, 401, 404, 408, 413, 429, 500, 502, 503, 504, 599, 999];
const HEADERS: [name: string, values: string[]][] = [
  ["retry-after", ["0", "1", "99999999999", "-1", "soon", "Sun, 06 Nov 1994 08:49:37 GMT", ""]],
  ["location", ["/", "/other", "http://127.0.0.1:1/", "file:///etc/hostname", "//", "http://[", "\u00ff", ""]],
  ["content-type", ["application/json", "application/x-protobuf", "text/html; charset=utf-16", ""]],
  ["content-encoding", ["gzip", "br", "zstd", "other", ""]],
  ["content-length", ["1", "99999999"]],
];
/** Not in the words of http. */
const RAW = [
  "garbage\r\n\r\n",
  "HTTP/1.1 500 \u001b[2Jred\r\n\r\n\u001b[2J",
  "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab",
  "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  "HTTP/1.1 103 Early\r\n\r\n".repeat(50),
  `HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`,
  "HTTP/1.1 429 Late\r\nretry-after: \u001b[1m\r\n\r\n",
];

/** A body that never ends, of pieces with pauses. */
function endless(piece: string, ms: number): Answer {
  return (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = setInterval(() => response.write(piece), ms);
    response.on("close", () => clearInterval(more));
  };
}

function answerOf(random: Random): [string, Answer] {
  // A part may wait half a minute for receivers that hang.
  const shape = random.one(3) ? random.below(5) : 5;
  if (shape === 0) return ["reset", reset];
  if (shape === 1) return random.one(2) ? ["silence", silence] : ["stall", stall];
  if (shape === 2) return ["garbled", garbled];
  if (shape === 3) {
    const [piece, ms] = [random.pick([" ", "x".repeat(1 << 16)]), random.pick([1, 50, 500])];
    return [`endless ${piece.length} ${ms}`, endless(piece, ms)];
  }
  if (shape === 4) {
    const raw = random.pick(RAW);
    return [`raw ${JSON.stringify(raw.slice(0, 60))}`, (response) => void response.socket?.end(raw, "latin1")];
  }
  const headers = Object.fromEntries(
    HEADERS.flatMap(([name, values]) => (random.one(3) ? [[name, random.pick(values)]] : [])),
  );
  const [status, text] = [random.pick(STATUSES), random.pick(TEXTS)];
  return [`${status} ${JSON.stringify(headers)} ${JSON.stringify(text.slice(0, 60))}`, answer(status, text, headers)];
}

function make(seed: number, index: number): RecorderCase {
  const random = new Random(seed, index);
  const isPushed = random.one(4);
  const isCalled = !isPushed && random.one(2);
  const first = templateOf(random);
  const templates = [first];
  while (isCalled && random.one(2))
    templates.push(random.pick([first, `./${first}`, nameOf(random, first), templateOf(random)]));
  const before: RecorderCase["before"] = [];
  while (!random.one(3))
    before.push({ path: nameOf(random, random.pick(templates)), is: random.pick(["file", "link", "file", "folder"]) });
  const answers = isPushed ? Array.from({ length: 1 + random.below(5) }, () => answerOf(random)) : [];
  const plan: RecorderCase["plan"] = {
    flushes: random.below(isPushed ? 8 : 13),
    threads: random.below(isPushed ? 2 : 4),
    children: isPushed || !random.one(3) ? 0 : 1 + random.below(2),
    end: random.pick(Object.keys(ENDS) as (keyof typeof ENDS)[]),
    isPushed,
  };
  return {
    inputs: [],
    said: [JSON.stringify({ templates, isCalled, plan, before }), ...answers.map(([words]) => words)],
    files: isCalled ? templates : null,
    file: isPushed && random.one(2) ? null : first,
    plan,
    before,
    answers: answers.map(([, each]) => each),
    isSound: !before.some(({ is }) => is === "folder") && templates.every(isName),
  };
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  killed: boolean;
  out: string;
  err: string;
}

function run(cwd: string, args: string[], env: Record<string, string>): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd, env, timeout: MOST_MS, killSignal: "SIGKILL" as const, maxBuffer: 1 << 26 };
    const child = execFile(process.execPath, args, options, (_, out, err) =>
      resolve({ code: child.exitCode, signal: child.signalCode, killed: child.killed, out, err }),
    );
  });
}

const OLD = "of an earlier run";
const seen = { parts: 0, programs: 0, warned: 0 };

/** Files with other bytes than those of before. */
function writtenIn(folder: string): Buffer[] {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  const files = [...new Set(paths.map((path) => realpathSync(path)))].map((path) => readFileSync(path));
  return files.filter((bytes) => bytes.toString() !== OLD);
}

function prepare(folder: string, before: RecorderCase["before"]): void {
  mkdirSync(join(folder, "sub"), { recursive: true });
  for (const { path, is } of before) {
    const at = resolve(folder, path);
    try {
      if (is === "folder") mkdirSync(at);
      else if (is === "link") symlinkSync(join(folder, "target"), at);
      else writeFileSync(at, OLD);
      utimesSync(at, 1, 1);
    } catch {
      // No name, one of a folder that is not there, or a link to no file.
    }
  }
}

async function check({ files, file, plan, before, answers, isSound }: RecorderCase): Promise<void> {
  const around = mkdtempSync(join(tmpdir(), "spanflame-recorder-"));
  const server = answers.length === 0 ? null : await serve(...answers);
  try {
    const folder = join(around, "case");
    prepare(folder, before);
    const program = join(around, "program.mjs");
    writeFileSync(program, PROGRAM);
    const env: Record<string, string> = {
      PATH: process.env.PATH ?? "",
      RECORDER: RECORD,
      PLAN: JSON.stringify({ files, ...plan }),
    };
    if (files === null && file !== null) env.SPANFLAME_RECORD_FILE = file;
    if (server !== null) env.SPANFLAME_RECORD_PUSH = server.url;
    const ended = await run(folder, [...(files === null ? ["--import", RECORD] : []), program], env);
    const fault = faultOf(ended, plan, isSound);
    if (fault !== null) throw new Error(`${fault}: ${JSON.stringify(ended)}`);
    const made = ended.out.split("\n").reduce((sum, line) => sum + Number(line), 0);
    const written = writtenIn(dirname(program)).filter((bytes) => bytes.toString() !== PROGRAM);
    const wanted = files === null && file === null ? 0 : made;
    if (isSound ? written.length !== wanted : written.length > wanted)
      throw new Error(`${written.length} files of ${wanted} parts: ${ended.err}`);
    for (const data of written) await openRecording({ name: "part", data });
    seen.programs++;
    seen.parts += written.length;
    if (/Warning/.test(ended.err)) seen.warned++;
  } finally {
    await server?.close();
    rmSync(around, { recursive: true });
  }
}

function faultOf({ code, signal, killed, out, err }: Ended, plan: RecorderCase["plan"], isSound: boolean) {
  if (killed) return "it does not end";
  if ((code ?? signal) !== ENDS[plan.end]) return "another exit code";
  if (!/^(\d+\n)+$/.test(out) || out.split("\n").length !== 2 + plan.threads + plan.children) return "another output";
  const lines = err.split("\n");
  if (lines.some((line) => visible(line) !== line)) return "signs that move a terminal";
  const own = (line: string) => /^(\(node:\d+\) \[SPANFLAME_RECORD\] Warning: |\(Use `node --trace-w|$)/.test(line);
  const others = lines.filter((line) => !own(line));
  if (others[0] !== "own words" || (plan.end !== "error" && others.length > 1)) return "other words";
  if (isSound && !plan.isPushed && plan.end !== "error" && err !== "own words\n") return "a warning without a reason";
  return null;
}

await buildOnce("library");
fuzz<RecorderCase>({
  of: "recorder",
  runsPrograms: true,
  cases: 8,
  fresh: 4,
  make,
  check,
  renew: async () => {},
  summary: () => `${seen.parts} parts of ${seen.programs} programs, ${seen.warned} of them warned`,
});
