/**
 * A recording of this thread: V8's profilers, the log of contexts, and the parts that are written to a file or sent.
 * What has to be complete at the end of the process is synchronous.
 */
import { randomUUID } from "node:crypto";
import { statSync, writeSync } from "node:fs";
import { console as inspected, type Profiler, Session } from "node:inspector";
import { hostname } from "node:os";
import { basename } from "node:path";
import * as threads from "node:worker_threads";
import { SpanflameError } from "../core/instance/error.ts";
import type { Recording } from "../library/index.ts";
import { visible } from "../model/words/text.ts";
import { OUTPUT } from "../node/disk.ts";
import { pathOf, type RecordOptions, resourceOf, type Settings, withDefaults } from "./options.ts";
import { Part } from "./part.ts";
import { addCpu, addHeap } from "./profile.ts";
import { readSources } from "./requests.ts";
import { Sending } from "./sending.ts";
import { followOtel, otelResource, rootRequests } from "./spans.ts";
import { SwitchLog } from "./switches.ts";

/** Bytes between two samples of the heap, V8's own default. */
const HEAP_INTERVAL = 1 << 19;
const INSTANCE = randomUUID();
const { threadId } = threads;
/** Newer versions of Node know the name that a worker was given. */
const { threadName = "" } = threads as { threadName?: string };
/** That end a program by themselves. Nodemon sends SIGUSR2. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;

/** Child processes inherit it: they have the options of this one, and write files of other names. */
const ROOT = "SPANFLAME_RECORD_ROOT";
process.env[ROOT] ??= `${process.pid} ${Math.floor(performance.timeOrigin)}`;
const [root, begun] = process.env[ROOT].split(" ");
const IS_CHILD = root !== String(process.pid);
/** Parts that this thread has written, by the template of their paths: of all its recordings. */
const parts = new Map<string, number>();

/** Whether a recording runs. */
export let recording = false;
let recorder: Recorder | null = null;
/** Words that were said; each once. */
const said = new Set<string>();
let isEnding = false;

/** The words of receivers and the names of routes may have signs that move a terminal. */
function warn(words: string, code = "SPANFLAME_RECORD"): void {
  const message = visible(words);
  if (said.has(message)) return;
  said.add(message);
  if (!isEnding) process.emitWarning(message, { code });
  // At the end of the process, nothing is left that would print a warning.
  else if (!process.execArgv.includes("--no-warnings"))
    writeSync(2, `(node:${process.pid}) [${code}] Warning: ${message}\n`);
}

/**
 * Begins a recording of this thread; resolves when it runs.
 *
 * @throws `option.unknown`, `option.value`, `record.running`
 */
export async function start(options?: RecordOptions): Promise<void> {
  const settings = withDefaults(options);
  if (recording) throw new SpanflameError("record.running", "a recording runs already");
  recording = true;
  recorder = new Recorder(settings);
  try {
    recorder.start();
  } catch (error) {
    recorder.end();
    recording = false;
    throw error;
  }
}

/**
 * Ends the recording. Returns what was recorded since the start or the last `flush`; null if the parts went to a file
 * or a receiver.
 *
 * @throws `record.stopped`
 */
export async function stop(): Promise<Recording | null> {
  const own = running("stop");
  recording = false;
  return own.stop();
}

/**
 * Ends the part: it is written or sent, and the next one begins.
 *
 * @throws `record.stopped`
 */
export async function flush(): Promise<void> {
  await running("flush").flush();
}

function running(call: string): Recorder {
  if (!recording || recorder === null) throw new SpanflameError("record.stopped", `${call}: no recording runs`);
  return recorder;
}

class Recorder {
  private readonly settings: Settings;
  private readonly session = new Session();
  private readonly log = new SwitchLog();
  private readonly undo: (() => void)[] = [];
  private readonly hrtime = hrtimeOffset();
  private readonly origin = BigInt(Math.round(performance.timeOrigin * 1e3)) * 1000n;
  private readonly sending: Sending | null;
  private isOn = false;
  /** Of V8: the profile that ended last, and when, in µs. */
  private profile: Profiler.Profile | null = null;
  private title = 0;
  private since = 0;

  constructor(settings: Settings) {
    this.settings = settings;
    this.sending = settings.push === null ? null : new Sending(settings.push, warn);
  }

  start(): void {
    const { hz, attributes, every, profiles } = this.settings;
    this.session.connect();
    if (profiles.includes("cpu")) {
      followOtel();
      this.undo.push(rootRequests(attributes), () => this.log.stop());
      this.log.start();
      this.ask("Profiler.enable");
      this.ask("Profiler.setSamplingInterval", { interval: Math.round(1e6 / hz) });
      this.session.on("Profiler.consoleProfileFinished", ({ params }) => {
        if (params.title === this.titleOf(this.title)) this.profile = params.profile;
      });
      inspected.profile(this.titleOf(0));
    }
    if (profiles.includes("live-heap")) this.sampleHeap();
    this.isOn = true;
    if (every > 0) {
      const timer = setInterval(() => void this.flush(), every * 1000).unref();
      this.undo.push(() => clearInterval(timer));
    }
    this.followEnd();
  }

  async flush(): Promise<void> {
    const part = this.take(false);
    if (part !== null) this.hand(part);
    await this.sending?.done;
  }

  async stop(): Promise<Recording | null> {
    if (this.settings.file !== null || this.sending !== null) {
      await this.close();
      return null;
    }
    const part = this.take(true);
    this.end();
    if (part === null) return null;
    // A program that only records does not need the library.
    const { open } = await import("../library/index.ts");
    return open({ name: "recorded", data: part.message() });
  }

  /** Ends the recording, whose last part is written and sent. */
  private async close(): Promise<void> {
    const part = this.take(true);
    this.end();
    if (part !== null) this.hand(part);
    await this.sending?.done;
  }

  /** Takes everything back that the start did. */
  end(): void {
    this.isOn = false;
    for (const undo of this.undo.splice(0)) undo();
    this.session.disconnect();
  }

  private sampleHeap(): void {
    this.ask("HeapProfiler.startSampling", { samplingInterval: HEAP_INTERVAL });
  }

  private titleOf(title: number): string {
    return `spanflame ${INSTANCE} ${title}`;
  }

  /**
   * V8's profile up to now. The next one begins before it ends: names of functions that were inlined into others are
   * lost when no profile runs. Profiles with titles are the only ones that can overlap.
   */
  private endProfile(isLast: boolean): Profiler.Profile {
    if (!isLast) inspected.profile(this.titleOf(this.title + 1));
    inspected.profileEnd(this.titleOf(this.title));
    this.title++;
    const { profile } = this;
    if (profile === null) throw new Error("V8 gave no profile");
    this.profile = null;
    return profile;
  }

  /** The profiles since the begin of the part; null if none runs, or V8 gave none. */
  private take(isLast: boolean): Part | null {
    if (!this.isOn) return null;
    this.isOn = !isLast;
    try {
      return this.taken(isLast);
    } catch (error) {
      warn(`a part is lost: ${(error as Error).message}`);
      return null;
    }
  }

  private taken(isLast: boolean): Part {
    const { settings, hrtime, log } = this;
    const part = new Part(processAttributes(settings.resource));
    const thread = [
      part.tables.attribute("thread.name", threadId === 0 ? "main" : threadName || `worker-${threadId}`),
      part.tables.attribute("thread.id", BigInt(threadId)),
    ];
    if (settings.profiles.includes("cpu")) {
      const profile = this.endProfile(isLast);
      readSources();
      addCpu(part, {
        ...{ profile, since: this.since, hrtime, switches: log.take(), hz: settings.hz, slots: settings.attributes },
        ...{ thread, unix: (ms) => this.origin + BigInt(Math.round(ms * 1e6)) },
        onLate: ({ attributes, span, scope: { root, named } }) =>
          warn(
            `${root?.endpoint || named?.name || attributes.operation || `span ${span}`}: code still runs in this context, which has ended`,
            "SPANFLAME_CONTEXT_LATE",
          ),
        onLeftOut: (name) =>
          warn(`the attribute ${name} of contexts is no slot; SPANFLAME_RECORD_ATTRIBUTES names them`),
      });
      this.since = profile.endTime;
    }
    if (settings.profiles.includes("live-heap")) {
      const { profile } = this.ask("HeapProfiler.stopSampling") as { profile: Parameters<typeof addHeap>[2] };
      if (!isLast) this.sampleHeap();
      addHeap(part, thread, profile);
    }
    return part;
  }

  /** Writes and sends a part. Never throws: the program has no fault. */
  private hand(part: Part): void {
    const { file } = this.settings;
    try {
      const bytes = part.message();
      this.sending?.add(bytes);
      if (file === null) return;
      OUTPUT.write(nextPath(file), bytes);
    } catch (error) {
      warn(`a part could not be written: ${(error as Error).message}`);
    }
  }

  /** The file is complete however the process ends. */
  private followEnd(): void {
    const last = () => {
      isEnding = true;
      void this.close();
      recording = false;
      this.sending?.sendNow();
    };
    process.on("exit", last);
    this.undo.push(() => process.off("exit", last));
    if (this.sending !== null) {
      // The last part is sent while the event loop can still wait.
      const empty = () => void (this.isOn && this.stopAtEnd());
      process.once("beforeExit", empty);
      this.undo.push(() => process.off("beforeExit", empty));
    }
    if (threadId !== 0) return;
    for (const signal of SIGNALS) {
      const own = async () => {
        // Another handler decides what the signal does, and it may count the handlers.
        if (process.listenerCount(signal) > 1) {
          process.off(signal, own);
          signalExit()?.on("exit", last);
          setImmediate(() => this.isOn && process.prependListener(signal, own));
          return;
        }
        await this.stopAtEnd();
        process.kill(process.pid, signal);
      };
      // Handlers that run once are no longer counted when they have run.
      process.prependListener(signal, own);
      this.undo.push(() => process.off(signal, own));
    }
  }

  /** A receiver that hangs cannot keep a program that ends. */
  private async stopAtEnd(): Promise<void> {
    isEnding = true;
    this.sending?.hurry();
    recording = false;
    await this.close();
  }

  /** The answer of V8, which is given at once. */
  private ask(method: string, params: object = {}): unknown {
    let answer: unknown;
    let fault: Error | null = null;
    this.session.post(method, params, (error, result) => {
      fault = error;
      answer = result;
    });
    if (fault !== null) throw fault;
    return answer;
  }
}

/** The package signal-exit ends programs without the event `exit`, by which many packages clean up. */
function signalExit(): { on(event: "exit", then: () => void): void } | undefined {
  const { __signal_exit_emitter__: third } = process as { __signal_exit_emitter__?: undefined };
  return third ?? Reflect.get(globalThis, Symbol.for("signal-exit emitter"));
}

/**
 * From ms of process.hrtime to ms of performance.now(). A thread that waits for a processor between the two makes it
 * too small, by many ms on a busy machine, and the first call of each takes long.
 */
function hrtimeOffset(): number {
  const pairs = Array.from({ length: 100 }, () => performance.now() - Number(process.hrtime.bigint()) / 1e6);
  return Math.max(...pairs);
}

/** The path of the next part. A file of this run has it already where two templates give one name. */
function nextPath(template: string): string {
  for (;;) {
    const part = (parts.get(template) ?? 0) + 1;
    parts.set(template, part);
    const path = pathOf(template, { pid: process.pid, thread: threadId, part, isChild: IS_CHILD });
    const former = statSync(path, { throwIfNoEntry: false });
    // The program would wait for somebody who reads it.
    if (former?.isFIFO()) throw new Error(`${path} is a pipe; the recorder writes files`);
    if (!former?.isFile() || former.mtimeMs < Number(begun)) return path;
  }
}

function processAttributes(own: Readonly<Record<string, string>>) {
  return {
    ...{ "service.instance.id": INSTANCE, "host.name": hostname() },
    ...{ "process.pid": BigInt(process.pid), "process.executable.name": basename(process.execPath) },
    ...{ "process.runtime.name": "nodejs", "process.runtime.version": process.versions.node },
    ...{ "telemetry.sdk.language": "nodejs" },
    ...resourceOf(process.env, own, otelResource()),
  };
}
