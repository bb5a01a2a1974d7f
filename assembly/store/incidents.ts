/**
 * What befell the process or its recorder while samples were taken. A recording may have any number of them, and what is
 * drawn of them does not grow for ever: behind MOST they are counted.
 *
 *   incident | kind | chunk | id | text | time u64 | amount i64 |      8 words
 *
 * `id` is the collection's, unique within its file; `text` a string, its cause or name. The amount is ns, or bytes lost.
 */
import { newRowTable, RowTable } from "../memory/row-table";

export enum Incident {
  /** jdk.GarbageCollection: how long its pauses were together. */
  Collection,
  /** jdk.GCPhasePause. */
  Pause,
  /** jdk.DataLoss. */
  Loss,
}

const MOST: u32 = 100_000;

let incidents: RowTable = changetype<RowTable>(0);
/** Those that were counted only. */
export let incidentsBeyond: u32 = 0;

export function resetIncidents(): void {
  incidents = newRowTable(8, 64);
  incidentsBeyond = 0;
}

export function noteIncident(kind: Incident, chunk: u32, id: u32, text: u32, time: i64, amount: i64): void {
  if (incidents.count > MOST) {
    incidentsBeyond++;
    return;
  }
  incidents.put(0, kind);
  incidents.put(1, chunk);
  incidents.put(2, id);
  incidents.put(3, text);
  incidents.put64(4, <u64>time);
  incidents.put64(6, <u64>amount);
  incidents.intern();
}

/** Rows from 1 on. */
export function incidentRows(): usize {
  return incidents.rows;
}

export function incidentCount(): u32 {
  return incidents.count;
}
