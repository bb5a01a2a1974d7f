/** What is known of the calls of a run when its streams were read: trees, suspension, threads. */

import * as CallTree from "../../abi/call-tree";
import * as CallRow from "../../abi/rows/call-row";
import * as RunRow from "../../abi/rows/run-row";
import { KeyTable, newKeyTable, ownKeyTable } from "../../memory/key-table";
import { callAt, callCount } from "../../store/calls";
import { countIn, runAt } from "../../store/runs";
import { numberedName } from "./methods";

/** Trace files that are there, by index + 1. */
const files: KeyTable = ownKeyTable(64);

export function beginFiles(): void {
  files.free();
  files.create(64);
}

export function noteTraceFile(index: u32): void {
  files.put(index, 1);
}

/** Completes the calls of `which`, which are those from `first` on. */
export function finishCalls(which: u32, first: u32): void {
  const run = runAt(which);
  store<u32>(run.row, first, RunRow.FIRST_CALL);
  store<u32>(run.row, callCount, RunRow.LAST_CALL);
  for (let i = first; i < callCount; i++) {
    const p = callAt(i);
    if (load<u32>(p, CallRow.TREE) === <u32>CallTree.None && load<u32>(p, CallRow.FORMAT) !== <u32>CallRow.UNRECORDED) {
      if (load<u32>(p, CallRow.DAMAGED) !== 0) store<u32>(p, CallTree.Cut, CallRow.TREE);
      else if (files.find(load<u32>(p, CallRow.FILE)) !== 0) countIn(run, RunRow.DANGLING);
    }
    const start = load<i64>(p, CallRow.START);
    store<i64>(p, run.pauses.within(start, start + load<i64>(p, CallRow.DURATION)), CallRow.SUSPENSION);
  }
  nameThreads(first);
}

/** Gives calls without a name of their thread the first that another call of the thread has, in order of keys. */
function nameThreads(first: u32): void {
  const named = newKeyTable(64);
  for (let i = first; i < callCount; i++) {
    const p = callAt(i);
    const id = load<i64>(p, CallRow.THREAD_ID);
    if (id < 0 || load<u32>(p, CallRow.THREAD) === 0) continue;
    const known = named.find(<u64>id);
    if (known === 0 || isBefore(p, callAt(known))) named.put(<u64>id, i);
  }
  for (let i = first; i < callCount; i++) {
    const p = callAt(i);
    const id = load<i64>(p, CallRow.THREAD_ID);
    if (id < 0 || load<u32>(p, CallRow.THREAD) !== 0) continue;
    const known = named.find(<u64>id);
    store<u32>(p, known === 0 ? numberedName(id) : load<u32>(callAt(known), CallRow.THREAD), CallRow.THREAD);
  }
  named.free();
}

function isBefore(a: usize, b: usize): bool {
  const fileA = load<u32>(a, CallRow.FILE);
  const fileB = load<u32>(b, CallRow.FILE);
  if (fileA !== fileB) return fileA < fileB;
  const offsetA = load<u32>(a, CallRow.OFFSET);
  const offsetB = load<u32>(b, CallRow.OFFSET);
  if (offsetA !== offsetB) return offsetA < offsetB;
  return load<u32>(a, CallRow.ORDINAL) < load<u32>(b, CallRow.ORDINAL);
}
