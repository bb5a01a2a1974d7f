/** Reading of the runs of CDT dumps into a core. Each run is a file in its list. */
import type { Expansion } from "../../bytes/expansion.ts";
import type { Dumps } from "../../core/dumps/dump.ts";
import type { FramePath, TalliedRow } from "../../core/dumps/dump-tally.ts";
import type { Diagnostic, FileFormat } from "../../core/types.ts";
import { readFrames, readRun, type StreamProblem } from "./read-run.ts";
import type { RunFiles } from "./runs.ts";

/** Functions of the core that this file uses. */
export interface DumpCore {
  dumps(): Promise<Dumps>;
  beginFile(name: string, bytes: number, format?: FileFormat, stated?: Record<string, string>): void;
  note(diagnostic: Diagnostic): void;
}

/** A run that was read, with its files, which are read again for the frames of its calls. */
export interface OpenRun {
  run: RunFiles;
  /** In the core. */
  number: number;
}

/** Reads runs. `going` is false if the reading was ended, `isRead` if no run has a call or a root. */
export async function readDumps(
  core: DumpCore,
  runs: readonly RunFiles[],
  breathe: () => Promise<boolean>,
  expansion?: Expansion,
): Promise<{ opened: OpenRun[]; going: boolean; isRead: boolean }> {
  const dumps = await core.dumps();
  const before = dumps.callCount;
  const opened: OpenRun[] = [];
  for (const run of runs) {
    const bytes = run.files.reduce((sum, file) => sum + file.open().byteLength, 0);
    const label = dumps.labelFor(run.label);
    core.beginFile(label, bytes, "cdt", dumps.resourceOf({ ...run, label }));
    const number = await readRun({ dumps, note: noteIn(core), breathe, expansion }, run);
    if (number === null) return { opened, going: false, isRead: opened.length > 0 };
    opened.push({ run, number });
  }
  const isRead = dumps.callCount > before;
  if (!isRead && runs[0] !== undefined) {
    const path = runs[0].input || runs[0].files[0]?.path || runs[0].label || "dump";
    const message = "the dump has neither a call nor a root of a trace that can be read";
    noteIn(core)({ code: "cdt.calls.none", severity: "error", message, path, offset: 0, stream: "" });
  }
  return { opened, going: true, isRead };
}

function noteIn(core: DumpCore) {
  return ({ path, ...problem }: StreamProblem) => core.note({ ...problem, file: path, chunk: null });
}

/** Makes samples of the frames of the calls that `isMarked` accepts, by their numbers. */
export async function sampleFrames(
  core: DumpCore,
  runs: readonly OpenRun[],
  isMarked: (call: number) => boolean,
): Promise<void> {
  const dumps = await core.dumps();
  for (const open of runs) {
    await readFrames({ dumps, note: noteIn(core), breathe: async () => true }, open, isMarked, "samples");
  }
}

export interface TallyRequest {
  /** By the numbers of the calls. */
  isMarked: (call: number) => boolean;
  /** null: all frames. */
  frames: FramePath | null;
  /** Function name of a method. */
  nameOf: (method: string) => string;
  /** Called after each slice; false ends the reading. */
  breathe: () => Promise<boolean>;
}

/** Frames of calls, added up by the values of their parameters: rows of each run. Null if the reading was ended. */
export async function tallyRuns(
  core: DumpCore,
  runs: readonly OpenRun[],
  { isMarked, frames, nameOf, breathe }: TallyRequest,
): Promise<TalliedRow[][] | null> {
  const dumps = await core.dumps();
  const rows: TalliedRow[][] = [];
  for (const open of runs) {
    dumps.tally.count(open.number, frames, nameOf);
    if (!(await readFrames({ dumps, note: () => {}, breathe }, open, isMarked, "tally"))) return null;
    rows.push(dumps.tally.rows(open.number));
  }
  return rows;
}
