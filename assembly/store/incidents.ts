/**
 * Incidents: pauses of the process and losses of its recorder while samples were taken. A recording may have any number
 * of them, but the drawing has limited space: after the first MOST_INCIDENTS they are only counted.
 *
 *   incident | kind | chunk | id | text | time u64 | amount i64 |      8 words
 *
 * `id` is the collection's, unique within its file; `text` a string, its cause or name. The amount is ns, or bytes
 * lost.
 */
import * as IncidentRow from "../abi/rows/incident-row";
import { onReset } from "../memory/resets";
import { ownRowTable, RowTable } from "../memory/row-table";

export const MOST_INCIDENTS: u32 = 100_000;

export const incidents: RowTable = ownRowTable(IncidentRow.BYTES >> 2, 64);
/** Those that were counted only. */
export let incidentsBeyond: u32 = 0;

onReset((): void => {
  incidentsBeyond = 0;
});

export function noteIncident(kind: u32, chunk: u32, id: u32, text: u32, time: i64, amount: i64): void {
  if (incidents.count > MOST_INCIDENTS) {
    incidentsBeyond++;
    return;
  }
  const row = incidents.draft;
  store<u32>(row, kind, IncidentRow.KIND);
  store<u32>(row, chunk, IncidentRow.CHUNK);
  store<u32>(row, id, IncidentRow.ID);
  store<u32>(row, text, IncidentRow.TEXT);
  store<i64>(row, time, IncidentRow.TIME);
  store<i64>(row, amount, IncidentRow.AMOUNT);
  incidents.intern();
}

/** Rows from 1 on. */
export function incidentRows(): usize {
  return incidents.rows;
}

export function incidentCount(): u32 {
  return incidents.count;
}
