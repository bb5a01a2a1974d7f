/** `export --watch`: files that appear while it runs, a file with the counts, and the age of what is kept. */
import { untilEnded } from "../node/looks.ts";
import { replacing } from "../node/replacement.ts";
import { note } from "../node/terminal.ts";
import { writeAll } from "../node/write-all.ts";
import { changedAt, type ExportInput, isUnfinished, stateOf } from "./export-inputs.ts";

/** Looks at a recording that is not complete: a minute. */
const PATIENT_LOOKS = 30;
/** After so many looks an input is tried again that another writer was reading. */
const BUSY_LOOKS = 5;
const HOUR_MS = 3_600_000;
/** How often the status is written while many inputs are read. */
const STATUS_MS = 5_000;
const NANOS_OF_MS = 1_000_000n;

/** `--status FILE`: counts, and how far the export is behind, as JSON. */
export class StatusFile {
  private readonly path: string | null;
  private readonly counts: () => object;
  private written = 0;

  constructor(path: string | null, counts: () => object) {
    this.path = path;
    this.counts = counts;
  }

  /** `waiting`: inputs that are seen and not yet exported. */
  async write(waiting: readonly ExportInput[], isDue = true): Promise<void> {
    const { path } = this;
    const now = Date.now();
    if (path === null || (!isDue && now - this.written < STATUS_MS)) return;
    this.written = now;
    const times = waiting.map((input) => Number(changedAt(input) / NANOS_OF_MS)).filter((time) => time > 0);
    const lag = times.reduce((most, time) => Math.max(most, now - time), 0);
    const status = {
      time: new Date(now).toISOString(),
      pid: process.pid,
      waiting: waiting.length,
      lagSeconds: lag / 1000,
    };
    const text = `${JSON.stringify({ ...status, ...this.counts() })}\n`;
    await replacing((files) => {
      const { file, name, close } = files.open(path);
      writeAll(file, new TextEncoder().encode(text), name);
      close();
    });
  }
}

export interface Watch {
  list(): Promise<ExportInput[]>;
  /** Exports inputs; gives the paths of those that another writer is reading. */
  write(inputs: readonly ExportInput[], after: (input: ExportInput, isWhole: boolean) => void): Promise<string[]>;
  /** After each export. */
  merge(): Promise<void>;
  /** Removes what is too old. */
  forget(): Promise<void>;
  status: StatusFile;
}

/**
 * Exports what is there, then new files whose size and time did not change between two looks, until SIGINT or SIGTERM.
 * A recording that its profiler is still writing is exported up to its last whole chunk; the rest follows when it is
 * complete, or after a minute without a change. A known file costs a look at its size and time.
 */
export async function watch({ list, write, merge, forget, status }: Watch): Promise<void> {
  let seen = new Map<string, Seen>();
  let forgotten = Number.NEGATIVE_INFINITY;
  await untilEnded(async (look) => {
    const inputs = await list();
    const now = new Map(inputs.map((input) => [input.path, seenAgain(input, seen.get(input.path))]));
    seen = now;
    const ready = inputs.flatMap((input) => {
      const own = now.get(input.path)!;
      return isReady(input, own, look) ? [{ ...input, isGrowing: own.grown === own.state }] : [];
    });
    const left = new Set<ExportInput>(ready);
    const busy = await write(ready, (input, isWhole) => {
      left.delete(input);
      const own = now.get(input.path)!;
      if (isWhole) own.done = own.state;
      void status.write([...left], false).catch(() => {});
    });
    for (const path of busy) Object.assign(now.get(path)!, { done: "", grown: "", notBefore: look + BUSY_LOOKS });
    if (ready.length > 0) await merge();
    if (performance.now() - forgotten > HOUR_MS) {
      forgotten = performance.now();
      await forget();
    }
    await status.write(inputs.filter(({ path }) => now.get(path)!.done !== now.get(path)!.state));
    if (look === 0) note("spanflame: watching for new recordings; Ctrl+C ends it");
  });
}

/** What is known of a file: states are its size and time. */
interface Seen {
  state: string;
  /** Looks since it changed. */
  looks: number;
  /** State of which all is exported, and of which the whole chunks are. */
  done: string;
  grown: string;
  /** Look before which it is not tried again. */
  notBefore: number;
}

function seenAgain(input: ExportInput, former: Seen | undefined): Seen {
  const state = stateOf(input);
  if (former === undefined) return { state, looks: 0, done: "", grown: "", notBefore: 0 };
  // The former text: `done` is the same one, so each file of the inbox has one text in memory.
  if (former.state === state) return { ...former, looks: former.looks + 1 };
  return { ...former, state, looks: 0 };
}

/** Whether an input is exported now, which is noted. What is there at the first look is not waited for. */
function isReady(input: ExportInput, own: Seen, look: number): boolean {
  const { state, looks } = own;
  if ((looks === 0 && look > 0) || state === "" || state === own.done || look < own.notBefore) return false;
  if (looks < PATIENT_LOOKS && isUnfinished(input)) {
    // Its whole chunks once for each state.
    if (own.grown === state) return false;
    own.grown = state;
    return true;
  }
  own.done = state;
  own.grown = "";
  return true;
}
