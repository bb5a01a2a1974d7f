/**
 * Who held what threads waited for. The waits for one object, in the order of their ends, are its acquisitions; each
 * names the thread that gave the object up before. So between two acquisitions
 *
 *   end of X ────────── held by the thread of X ────────── end of Y, which names it        one stretch, certain
 *   end of X ── the thread of X ── ? ── another thread ──── end of Y, which names this one  two stretches
 *
 * The other thread came without a wait, or with one below the recorder's threshold. X gave the object up at the end of
 * its span at the latest, and the other one took it in its own span: the moment is in the middle of what is left.
 */
import type { Stretches } from "../../core/samples/contexts.ts";
import type { HeldColumns, LockWaits } from "../../core/samples/waits.ts";
import { byThread } from "./by-thread.ts";

/** Stretches of one wait. A wait has more where a lock changes hands all the time. */
const MOST_STRETCHES = 256;

/** What a thread worked for at a moment: ids, and the bounds of its span, which are those of the file without one. */
export interface WorkAt {
  span: bigint;
  root: bigint;
  from: number;
  to: number;
}

export const NO_WORK: WorkAt = { span: 0n, root: 0n, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

interface Segments {
  from: number[];
  to: number[];
  /** Row of the acquisition whose thread, or whose owner, held. */
  row: number[];
  isOwner: boolean[];
  certain: boolean[];
}

export function heldStretches(waits: LockWaits, workAt: (thread: number, time: number) => WorkAt): HeldColumns {
  const objects = byThread(waits.objects, waits.object, waits.end);
  const found: HeldColumns = { wait: [], thread: [], row: [], from: [], to: [], certain: [], span: [], root: [] };
  for (let object = 0; object < waits.objects; object++) {
    const rows = objects.rows.subarray(objects.first[object]!, objects.first[object + 1]!);
    const segments = segmentsOf(waits, rows, workAt);
    let last = -1;
    for (const row of rows) {
      while (last + 1 < segments.to.length && segments.to[last + 1]! <= waits.end[row]!) last++;
      addStretches(found, waits, row, segments, last, workAt);
    }
  }
  return found;
}

/** Who had an object from its first wait on, in the order of time. */
function segmentsOf(
  { thread, owner, end }: LockWaits,
  rows: Uint32Array,
  workAt: (thread: number, time: number) => WorkAt,
): Segments {
  const found: Segments = { from: [], to: [], row: [], isOwner: [], certain: [] };
  const add = (from: number, to: number, row: number, isOwner: boolean, certain: boolean) => {
    if (to <= from) return;
    found.from.push(from);
    found.to.push(to);
    found.row.push(row);
    found.isOwner.push(isOwner);
    found.certain.push(certain);
  };
  let before = -1;
  for (const row of rows) {
    const to = end[row]!;
    const holder = owner[row]!;
    if (before < 0 || thread[before] === holder) {
      add(before < 0 ? Number.NEGATIVE_INFINITY : end[before]!, to, row, true, true);
    } else {
      const from = end[before]!;
      const released = Math.min(to, workAt(thread[before]!, from).to);
      const taken = holder < 0 ? from : Math.max(from, workAt(holder, to).from);
      const turn = (released + taken) / 2;
      add(from, turn, before, false, false);
      add(turn, to, row, true, false);
    }
    before = row;
  }
  return found;
}

function addStretches(
  found: HeldColumns,
  waits: LockWaits,
  row: number,
  segments: Segments,
  last: number,
  workAt: (thread: number, time: number) => WorkAt,
): void {
  const begin = waits.start[row]!;
  let first = last;
  while (first > 0 && segments.to[first - 1]! > begin && last - first < MOST_STRETCHES - 1) first--;
  for (let i = Math.max(0, first); i <= last; i++) {
    const of = segments.row[i]!;
    const isOwner = segments.isOwner[i]!;
    const thread = isOwner ? waits.owner[of]! : waits.thread[of]!;
    const from = Math.max(begin, segments.from[i]!);
    const to = segments.to[i]!;
    if (thread < 0 || thread === waits.thread[row] || to <= from) continue;
    const { span, root } = workAt(thread, (from + to) / 2);
    found.wait.push(row);
    found.thread.push(thread);
    found.row.push(isOwner ? waits.ownerRow[of]! : waits.threadRow[of]!);
    found.from.push(from);
    found.to.push(to);
    found.certain.push(segments.certain[i]! ? 1 : 0);
    found.span.push(span);
    found.root.push(root);
  }
}

/** The middles of stretches, as rows for the contextual fields around them. */
export function middlesOf({ thread, from, to }: HeldColumns): Stretches {
  const middle = new Float64Array(from.length);
  for (let i = 0; i < middle.length; i++) middle[i] = (from[i]! + to[i]!) / 2;
  return { count: from.length, thread: Uint32Array.from(thread), start: middle, end: middle };
}
