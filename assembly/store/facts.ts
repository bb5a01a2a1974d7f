/**
 * Facts of the process, and the settings of its recorders. Each distinct fact is kept once per chunk, each distinct
 * setting once.
 *
 *   fact     | chunk + 1 | event | name | value |      strings, the value an attribute with it
 *   setting  | event | name | value | 0 |              strings; the event is "" where the chunk does not define its id
 */
import * as FactRow from "../abi/rows/fact-row";
import { ownRowTable, RowTable } from "../memory/row-table";

export const facts: RowTable = ownRowTable(FactRow.BYTES >> 2, 64);
export const settings: RowTable = ownRowTable(FactRow.SETTING_BYTES >> 2, 64);

export function noteFact(chunk: u32, event: u32, name: u32, value: u32): void {
  const row = facts.draft;
  store<u32>(row, chunk + 1, FactRow.CHUNK);
  store<u32>(row, event, FactRow.EVENT);
  store<u32>(row, name, FactRow.NAME);
  store<u32>(row, value, FactRow.VALUE);
  facts.intern();
}

export function noteSetting(event: u32, name: u32, value: u32): void {
  const row = settings.draft;
  store<u32>(row, event, FactRow.SETTING_EVENT);
  store<u32>(row, name, FactRow.SETTING_NAME);
  store<u32>(row, value, FactRow.SETTING_VALUE);
  settings.intern();
}

/** Rows of facts, from 1 on. */
export function factRows(): usize {
  return facts.rows;
}

export function factCount(): u32 {
  return facts.count;
}

export function settingRows(): usize {
  return settings.rows;
}

export function settingCount(): u32 {
  return settings.count;
}
