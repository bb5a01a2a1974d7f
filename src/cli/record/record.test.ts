/** Recordings of a real JVM that runs on this machine; what a process that is none is told. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildCli, CLI, runCli } from "../../../test/kit/run-cli.ts";

const PROGRAM = `public class Spin {
  public static void main(String[] args) throws Exception {
    System.out.println("ready");
    double sum = 0;
    for (long i = 0; System.in.available() == 0; i++) for (int k = 0; k < 100_000; k++) sum += Math.sqrt(i + k);
    System.out.println(sum);
  }
}`;

function hasJdk(): boolean {
  try {
    execFileSync("jcmd", ["-h"], { stdio: "ignore" });
    return process.platform !== "win32";
  } catch {
    return false;
  }
}

let folder: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-record-test-"));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const record = (...args: string[]) => runCli(["record", ...args], { cwd: folder });

describe.skipIf(!hasJdk())("a JVM of this machine", () => {
  let java: ChildProcess;
  beforeAll(async () => {
    writeFileSync(join(folder, "Spin.java"), PROGRAM);
    java = spawn("java", [join(folder, "Spin.java")], { stdio: ["pipe", "pipe", "ignore"], cwd: "/" });
    await once(java.stdout!, "data");
  }, 60_000);
  afterAll(() => void java.stdin!.end("\n"));

  it("is recorded into the file that was asked for, and nothing else is left", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("spanflame-record-"));
    const { code, err } = await record(String(java.pid), "--with", "jfr", "--for", "2s", "-o", "own.jfr", "--no-open");
    expect([code, err]).toEqual([0, expect.stringMatching(/records process \d+ for 2 s.*\n.* by jfr: own\.jfr\n$/)]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith("spanflame-record-"))).toEqual(before);
    const { profiles } = JSON.parse((await runCli(["info", "own.jfr", "--json"], { cwd: folder })).out.toString());
    expect(profiles.find(({ type }: { type: string }) => type === "cpu").samples).toBeGreaterThan(0);
    const left = execFileSync("jcmd", [String(java.pid), "JFR.check"]).toString();
    expect(left).toMatch(/No available recordings/);
  }, 60_000);

  it("gives what was recorded up to Ctrl+C", async () => {
    const args = ["record", String(java.pid), "--with", "jfr", "--for", "10m", "-o", "early.jfr", "--no-open"];
    const own = spawn(process.execPath, [CLI, ...args], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    await once(own.stderr, "data");
    own.kill("SIGINT");
    expect(await once(own, "exit")).toEqual([0, null]);
    expect(statSync(join(folder, "early.jfr")).size).toBeGreaterThan(1000);
  }, 60_000);
});

describe("what cannot be recorded", () => {
  it.each([
    [["abc"], 2, /"abc" is no process id; jps lists JVMs/],
    [["1234", "--for", "soon"], 2, /--for: "soon" is no time such as 30s/],
    [["1234", "--for", "25000m"], 2, /of at most 24 hours/],
  ])("is wrong usage: %j", async (args, code, words) => {
    const found = await record(...args);
    expect([found.code, found.err]).toEqual([code, expect.stringMatching(words)]);
  });

  it.skipIf(!hasJdk())("is a process that is no JVM, which goes on, or that does not exist", async () => {
    const other = spawn(process.execPath, ["-e", "process.stdin.on('end', () => process.exit(7)).resume()"]);
    const found = await record(String(other.pid), "--with", "jfr");
    expect([found.code, found.err]).toEqual([
      1,
      expect.stringMatching(/is no JVM; for Node, start it with node --import/),
    ]);
    other.stdin.end();
    expect(await once(other, "exit")).toEqual([7, null]);
    expect((await record(String(other.pid), "--with", "jfr")).err).toMatch(/there is no process/);
  });

  it("is a JVM without a recorder", async () => {
    const env = { PATH: folder, JAVA_HOME: folder };
    const found = await runCli(["record", String(process.pid)], { cwd: folder, env });
    expect([found.code, found.err]).toEqual([1, expect.stringMatching(/there is no jcmd .*: install a JDK/)]);
    expect(existsSync(join(folder, "recording.jfr"))).toBe(false);
  });
});
