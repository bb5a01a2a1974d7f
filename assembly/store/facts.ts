/**
 * Facts of the process, and the settings of its recorders. Each distinct fact is kept once per chunk, each distinct
 * setting once.
 *
 *   fact     | chunk + 1 | event | name | value |      strings, the value an attribute with it
 *   setting  | event | name | value | 0 |              strings; the event is "" where the chunk does not define its id
 */
import {
  FACT_BYTES,
  FACT_CHUNK,
  FACT_EVENT,
  FACT_NAME,
  FACT_VALUE,
  SETTING_BYTES,
  SETTING_EVENT,
  SETTING_NAME,
  SETTING_VALUE,
} from "../abi/fact-row";
import { newRowTable, RowTable } from "../memory/row-table";

export let facts: RowTable = changetype<RowTable>(0);
export let settings: RowTable = changetype<RowTable>(0);

export function resetFacts(): void {
  facts = newRowTable(FACT_BYTES >> 2, 64);
  settings = newRowTable(SETTING_BYTES >> 2, 64);
}

export function noteFact(chunk: u32, event: u32, name: u32, value: u32): void {
  const row = facts.draft;
  store<u32>(row, chunk + 1, FACT_CHUNK);
  store<u32>(row, event, FACT_EVENT);
  store<u32>(row, name, FACT_NAME);
  store<u32>(row, value, FACT_VALUE);
  facts.intern();
}

export function noteSetting(event: u32, name: u32, value: u32): void {
  const row = settings.draft;
  store<u32>(row, event, SETTING_EVENT);
  store<u32>(row, name, SETTING_NAME);
  store<u32>(row, value, SETTING_VALUE);
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
