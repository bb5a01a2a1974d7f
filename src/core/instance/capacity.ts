/**
 * The limit of the core's memory: 4 GiB, or less if the machine has less. A call that needs more traps, with
 * `exhausted` set (assembly/memory/arena.ts). The store is consistent after such a trap, so the instance can continue:
 * the host makes the core free all memory except the store's, and turns the trap into an error or a diagnostic.
 */
import type { instantiate } from "../../../build/core.js";
import type { Diagnostic, FileSummary } from "../types.ts";
import { SpanflameError } from "./error.ts";

/** What `openChunk` and `step` answer; `full`: no memory is left to read more, now or later. */
export type ReadStatus = "done" | "more" | "unreadable" | "full";

export type Wasm = Awaited<ReturnType<typeof instantiate>>;

const MIB = 2 ** 20;
const ALL_MEMORY = 2 ** 32;
/** A chunk or message is large if it takes more than this part of the memory. */
const LARGE = 8;

/** The chunk or message that an input buffer is for, and its offset in the file. */
export interface Input {
  kind: "chunk" | "message";
  offset: number;
}

/** Functions of the core around a trap. */
interface Owner {
  /** Event counts of the chunk in which reading stopped; may run out of memory too. */
  report(): void;
  /** Drops all results that were computed from the store. */
  forget(): void;
  /** Gives back the input buffer. */
  freeInput(): void;
  note(diagnostic: Diagnostic): void;
}

export class Capacity {
  /** The module for views and writers: a function that runs out of memory throws SpanflameError `core.memory`. */
  readonly guarded: Wasm;
  /** The need that was not met last. */
  unmet: Need = { bytes: 0, beside: 0 };
  /** Where reading stopped for good. */
  stop: Stop | null = null;
  readonly wasm: Wasm;
  private readonly owner: Owner;
  private limit = ALL_MEMORY;
  /** What the core may use until the input that is being read ends. */
  private allowed = ALL_MEMORY;
  private allowance = () => ALL_MEMORY;

  constructor(wasm: Wasm, owner: Owner) {
    this.wasm = wasm;
    this.owner = owner;
    this.guarded = {} as Wasm;
    // The bindings inherit from the exports, so that own keys are not all of them.
    for (const key in wasm) this.guard(key, wasm[key as keyof Wasm]);
  }

  /** A function of the module that comes late (late-core.ts). */
  add(name: string, call: unknown): void {
    Object.assign(this.wasm, { [name]: call });
    this.guard(name, call);
  }

  private guard(name: string, value: unknown): void {
    const member = typeof value === "function" ? this.guardedCall(value as Call) : value;
    Object.assign(this.guarded, { [name]: member });
  }

  private guardedCall(call: Call): Call {
    return (...given) => {
      try {
        return call(...given);
      } catch (error) {
        if (!this.isExhausted(error)) throw error;
        this.recover();
        throw outOfMemory("the answer", this.unmet);
      }
    };
  }

  /** Whether `error` is the core's trap for memory that ran out. */
  private isExhausted(error: unknown): boolean {
    return error instanceof WebAssembly.RuntimeError && this.wasm.exhausted.value;
  }

  /** After a trap for memory: the core frees all memory except the store's, and nothing is selected. */
  private recover(): void {
    const before = this.wasm.usedBytes();
    this.wasm.recover();
    this.owner.forget();
    const beside = this.wasm.usedBytes();
    this.unmet = { bytes: before - beside + this.wasm.missingBytes.value, beside };
  }

  /**
   * Runs a call of the reader at a place. Where memory runs out, everything before the current observation is kept, the
   * reader's memory and the input buffer are left to views and writers, and every later call is `full` at once.
   */
  read(place: Stop, call: () => ReadStatus): ReadStatus {
    if (this.stop !== null) return "full";
    this.refresh();
    try {
      return call();
    } catch (error) {
      if (!this.isExhausted(error)) throw error;
    }
    this.stop = this.placed(place);
    try {
      this.owner.report();
    } catch (error) {
      if (!this.isExhausted(error)) throw error;
    }
    this.recover();
    this.owner.freeInput();
    this.owner.note(fullDiagnostic(this.stop, this.wasm.observationCount.value, this.wasm.usedBytes()));
    return "full";
  }

  /** Has the core use at most so many bytes. */
  limitMemory(bytes: number): void {
    this.limit = Math.min(bytes, ALL_MEMORY);
    this.wasm.setMemoryLimit(Math.min(this.limit, this.allowed));
  }

  /**
   * Has the core use at most so many bytes until the input ends: a pipe's become more. Where it needs more, it is full
   * until then.
   */
  allow(bytes: () => number): void {
    this.allowance = bytes;
    this.refresh();
  }

  /** To be called before anything is read. */
  refresh(): void {
    const allowed = this.allowance();
    if (allowed === this.allowed) return;
    this.allowed = allowed;
    this.wasm.setMemoryLimit(Math.min(this.limit, allowed));
  }

  /** The next input may use what there is. True where the one before it used up what it was allowed. */
  endInput(): boolean {
    const isOfInput = this.stop?.isOfInput === true;
    if (isOfInput) this.stop = null;
    this.allow(() => ALL_MEMORY);
    return isOfInput;
  }

  private placed(place: Stop): Stop {
    return { ...place, isOfInput: this.allowed < this.limit };
  }

  /**
   * The error for an input buffer that cannot be had. A large chunk is left out alone; where there is no room for one
   * of usual size, the core is full.
   */
  noRoom(bytes: number, input: Input | undefined, file: FileSummary | undefined): SpanflameError {
    const beside = this.wasm.usedBytes();
    if (input === undefined || file === undefined) return outOfMemory("the question", { bytes, beside });
    const { kind, offset } = input;
    if (bytes < this.limit / LARGE && this.stop === null) {
      const chunk = kind === "chunk" ? file.chunks.length : file.messages.length;
      this.stop = this.placed({ file: file.name, chunk, isChunk: kind === "chunk", offset });
      this.owner.freeInput();
      this.owner.note(fullDiagnostic(this.stop, this.wasm.observationCount.value, beside));
    }
    const { allowed } = this;
    const memory =
      allowed < this.limit ? `the ${mib(allowed)} of memory that the input may use` : "the core's 4 GiB of memory";
    const room = `${memory} beside the ${mib(beside)} in use`;
    return new SpanflameError("core.memory", `a ${kind} of ${bytes} bytes does not fit into ${room}`);
  }

  /** Runs the call that takes in the live objects of a file. */
  endFile(file: string, call: () => void): void {
    try {
      call();
    } catch (error) {
      if (!this.isExhausted(error)) throw error;
      this.stop ??= this.placed({ file, chunk: null, isChunk: true, offset: null });
      this.owner.note(unkeptDiagnostic(file, this.wasm.dropWaiting()));
      this.recover();
    }
  }
}

type Call = (...given: unknown[]) => unknown;

/** Bytes of a need that was not met, and of the store beside it. */
export interface Need {
  bytes: number;
  beside: number;
}

/** `what` does not fit. */
function outOfMemory(what: string, { bytes, beside }: Need): SpanflameError {
  return new SpanflameError(
    "core.memory",
    `out of memory: ${what} needs at least ${mib(bytes)} beside the ${mib(beside)} of the recording; ` +
      "select less, by profile, span or range of time, or open fewer files",
  );
}

/** A message of this format does not fit: another format may. */
export function outputTooLarge(format: string, { bytes, beside }: Need): SpanflameError {
  return new SpanflameError(
    "core.memory",
    `out of memory: the output as ${format} needs at least ${mib(bytes)} beside the ${mib(beside)} of the recording; ` +
      "write less, by profile, span or range of time, or choose another format: OTLP protobuf needs the least",
  );
}

/** Where reading stopped. */
export interface Stop {
  file: string;
  /** A chunk, or a message; null while the resources of messages are read before them. */
  chunk: number | null;
  isChunk: boolean;
  /** Offset in the file: everything before it was read. */
  offset: number | null;
  /** The input took more than its bytes allow: the next one can be read. */
  isOfInput?: boolean;
}

const ADVICE = "open fewer files at a time; `jfr disassemble` splits a large recording";

/** The diagnostic for the file in which reading stopped, with `used` bytes in use. */
function fullDiagnostic(stop: Stop, samples: number, used: number): Diagnostic {
  const { file, chunk, isChunk, offset, isOfInput } = stop;
  const where = [
    ...(chunk === null ? [] : [`in ${isChunk ? "chunk" : "message"} ${chunk}`]),
    ...(offset === null ? [] : [`after offset ${offset}`]),
  ].join(" ");
  const fact = isOfInput === true ? "the input takes far more memory than it has bytes" : "the memory is full";
  const message =
    `core: ${fact}: reading stopped ${where === "" ? "at the first message" : where}; the ${samples} samples ` +
    `read until then are kept; the core holds ${mib(used)}${isOfInput === true ? "" : `; ${ADVICE}`}`;
  const code = isOfInput === true ? "source.excess" : "core.full";
  return { code, severity: "error", message, file, chunk: isChunk ? chunk : null, offset };
}

/** A diagnostic for a whole file of a core that is full. */
export function fullOf(file: string, fact: string): Diagnostic {
  return {
    code: "core.full",
    severity: "error",
    message: `core: the memory is full${fact}`,
    file,
    chunk: null,
    offset: null,
  };
}

/** The diagnostic for a file after that one. */
export function unreadDiagnostic(file: string, stop: Stop): Diagnostic {
  return fullOf(file, ` since ${stop.file} was read: this file was not read; ${ADVICE}`);
}

/** The diagnostic for live objects that were to be counted at the end of a file. */
function unkeptDiagnostic(file: string, observations: number): Diagnostic {
  return fullOf(file, `: up to ${observations} live objects and allocations of the file are not counted; ${ADVICE}`);
}

function mib(bytes: number): string {
  return bytes < MIB ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / MIB)} MiB`;
}
