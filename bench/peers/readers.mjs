/** The compared readers, Spanflame first, with their warm and cold start. */
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const BENCH = fileURLToPath(new URL("..", import.meta.url));
/**
 * Two processors, however many there are: jafar reads chunks in all but two threads, at least one, and the warm figures
 * are of one thread. The heap is large enough for the largest corpus and the same on every machine.
 */
const JVM = ["-XX:ActiveProcessorCount=2", "-Xmx4g"];

/** `allocations`: whether async-profiler's converter finds more in the recording when it is asked for these. */
export function readersFor(recording, { java, classPath }, allocations) {
  const peer = (name, does) => ({
    name,
    does,
    warm: [java, ...JVM, "-cp", classPath, "Peers", "warm", name, recording],
    once: (out) => [java, ...JVM, "-cp", classPath, "Peers", "once", name, recording, out],
  });
  return [
    {
      name: "Spanflame",
      does: "converts",
      warm: [process.execPath, join(BENCH, "warm.mjs"), recording, "asked"],
      once: (out) => [process.execPath, join(BENCH, "once.mjs"), recording, out],
    },
    ...(allocations ? [] : [sameEvents(recording)]),
    peer(allocations ? "async-profiler --alloc" : "async-profiler", "converts"),
    peer("jafar", "visits"),
    peer("JDK", "visits"),
  ];
}

/** Spanflame with the events that async-profiler's converter takes by default; as a process, with most of them. */
function sameEvents(recording) {
  const types = ["cpu:jdk.ExecutionSample", "native"];
  return {
    name: "Spanflame --type cpu, native",
    does: "converts",
    warm: [process.execPath, join(BENCH, "warm.mjs"), recording, "asked", ...types],
    once: (out) => [process.execPath, join(BENCH, "once.mjs"), recording, out, "-", "--type", types[0]],
  };
}

/** Starts a process that waits for its turns; `turn` answers with the milliseconds of each pass. */
export function startWarm({ warm: [command, ...args] }) {
  const child = spawn(command, args);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors = (errors + text).slice(-2000);
  });
  // A reader that has died does not read its next question; that its answer is missing is found below.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async turn(seconds) {
      child.stdin.write(`${seconds}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(reason(errors));
      return JSON.parse(value);
    },
    stop: () => child.kill(),
  };
}

/** One pass from file to file in a separate process, which reports the kernel's figures for itself. */
export function runOnce({ once }, out) {
  const [command, ...args] = once(out);
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(reason(stderr));
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

/** The line that says why, of a Java or Node stack trace. */
function reason(errors) {
  const lines = errors.trim().split("\n");
  return (lines.find((line) => /Error|Exception/.test(line)) ?? lines.at(-1)).trim().slice(0, 120);
}
