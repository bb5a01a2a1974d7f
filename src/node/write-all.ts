/**
 * Writes all bytes to a file descriptor, or throws an OutputError. The caller waits, so output does not accumulate in
 * memory if the reader is slow.
 */
import { writeSync } from "node:fs";
import { systemWords } from "./system-error.ts";

/** Bytes of one call: Node refuses 2 GiB and more. */
const PIECE = 1 << 24;
/** Longest pause before a full pipe is tried again, in milliseconds. */
const LONGEST_PAUSE = 32;

/** Pipes and sockets that their readers closed; EOF is that of Windows. */
const CLOSED = new Set(["EPIPE", "ECONNRESET", "EOF"]);

/** An output could not be written. The message has its name and the reason. */
export class OutputError extends Error {
  /** The reader closed the pipe or the socket. */
  readonly isClosed: boolean;
  /** Of the system. */
  readonly code: string;

  constructor(name: string, error: unknown, consequence = "", reason?: string) {
    const { code = "" } = error as NodeJS.ErrnoException;
    super(`cannot write ${name}: ${reason ?? systemWords(error)}${consequence}`);
    this.isClosed = CLOSED.has(code);
    this.code = code;
  }
}

/** `name` is for messages. A pipe that does not block and is full is tried again until it takes more. */
export function writeAll(file: number, bytes: Uint8Array, name: string): void {
  let pause = 1;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(file, bytes, at, Math.min(PIECE, bytes.length - at));
      pause = 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw new OutputError(name, error);
      sleep(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
