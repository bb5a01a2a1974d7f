/**
 * What recordings say besides samples: facts of the process, and the settings of its recorders. Each distinct one is kept
 * once per chunk or once at all.
 *
 *   fact     | chunk + 1 | event | name | value |      strings, the value an attribute with it
 *   setting  | event | name | value | 0 |              strings; the event is "" where the chunk does not define its id
 */
import { newRowTable, RowTable } from "../memory/row-table";

export const FACT_WORDS: u32 = 4;

export let facts: RowTable = changetype<RowTable>(0);
export let settings: RowTable = changetype<RowTable>(0);

export function resetFacts(): void {
  facts = newRowTable(FACT_WORDS, 64);
  settings = newRowTable(FACT_WORDS, 64);
}

export function noteFact(chunk: u32, event: u32, name: u32, value: u32): void {
  facts.put(0, chunk + 1);
  facts.put(1, event);
  facts.put(2, name);
  facts.put(3, value);
  facts.intern();
}

export function noteSetting(event: u32, name: u32, value: u32): void {
  settings.put(0, event);
  settings.put(1, name);
  settings.put(2, value);
  settings.put(3, 0);
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
