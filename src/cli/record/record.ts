/**
 * `spanflame record PID`: records a running JVM with async-profiler or JDK Flight Recorder, and opens the recording.
 * The JVM writes it into a new folder of this process, under a name that it does not choose.
 */
import { execFile } from "node:child_process";
import { accessSync, constants, createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { formatBytes } from "../../model/words/format.ts";
import { Folder } from "../../node/disk.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { replacing, type Target } from "../../node/replacement.ts";
import { systemWords } from "../../node/system-error.ts";
import { note, progress } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { writeAll } from "../../node/write-all.ts";
import type { serve as Serve } from "../serve/serve.ts";

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 24 * 3600;
const FILE = "recording.jfr";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** JFR.start takes settings of events since JDK 17. */
const FIRST_WITH_EVENTS = 17;
const FIRST_WITH_CPU_TIME = 25;

export async function record({ inputs, values }: CallOf<"record">, serve: typeof Serve): Promise<ExitCode> {
  const pid = pidOf(inputs[0]!);
  const seconds = secondsOf(values.for);
  const asprof = programIn("asprof");
  const recorder = values.with ?? (asprof === null ? "jfr" : "async-profiler");
  const jcmd = programIn("jcmd");
  if (recorder === "async-profiler" && asprof === null) throw new Error("there is no asprof on the PATH");
  if (recorder === "jfr" && jcmd === null)
    throw new Error("there is no jcmd on the PATH or in JAVA_HOME/bin: install a JDK, or async-profiler (asprof)");
  await checkProcess(pid, jcmd);
  const folder = Folder.temporary("spanflame-record-");
  try {
    const file = folder.at(FILE);
    const record = recorder === "jfr" ? byJcmd(jcmd!) : byAsprof(asprof!);
    await untilSignal((early) => record(pid, file, () => wait(pid, seconds, recorder, early)));
    if (!existsSync(file)) {
      throw new Error(`process ${pid} wrote no recording to ${file}: does it run in a container with other files?`);
    }
    const { output } = values;
    if (output !== undefined) await replacing((files) => copy(file, files.open(output)));
    const size = formatBytes(statSync(file).size);
    note(`${size} of process ${pid} by ${recorder}${output === undefined ? "" : `: ${output}`}`);
    if (output !== undefined && values["no-open"]) return ExitCode.Done;
    return await serve({ inputs: [output ?? file], values: { port: values.port, "no-open": values["no-open"] } });
  } finally {
    folder.removeAll();
  }
}

async function copy(from: string, { name, file, close }: Target): Promise<void> {
  for await (const bytes of createReadStream(from)) writeAll(file, bytes as Uint8Array, name);
  close();
}

function pidOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${JSON.stringify(text)} is no process id; jps lists JVMs`);
  return Number(text);
}

function secondsOf(text = `${DEFAULT_SECONDS}s`): number {
  const [, number = "", unit] = /^(\d{1,6})(s|m)?$/.exec(text) ?? [];
  const seconds = Number(number) * (unit === "m" ? 60 : 1);
  if (seconds < 1 || seconds > MOST_SECONDS)
    throw new UsageError(`--for: ${JSON.stringify(text)} is no time such as 30s or 2m, of at most 24 hours`);
  return seconds;
}

/** The path of a program: on the PATH, or of the JDK that JAVA_HOME names. */
function programIn(name: string): string | null {
  const { PATH = "", JAVA_HOME } = process.env;
  const folders = [...PATH.split(delimiter), ...(JAVA_HOME === undefined ? [] : [join(JAVA_HOME, "bin")])];
  const names = process.platform === "win32" ? [`${name}.exe`] : [name];
  const paths = folders.filter((each) => each !== "").flatMap((each) => names.map((own) => join(each, own)));
  return paths.find((path) => isProgram(path)) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Throws unless the process is a JVM of this user. A process that is none would end by the signal that attaches. */
async function checkProcess(pid: number, jcmd: string | null): Promise<void> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPERM") throw new Error(`process ${pid} is of another user: run spanflame as that user`);
    throw new Error(code === "ESRCH" ? `there is no process ${pid}` : systemWords(error));
  }
  const own = process.geteuid?.();
  const stats = statSync(`/proc/${pid}`, { throwIfNoEntry: false });
  if (stats !== undefined && stats.uid !== own)
    throw new Error(`process ${pid} is of another user: run spanflame as that user`);
  if (hasJvm(pid)) return;
  const listed = jcmd === null ? "" : await run(jcmd, ["-l"]).catch(() => "");
  if (listed.split("\n").some((line) => line.startsWith(`${pid} `))) return;
  throw new Error(`process ${pid} is no JVM; for Node, start it with node --import spanflame/record`);
}

/** Whether Linux has the library of a JVM in the process. */
function hasJvm(pid: number): boolean {
  try {
    return /\/lib(?:jvm|j9vm\d*)\.so\b/.test(readFileSync(`/proc/${pid}/maps`, "utf8"));
  } catch {
    return false;
  }
}

function run(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { maxBuffer: 1 << 20 }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(firstLine(err) || firstLine(out) || systemWords(error)));
    });
  });
}

/** The first line that is no stack of Java and not the process id. */
function firstLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => line !== "" && !/^(?:\d+:|at )/.test(line)) ?? "";
}

/** Starts a recorder, waits, and has it write the file. */
type Recorder = (pid: number, file: string, wait: () => Promise<void>) => Promise<void>;

/** From before the start on, a signal ends the recording: the process would otherwise leave it running in the JVM. */
async function untilSignal(work: (early: Promise<void>) => Promise<void>): Promise<void> {
  let end = () => {};
  const early = new Promise<void>((resolve) => {
    end = resolve;
  });
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    await work(early);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const byJcmd =
  (jcmd: string): Recorder =>
  async (pid, file, waited) => {
    const ask = (...args: string[]) => run(jcmd, [String(pid), ...args]);
    const version = Number(/^JDK (\d+)/m.exec(await ask("VM.version"))?.[1] ?? 0);
    const name = `name=spanflame-${process.pid}`;
    const started = await ask("JFR.start", name, "settings=profile", ...settingsOf(version));
    if (!/Started recording/.test(started)) throw new Error(`JFR did not start: ${firstLine(started)}`);
    try {
      await waited();
    } catch (error) {
      await ask("JFR.stop", name).catch(() => "");
      throw error;
    }
    const stopped = await ask("JFR.stop", name, `filename=${file}`);
    if (!existsSync(file) && firstLine(stopped) !== "") throw new Error(`JFR did not stop: ${firstLine(stopped)}`);
  };

/** docs/recording.md. Environment and properties may have secrets, and no answer needs them. */
function settingsOf(version: number): string[] {
  if (version < FIRST_WITH_EVENTS) return [];
  const settings = ["jdk.JavaMonitorEnter#threshold=1ms", "jdk.ThreadPark#threshold=1ms"];
  settings.push("jdk.InitialEnvironmentVariable#enabled=false", "jdk.InitialSystemProperty#enabled=false");
  if (version < FIRST_WITH_CPU_TIME) return settings;
  return [...settings, "jdk.CPUTimeSample#enabled=true", "jdk.CPUTimeSample#throttle=5ms"];
}

const byAsprof =
  (asprof: string): Recorder =>
  async (pid, file, waited) => {
    const ask = (action: string, ...args: string[]) => run(asprof, [action, ...args, String(pid)]);
    const options = ["-e", "cpu", "-i", "10ms", "--wall", "30ms", "--alloc", "256k", "--lock", "100us"];
    await ask("start", ...options, "-o", "jfr", "-f", file);
    try {
      await waited();
    } finally {
      await ask("stop", "-o", "jfr", "-f", file);
    }
  };

/** The time of the recording, or until it is ended. */
async function wait(pid: number, seconds: number, recorder: string, early: Promise<void>): Promise<void> {
  const end = Date.now() + 1000 * seconds;
  note(`${recorder} records process ${pid} for ${seconds} s; Ctrl+C ends it now`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, 1000 * seconds);
  });
  const left = () => `recording, ${Math.max(0, Math.ceil((end - Date.now()) / 1000))} s left`;
  await progress.during(left, Promise.race([early, late]));
  clearTimeout(timer);
}
