/**
 * Entry of the read-only test: the core, and all tables of its store as runs of bytes. Numbers outside of tables
 * (counts, times) are a run, too. Not part of the core.
 *
 *   run   | pointer u32 | size u32 |
 */

import * as DiagnosticRow from "../abi/rows/diagnostic-row";
import * as Slice from "../abi/slice";
import { BytesTable } from "../memory/bytes-table";
import { KeyTable } from "../memory/key-table";
import { RowSlots } from "../memory/row-slots";
import { RowTable } from "../memory/row-table";
import { setSlice } from "../memory/slice";
import { Slots } from "../memory/slots";
import { diagnosticCount, diagnosticRows } from "../store/diagnostics";
import { facts, settings } from "../store/facts";
import { incidentCount, incidentRows, incidentsBeyond } from "../store/incidents";
import { measurements, measurementsBeyond } from "../store/measurements";
import {
  cataloguedProfiles,
  eventAt,
  eventCount,
  profileAt,
  profileCount,
  recordingEnd,
  recordingStart,
} from "../store/profiles";
import { rootSets, roots } from "../store/roots";
import * as ObservationRow from "../store/rows/observation-row";
import * as SampleRow from "../store/rows/sample-row";
import { earliest, latest, observationBlock, observationCount, sampleCount, sampleRows } from "../store/samples";
import { secondSum } from "../store/second-sums";
import { secondBlock } from "../store/seconds";
import { waiting } from "../store/snapshots";
import {
  attributes,
  encoded,
  functions,
  links,
  locationDetails,
  locations,
  mappings,
  plainLocations,
  sets,
  stacks,
  strings,
  threads,
} from "../store/tables";

export * from "../index";

const runs: usize = memory.data(1 << 20, 8);
const numbers: usize = memory.data(1 << 20, 8);
let runCount: u32 = 0;
let numberCount: u32 = 0;

/** Lists the runs and returns how many they are. */
export function storeRuns(): u32 {
  runCount = 0;
  numberCount = 0;
  addBytes(strings);
  addBytes(locationDetails);
  addBytes(stacks);
  addBytes(encoded);
  addBytes(sets);
  addRows(functions);
  addRows(mappings);
  addRows(locations);
  addRows(links);
  addRows(attributes);
  addRows(threads);
  addRows(facts);
  addRows(settings);
  addKeys(plainLocations);
  addKeys(roots);
  addRun(rootSets.at, rootSets.size);
  addRun(waiting.at, waiting.size);
  addRun(incidentRows(), (<usize>incidentCount()) << 5);
  addRows(measurements);
  addRun(diagnosticRows(), <usize>diagnosticCount * DiagnosticRow.BYTES);
  if (profileCount !== 0) addRun(profileAt(0), profileAt(profileCount) - profileAt(0));
  if (eventCount !== 0) addRun(eventAt(0), eventAt(eventCount) - eventAt(0));
  addSamples();
  addNumber(incidentsBeyond);
  addNumber(measurementsBeyond);
  addNumber(cataloguedProfiles);
  addNumber(recordingStart);
  addNumber(recordingEnd);
  addNumber(earliest);
  addNumber(latest);
  addRun(numbers, (<usize>numberCount) << 3);
  return runCount;
}

export function runRows(): usize {
  return runs;
}

export function storeStrings(): u32 {
  return strings.count;
}

function addSamples(): void {
  addRun(sampleRows, <usize>sampleCount * SampleRow.BYTES);
  for (let row: u32 = 1; row < sampleCount; row++) if (secondSum(row) !== 0) addNumber(secondSum(row));
  for (let b: u32 = 0; b * ObservationRow.BLOCK_ROWS < observationCount; b++) {
    const n = <usize>min<u32>(observationCount - b * ObservationRow.BLOCK_ROWS, ObservationRow.BLOCK_ROWS);
    addRun(observationBlock(b), n * ObservationRow.BYTES);
    if (secondBlock(b) !== 0) addRun(secondBlock(b), n << 3);
  }
}

function addRun(at: usize, size: usize): void {
  setSlice(runs + <usize>runCount * Slice.BYTES, at, <u32>size);
  runCount++;
}

function addNumber(v: u64): void {
  store<u64>(numbers + ((<usize>numberCount) << 3), v);
  numberCount++;
}

function addSlots(table: Slots): void {
  addRun(table.at, (<usize>table.mask + 1) << 3);
  addNumber(table.used);
}

function addRowSlots(table: RowSlots): void {
  addRun(table.at, (<usize>table.mask + 1) << 2);
  addNumber(table.used);
}

/** Its slots, its entries, and their bytes, those side by side as one run. */
function addBytes(table: BytesTable): void {
  addSlots(table);
  addRun(table.entries, (<usize>table.count) << 3);
  let start: usize = 0;
  let end: usize = 0;
  for (let i: u32 = 1; i < table.count; i++) {
    if (table.pointer(i) !== end) {
      addRun(start, end - start);
      start = table.pointer(i);
      end = start;
    }
    end += table.size(i);
  }
  addRun(start, end - start);
}

function addRows(table: RowTable): void {
  addRowSlots(table);
  addRun(table.rows, (<usize>(table.count * table.words)) << 2);
}

function addKeys(table: KeyTable): void {
  addRun(table.at, (<usize>table.mask + 1) << 4);
  addNumber(table.used);
}
