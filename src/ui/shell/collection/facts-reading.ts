/** The reading of a collection's facts, file after file. It goes on while the page shows one of the files. */
import { type FileFacts, FunctionNames, type KeptFacts } from "../../../model/collection/facts.ts";
import { type FactsReader, startFactsReader } from "../../../worker/task-workers.ts";
import { Store } from "../../primitives/store/store.ts";
import type { Collection } from "../recording/recording-state.ts";

export interface FactsState {
  /** In the order of the files; null for a file that was not read yet. */
  facts: readonly (KeptFacts | null)[];
  /** Files that were read. */
  done: number;
  bytes: number;
  total: number;
  phase: "reading" | "cancelled" | "done";
}

/** Of a file without anything that could be read. */
function unreadable(damage: string): FileFacts {
  return { service: "", instance: "", time: null, profiles: [], damage, readable: false };
}

export class FactsReading {
  readonly names = new FunctionNames();
  private readonly files: Collection["files"];
  private reader: FactsReader | null = null;
  readonly store: Store<FactsState>;

  constructor({ files }: Collection) {
    this.files = files;
    const total = files.reduce((sum, { blob }) => sum + blob.size, 0);
    this.store = new Store<FactsState>({ facts: files.map(() => null), done: 0, bytes: 0, total, phase: "reading" });
    void this.read();
  }

  private get state(): FactsState {
    return this.store.now();
  }

  /** Keeps what was read. */
  cancel(): void {
    if (this.state.phase !== "reading") return;
    this.show({ phase: "cancelled" });
    this.reader?.end();
  }

  /** Reads the files that were not read yet. */
  resume(): void {
    if (this.state.phase !== "cancelled") return;
    this.show({ phase: "reading" });
    void this.read();
  }

  private async read(): Promise<void> {
    const reader = startFactsReader();
    this.reader = reader;
    const isOver = () => this.reader !== reader || this.state.phase !== "reading";
    for (const [index, file] of this.files.entries()) {
      if (this.state.facts[index] !== null) continue;
      const before = this.bytesDone();
      const answer = await reader.facts(file, (bytes) => {
        if (!isOver()) this.show({ bytes: before + bytes });
      });
      if (isOver()) return reader.end();
      const kept = this.names.keep(answer.ok ? answer.value : unreadable(answer.error.message));
      const facts = this.state.facts.with(index, kept);
      this.show({ facts, done: this.state.done + 1, bytes: before + file.blob.size });
    }
    reader.end();
    this.show({ phase: "done" });
  }

  private bytesDone(): number {
    return this.files.reduce((sum, { blob }, i) => sum + (this.state.facts[i] === null ? 0 : blob.size), 0);
  }

  private show(change: Partial<FactsState>): void {
    this.store.set({ ...this.state, ...change });
  }
}

let current: { of: Collection; reading: FactsReading } | null = null;

/** The reading of a collection; that of another one ends. */
export function readingOf(collection: Collection): FactsReading {
  if (current?.of !== collection) {
    current?.reading.cancel();
    current = { of: collection, reading: new FactsReading(collection) };
  }
  return current.reading;
}
