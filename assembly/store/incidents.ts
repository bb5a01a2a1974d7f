/**
 * Incidents: pauses of the process and losses of its recorder while samples were taken. A recording may have any number
 * of them, but the drawing has limited space: after the first MOST_INCIDENTS they are only counted.
 *
 *   incident | kind | chunk | id | text | time u64 | amount i64 |      8 words
 *
 * `id` is the collection's, unique within its file; `text` a string, its cause or name. The amount is ns, or bytes
 * lost.
 */
import {
  INCIDENT_AMOUNT,
  INCIDENT_BYTES,
  INCIDENT_CHUNK,
  INCIDENT_ID,
  INCIDENT_KIND,
  INCIDENT_TEXT,
  INCIDENT_TIME,
} from "../abi/incident-row";
import { newRowTable, RowTable } from "../memory/row-table";

export const MOST_INCIDENTS: u32 = 100_000;

export let incidents: RowTable = changetype<RowTable>(0);
/** Those that were counted only. */
export let incidentsBeyond: u32 = 0;

export function resetIncidents(): void {
  incidents = newRowTable(INCIDENT_BYTES >> 2, 64);
  incidentsBeyond = 0;
}

export function noteIncident(kind: u32, chunk: u32, id: u32, text: u32, time: i64, amount: i64): void {
  if (incidents.count > MOST_INCIDENTS) {
    incidentsBeyond++;
    return;
  }
  const row = incidents.draft;
  store<u32>(row, kind, INCIDENT_KIND);
  store<u32>(row, chunk, INCIDENT_CHUNK);
  store<u32>(row, id, INCIDENT_ID);
  store<u32>(row, text, INCIDENT_TEXT);
  store<i64>(row, time, INCIDENT_TIME);
  store<i64>(row, amount, INCIDENT_AMOUNT);
  incidents.intern();
}

/** Rows from 1 on. */
export function incidentRows(): usize {
  return incidents.rows;
}

export function incidentCount(): u32 {
  return incidents.count;
}
