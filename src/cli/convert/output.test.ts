/**
 * Outputs as processes: complete or absent, however the command ends; never over an input; full disks and closed pipes.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DEV_FULL, LINUX, need, POSIX } from "../../../test/kit/needs.ts";
import { repeatedFrames } from "../../../test/kit/otlp/otlp-input.ts";
import { buildCli, CLI, ROOT, runCli, startCli } from "../../../test/kit/run-cli.ts";
import { replacing } from "../../node/replacement.ts";
import { writeAll } from "../../node/write-all.ts";

const SHOP = join(ROOT, "fixtures", "shop.jfr");
const isRoot = process.getuid?.() === 0;
/** Of a file that is being written, or was left by a killed process. */
const TEMPORARY = /^\.spanflame-[0-9a-f]{16}\.tmp$/;

let folder: string;
beforeAll(() => buildCli(), 120_000);
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spanflame-output-"));
  return () => rm(folder, { recursive: true, force: true });
});
const path = (name: string) => join(folder, name);
const text = (name: string) => readFileSync(path(name), "utf8");

/** Runs a line of sh in which $SPANFLAME is the command, in the test's folder. */
function shell(line: string): { code: number; out: string; err: string } {
  const child = { SPANFLAME: `"${process.execPath}" "${CLI}"` };
  const script = line.replaceAll("$SPANFLAME", child.SPANFLAME);
  const err = path("stderr");
  const code = path("code");
  const out = execFileSync("sh", ["-c", `{ ${script}; } 2> "${err}"; echo $? > "${code}"`], { cwd: folder });
  const result = { code: Number(text("code")), out: out.toString(), err: text("stderr") };
  for (const file of [err, code]) execFileSync("rm", [file]);
  return result;
}

/** One line, of the command and not of Node. */
function expectOneLine(err: string, words: string): void {
  expect(err.trimEnd().split("\n")).toEqual([expect.stringContaining(words)]);
  expect(err).toMatch(/^spanflame: /);
}

async function ended(
  child: ChildProcess,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; err: string }> {
  let err = "";
  child.stderr?.on("data", (part) => {
    err += part;
  });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ code, signal, err })));
}

describe("an output file", () => {
  POSIX.it("stays as it was where the disk takes no more, and no temporary file is left", () => {
    writeFileSync(path("out.json"), "the former file");
    const { code, err } = shell(`ulimit -f 8; $SPANFLAME convert "${SHOP}" -o out.json --pretty`);
    expect(code).toBe(1);
    expectOneLine(err, "out.json: file too large (EFBIG)");
    expect(readdirSync(folder)).toEqual(["out.json"]);
    expect(text("out.json")).toBe("the former file");
    expect(shell(`ulimit -f 8; $SPANFLAME convert "${SHOP}" -o new.html --type cpu`).code).toBe(1);
    expect(readdirSync(folder)).toEqual(["out.json"]);
  });

  POSIX.it("of a data set is named where the disk takes no more", () => {
    const { code, err } = shell(`ulimit -f 8; $SPANFLAME export "${SHOP}" --parquet set`);
    expect(code).toBe(1);
    expectOneLine(err, "file too large (EFBIG)");
    expect(err).toContain("cannot write set/_spanflame/files/");
  });

  it.skipIf(POSIX.isMissing).each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    POSIX.title("stays as it was after %s, which ends the process"),
    async (signal) => {
      writeFileSync(path("in.json"), repeatedFrames(300, 1000, 1000));
      writeFileSync(path("out.collapsed.gz"), "the former file");
      const child = startCli(["convert", path("in.json"), "-o", path("out.collapsed.gz")]);
      const end = ended(child);
      // From here on the output is being written.
      while (child.exitCode === null && !readdirSync(folder).some((name) => TEMPORARY.test(name))) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      child.kill(signal);
      expect(await end).toEqual({ code: null, signal, err: "" });
      expect(readdirSync(folder).sort()).toEqual(["in.json", "out.collapsed.gz"]);
      expect(text("out.collapsed.gz")).toBe("the former file");
    },
    60_000,
  );

  it("stays as it was where writing fails, as it does when a recording to include became shorter", async () => {
    writeFileSync(path("out.pb"), "the former file");
    const write = replacing(async (files) => {
      writeAll(files.open(path("out.pb")).file, new Uint8Array(100), "out.pb");
      files.open(path("other.pb"));
      expect(readdirSync(folder).filter((name) => TEMPORARY.test(name))).toHaveLength(2);
      throw new Error("it changed while it was read");
    });
    await expect(write).rejects.toThrow("it changed");
    expect([readdirSync(folder), text("out.pb")]).toEqual([["out.pb"], "the former file"]);
    expect(process.listeners("SIGTERM").map(({ name }) => name)).not.toContain("onSignal");
  });

  POSIX.it("is replaced through a link, with its permissions; a hard link keeps the former file", async () => {
    writeFileSync(path("real.pb"), "the former file");
    chmodSync(path("real.pb"), 0o640);
    linkSync(path("real.pb"), path("hard.pb"));
    mkdirSync(path("sub"));
    symlinkSync("../real.pb", path("sub/link.pb"));
    symlinkSync("sub", path("way"));
    const { code } = await runCli(["convert", SHOP, "-o", path("way/link.pb")]);
    expect(code).toBe(0);
    expect(lstatSync(path("sub/link.pb")).isSymbolicLink()).toBe(true);
    expect(statSync(path("real.pb")).mode & 0o777).toBe(0o640);
    expect(statSync(path("real.pb")).size).toBeGreaterThan(1000);
    expect(text("hard.pb")).toBe("the former file");
    expect(readdirSync(path("sub"))).toEqual(["link.pb"]);
  });

  POSIX.it("is made where a link points though nothing is there, with the umask's permissions", () => {
    symlinkSync("new.pb", path("link.pb"));
    expect(shell(`umask 027; $SPANFLAME convert "${SHOP}" -o link.pb`).code).toBe(0);
    expect(lstatSync(path("new.pb")).isFile()).toBe(true);
    expect(statSync(path("new.pb")).mode & 0o777).toBe(0o640);
    symlinkSync("circle", path("circle"));
    const { code, err } = shell(`$SPANFLAME convert "${SHOP}" -o circle`);
    expect([code, err]).toEqual([1, expect.stringContaining("circle: ")]);
  });

  POSIX.it("is where the system finds it if its path goes up from a link to a folder", () => {
    mkdirSync(path("far/sub"), { recursive: true });
    symlinkSync("far/sub", path("way"));
    writeFileSync(path("far/out.3.pb"), readFileSync(SHOP));
    const { code, err } = shell("$SPANFLAME convert far/out.3.pb -o way/../out.pb --split-bytes 1");
    expect([code, err]).toEqual([2, expect.stringContaining("are the same file")]);
    symlinkSync("new.pb", path("far/link.pb"));
    expect(shell(`$SPANFLAME convert "${SHOP}" -o way/../link.pb`).code).toBe(0);
    expect(readdirSync(path("far")).sort()).toEqual(["link.pb", "new.pb", "out.3.pb", "sub"]);
    // The temporary file is in the folder of the output, which may be on another disk than the folder of a shorter
    // path.
    const spelled = `${folder}/way/../direct.pb`;
    return replacing((files) => {
      files.open(spelled);
      expect(readdirSync(path("far")).filter((name) => TEMPORARY.test(name))).toHaveLength(1);
    });
  });

  need(!POSIX.isMissing && !isRoot, "Windows, or the tests run as root").it(
    "that must not be written is not replaced",
    async () => {
      writeFileSync(path("out.pb"), "the former file");
      chmodSync(path("out.pb"), 0o440);
      const { code, err } = await runCli(["convert", SHOP, "-o", path("out.pb")]);
      expect([code, err]).toEqual([1, expect.stringContaining("EACCES")]);
      expect(text("out.pb")).toBe("the former file");
    },
  );

  POSIX.it("is written directly where it is a pipe or a device", async () => {
    const { code, out } = shell(`mkfifo pipe; cat pipe & $SPANFLAME convert "${SHOP}" -o pipe 2> /dev/null && wait`);
    const message = await runCli(["convert", SHOP, "-o", "-"]);
    expect([code, out]).toEqual([0, message.out.toString()]);
    expect(lstatSync(path("pipe")).isFIFO()).toBe(true);
    expect(shell(`$SPANFLAME convert "${SHOP}" -o /dev/null`).code).toBe(0);
    expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(shell(`$SPANFLAME convert "${SHOP}" -o /dev/stdout 2> /dev/null | cat`).out).toBe(out);
  });
});

need(existsSync("/dev/stdout"), "no /dev/stdout").it("/dev/stdout keeps what others write to the same file", () => {
  const command = `$SPANFLAME convert "${SHOP}" --type cpu --format collapsed -o /dev/stdout 2> stderr`;
  shell(`echo former > log; { echo before; ${command}; echo after; } >> log`);
  const lines = text("log").trimEnd().split("\n");
  expect([lines[0], lines[1], lines.at(-1)]).toEqual(["former", "before", "after"]);
  expect(lines.length).toBeGreaterThan(10);
});

describe("--split-bytes", () => {
  POSIX.it("writes all parts or no part", () => {
    const parts = ["out.pb", "out.2.pb", "out.3.pb", "out.4.pb"];
    for (const part of parts) writeFileSync(path(part), "the former file");
    // Of the four parts the first is the largest; a folder occupies the name of the last.
    expect(shell(`ulimit -f 8; $SPANFLAME convert "${SHOP}" -o out.pb --split-bytes 1`).code).toBe(1);
    for (const part of parts) expect(text(part)).toBe("the former file");
    execFileSync("rm", [path("out.4.pb")]);
    mkdirSync(path("out.4.pb"));
    const { code, err } = shell(`$SPANFLAME convert "${SHOP}" -o out.pb --split-bytes 1`);
    expect([code, err]).toEqual([1, expect.stringContaining("out.4.pb: ")]);
    for (const part of parts.slice(0, 3)) expect(text(part)).toBe("the former file");
    expect(readdirSync(folder).sort()).toEqual(parts.toSorted());
  });
});

describe("an output that is an input", () => {
  POSIX.it("is refused before anything is read, by every name that it has", async () => {
    copyFileSync(SHOP, path("in.jfr"));
    symlinkSync("in.jfr", path("link.jfr"));
    linkSync(path("in.jfr"), path("hard.jfr"));
    linkSync(path("in.jfr"), path("out.3.pb"));
    const refused = [
      "in.jfr -o in.jfr",
      "in.jfr -o ./in.jfr",
      "in.jfr -o link.jfr",
      "link.jfr -o hard.jfr",
      "missing.jfr in.jfr -o hard.jfr",
      "in.jfr -o hard.jfr --format svg --type cpu",
      "in.jfr -o out.pb --split-bytes 1",
      "- -o in.jfr < hard.jfr",
      "in.jfr -o - >> hard.jfr",
      "in.jfr -o /dev/stdout >> hard.jfr",
    ];
    for (const args of refused) {
      const { code, err } = shell(`$SPANFLAME convert ${args}`);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining("are the same file")]);
      expect(err).not.toContain("missing.jfr: ");
    }
    expect(readFileSync(path("in.jfr")).equals(readFileSync(SHOP))).toBe(true);
    expect(shell(`$SPANFLAME convert in.jfr -o other.pb --split-bytes 1`).code).toBe(0);
  });

  POSIX.it("is refused where options name the input", () => {
    mkdirSync(path("libraries/more"), { recursive: true });
    mkdirSync(path("out"));
    const library = readFileSync(join(ROOT, "fixtures/elf/gcc-o3.so"));
    writeFileSync(path("libraries/more/lib.so"), library);
    writeFileSync(path("libraries/notes.pb"), "no library");
    writeFileSync(path("trace.json"), "[]");
    linkSync(path("trace.json"), path("out/shop.pb"));
    symlinkSync("libraries/more/lib.so", path("link.so"));
    const refused = [
      "--trace trace.json -o trace.json",
      "--trace missing.json --trace trace.json -o out/shop.pb",
      "--trace trace.json --out-dir out",
      "--symbols libraries/more/lib.so -o link.so --format otlp",
      "--symbols libraries -o libraries/more/lib.so --format otlp",
      "--events events.json -o events.json",
    ];
    writeFileSync(path("events.json"), "[]");
    for (const args of refused) {
      const { code, err } = shell(`$SPANFLAME convert "${SHOP}" ${args}`);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining("are the same file")]);
    }
    expect(readFileSync(path("libraries/more/lib.so")).equals(library)).toBe(true);
    expect(text("trace.json")).toBe("[]");
    expect(shell(`$SPANFLAME convert "${SHOP}" --symbols libraries -o libraries/notes.pb`).code).toBe(0);
  });

  POSIX.it("is refused for every command, in a folder of inputs, too", () => {
    mkdirSync(path("inbox/deep"), { recursive: true });
    copyFileSync(SHOP, path("inbox/deep/in.jfr"));
    linkSync(path("inbox/deep/in.jfr"), path("status.json"));
    writeFileSync(path("trace.json"), "[]");
    const refused = [
      "export inbox --parquet set --watch --status inbox/deep/in.jfr",
      "export inbox --parquet set --watch --status status.json",
      "export inbox --parquet set --watch --trace trace.json --status trace.json",
      "convert inbox -o status.json",
    ];
    for (const args of refused) {
      const { code, err } = shell(`$SPANFLAME ${args}`);
      expect([args, code, err]).toEqual([args, 2, expect.stringContaining("are the same file")]);
    }
    expect(existsSync(path("set"))).toBe(false);
    expect(readFileSync(path("status.json")).equals(readFileSync(SHOP))).toBe(true);
  });

  POSIX.it("or a file of elsewhere, through a link in the folder of outputs, stays as it is", () => {
    mkdirSync(path("out"));
    writeFileSync(path("precious"), "thesis");
    symlinkSync("../precious", path("out/shop.pb"));
    symlinkSync("../new", path("out/shop-chunks.pb"));
    const { code, err } = shell(
      `$SPANFLAME convert "${SHOP}" "${join(ROOT, "fixtures/shop-chunks.jfr")}" --out-dir out`,
    );
    expect([code, err]).toEqual([1, expect.stringContaining("shop.pb is a link")]);
    expect(text("precious")).toBe("thesis");
    expect(existsSync(path("new"))).toBe(false);
  });

  LINUX.it("and a name that is not UTF-8 is refused", () => {
    const { code, err } = shell(`$SPANFLAME convert "${SHOP}" -o "$(printf 'caf\\351.pb')"`);
    expect([code, err]).toEqual([2, expect.stringContaining("is not a name in UTF-8")]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("standard output", () => {
  DEV_FULL.it("that is full is one line and exit code 1", () => {
    const commands = [
      `info "${SHOP}"`,
      `info "${SHOP}" --json`,
      `top "${SHOP}" --type cpu`,
      `convert "${SHOP}" -o -`,
      `convert "${SHOP}" -o - --type cpu --format svg`,
      "--version",
    ];
    for (const args of commands) {
      const { code, err } = shell(`$SPANFLAME ${args} > /dev/full`);
      expect([args, code]).toEqual([args, 1]);
      expectOneLine(err, "standard output: no space left on device (ENOSPC)");
    }
    expect(shell(`$SPANFLAME info "${SHOP}" missing.jfr 2> /dev/full > /dev/null`).code).toBe(3);
  });

  it("that is closed by its reader makes convert fail with one line", async () => {
    writeFileSync(path("in.json"), repeatedFrames(20, 100, 1000));
    const child = startCli(["convert", path("in.json"), "-o", "-", "--format", "collapsed"]);
    const end = ended(child);
    child.stdout?.once("data", () => child.stdout?.destroy());
    const { code, err } = await end;
    expect(code).toBe(1);
    // Node gives its children sockets.
    expectOneLine(err.replace("connection reset by peer (ECONNRESET)", "broken pipe (EPIPE)"), "broken pipe (EPIPE)");
  });

  it("that is read slowly gets the whole output, which waits in the command", async () => {
    writeFileSync(path("in.json"), repeatedFrames(20, 100, 1000));
    const args = ["convert", path("in.json"), "-o", "-", "--format", "collapsed"];
    const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", "pipe", "pipe"] });
    const end = ended(child);
    let said = "";
    child.stderr.on("data", (part) => {
      said += part;
    });
    let bytes = 0;
    for await (const part of child.stdout) {
      // Nothing is reported as done while the pipe holds the command up.
      if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 300));
      if (bytes === 0) expect(said).toBe("");
      bytes += part.length;
    }
    expect((await end).code).toBe(0);
    await runCli(["convert", path("in.json"), "-o", path("out.collapsed.gz")]);
    expect(bytes).toBe(gunzipSync(readFileSync(path("out.collapsed.gz"))).length);
  });
});
