/**
 * Files of the page that were opened to learn what they are, until they are read: the head of a file is read once, and
 * one decompressor of it is started.
 */
import { closePackings, fileKind, type Opened, opened, sniff } from "../input/classify.ts";
import { HEAD_BYTES } from "../input/sniffed.ts";
import type { InputFile, KnownKind } from "./api/api.ts";
import type { TakenFile } from "./coming-file.ts";
import { FileSource } from "./file-source.ts";

/** Files that are open at the same time, since a decompressor takes memory. Others are opened again. */
const MOST_OPEN = 32;

export class OpenedFiles {
  private readonly files = new Map<string, { source: FileSource; opened: Opened }>();
  /** The ids of one worker are no ids of another one. */
  private readonly worker = Math.random();
  private count = 0;
  private taken = 0;

  kinds(files: readonly InputFile[]): Promise<KnownKind[]> {
    return Promise.all(files.map((file) => this.kindOf(file)));
  }

  private async kindOf({ blob, onlySymbols }: InputFile): Promise<KnownKind> {
    const source = new FileSource(blob);
    const id = `${this.worker} ${this.count++}`;
    if (onlySymbols === true) {
      const head = await source.slice(0, HEAD_BYTES).catch(() => new Uint8Array(0));
      return { id, kind: sniff(head).kind, packed: false };
    }
    const file = { source, opened: await opened(source) };
    this.files.set(id, file);
    for (const [first] of this.files) if (this.files.size > MOST_OPEN) await this.close(first);
    return { id, ...fileKind(file.opened) };
  }

  /** `stopped`: what has not come by then is not awaited. */
  async take(file: InputFile, stopped: Promise<void>): Promise<TakenFile> {
    const { blob, known, coming } = file;
    if (coming !== undefined) return (await import("./coming-file.ts")).takeComing(file, coming, stopped);
    const source = new FileSource(blob);
    const there = this.files.get(known?.id ?? "") ?? { source, opened: await opened(source) };
    this.files.delete(known?.id ?? "");
    const taken = { ...there, kind: fileKind(there.opened) };
    if (!taken.kind.packed || this.taken++ < MOST_OPEN) return taken;
    await closePackings(there.opened);
    return { ...taken, opened: undefined };
  }

  /** Closes the files that were not read, once the others are read. */
  async clear(): Promise<void> {
    this.taken = 0;
    for (const [id] of this.files) await this.close(id);
  }

  private async close(id: string): Promise<void> {
    const file = this.files.get(id);
    this.files.delete(id);
    if (file !== undefined) await closePackings(file.opened);
  }
}
