/** Feeds the messages of a file to the core, one at a time through its buffer. */

import { copyWords } from "../core/inputs/copies.ts";
import { INPUT_FORMATS } from "../core/inputs/formats.ts";
import type { Input, ReadStatus } from "../core/instance/capacity.ts";
import type { Contents } from "../core/reading/contents.ts";
import type { Diagnostic, FileFormat } from "../core/types.ts";
import type { Message } from "../otlp/framed-messages.ts";

/** Functions of the core that this file uses. */
export interface MessageReader {
  /** Loads the readers of messages if they are missing. */
  complete(): Promise<void>;
  beginFile(name: string, bytes: number, format?: FileFormat, stated?: Record<string, string>): void;
  endFile(bytes: number): void;
  /** Throws SpanflameError `core.memory`. */
  reserve(bytes: number, toRead: Input): void;
  input(end: number, start?: number): Uint8Array;
  /** Bytes that the core's memory can still grow by. */
  room(): number;
  readonly contents: Contents;
  /** Decides in place of `contents` what counts. */
  readonly onContent: unknown;
  scanMessage(length: number): void;
  openMessage(length: number, offset: number): ReadStatus;
  step(budget: number): ReadStatus;
  /** No memory is left to read more: chunks, messages and steps are `full` from then on. */
  readonly full: boolean;
  bytesLeft(): number;
  close(): void;
  note(diagnostic: Diagnostic): void;
}

/** Bytes of samples per call into the core: some ten milliseconds of work. */
const SLICE = 1 << 20;

export interface MessageFile {
  name: string;
  format: FileFormat;
  /** Nothing in one message is about another one: they are read as they come. */
  independent?: boolean;
  /** The messages from the first on; called once, or twice where there are several that are not independent. */
  messages(again: boolean): AsyncGenerator<Message>;
  /** Bytes of the file, once it was read. */
  bytes(): number;
  /** Runs now and then with the offset reached; false once the reading is cancelled. */
  breath(offset: number): Promise<boolean>;
}

export interface MessagesRead {
  /** Some message could be read. */
  readable: boolean;
  /** The reading was not cancelled, and the core is not full. */
  going: boolean;
}

/**
 * Reads all messages. If there are several, their resources are scanned first: shared attributes become facts of the
 * file, and the others are added to samples while reading.
 */
export async function readMessages(core: MessageReader, file: MessageFile): Promise<MessagesRead> {
  await core.complete();
  core.beginFile(file.name, file.bytes(), file.format);
  const read = await (file.independent === true ? readEach(core, file, false) : readRelated(core, file));
  core.endFile(file.bytes());
  return read;
}

/** Reads the messages one after the other. */
async function readEach(core: MessageReader, file: MessageFile, again: boolean): Promise<MessagesRead> {
  let readable = false;
  for await (const message of file.messages(again)) {
    const read = await readMessage(core, file, message);
    readable ||= read.readable;
    if (!read.going) return { readable, going: false };
  }
  return { readable, going: true };
}

/** Scans the resources of all messages where there are several, then reads them. */
async function readRelated(core: MessageReader, file: MessageFile): Promise<MessagesRead> {
  const looking = file.messages(false);
  const first = await looking.next();
  const second = first.done ? first : await looking.next();
  if (first.done === true) return { readable: false, going: true };
  if (second.done === true) return readMessage(core, file, first.value);
  for (const message of [first.value, second.value]) await scan(core, file, message);
  for await (const message of looking) {
    if (core.full) break;
    await scan(core, file, message);
  }
  return core.full ? { readable: false, going: false } : readEach(core, file, true);
}

async function scan(core: MessageReader, file: MessageFile, message: Message): Promise<void> {
  const length = await bring(core, file, message, true);
  if (length !== null) core.scanMessage(length);
}

/** Puts a message into the core's buffer; null where it does not fit in. */
async function bring(
  core: MessageReader,
  file: MessageFile,
  { offset, length, fill }: Message,
  quiet: boolean,
): Promise<number | null> {
  if (core.full) return null;
  try {
    core.reserve(length, { kind: "message", offset });
  } catch (error) {
    if (core.full) return null;
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${INPUT_FORMATS[file.format].room}: ${reason} (offset ${offset}); the message was left out`;
    if (!quiet) core.note({ code: "core.memory", severity: "error", message, file: file.name, chunk: null, offset });
    return null;
  }
  return fill(core.input(length));
}

async function readMessage(core: MessageReader, file: MessageFile, message: Message): Promise<MessagesRead> {
  const length = await bring(core, file, message, false);
  if (length === null) return { readable: false, going: (await file.breath(message.offset)) && !core.full };
  // Collapsed stacks have no times, so equal blocks may be of equal work.
  const copy = core.onContent !== null || file.format === "collapsed" ? null : core.contents.takeMessage(length);
  if (copy !== null) {
    const { offset } = message;
    core.note({ ...copyWords("message", copy, offset), file: file.name, chunk: null, offset });
    return { readable: true, going: await file.breath(offset + length) };
  }
  let status = core.openMessage(length, message.offset);
  const readable = status === "more" || status === "done";
  let going = status !== "full";
  try {
    while (status === "more" && going) {
      status = core.step(SLICE);
      going = (await file.breath(message.offset + length - core.bytesLeft())) && status !== "full";
    }
  } finally {
    core.close();
  }
  return { readable, going };
}
