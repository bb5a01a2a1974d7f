/**
 * One thread of a processed profile of the Firefox Profiler: its samples, and the tables that they refer to
 * (firefox-tables.ts).
 *
 *   { processType, processName, pid, tid, name, …, samples: { length, stack, time, weight, weightType },
 *     markers, stackTable, frameTable, funcTable, resourceTable, nativeSymbols }
 *
 * Times, and weights of the unit nanoseconds, are milliseconds, exact to the nanosecond.
 */

import * as ObservationRow from "../../store/rows/observation-row";
import { stringIs } from "../added";
import {
  closeList,
  closeObject,
  index,
  key,
  listIndex,
  listMillis,
  listNumber,
  number,
  openElement,
  openList,
  openObject,
  stringText,
  unsigned,
  word,
} from "../json";
import * as OutputRow from "../output-row";
import { timeUnixNano } from "../scope";
import { timeCount, timedObservation } from "../times";
import { emptyColumn, endTables, growTables, nodeOf, writeTables } from "./firefox-tables";
import { openTrack, stackAt, threadId, threadName, trackValue } from "./tracks";

/** Writes a track, and returns how many samples it has. */
export function writeThread(output: usize, track: u32, process: u32): u32 {
  openTrack(track);
  growTables();
  openElement();
  writeHead(output, track, process);
  key("samples");
  openObject();
  writeSamples(load<u32>(output, OutputRow.UNIT));
  closeObject();
  writeMarkers();
  writeTables();
  closeObject();
  endTables();
  return timeCount;
}

function writeHead(output: usize, track: u32, process: u32): void {
  const type = load<u32>(output, OutputRow.TYPE);
  const name = threadName(track);
  key("processType");
  word('"default"');
  key("processName");
  stringText(type);
  key("processStartupTime");
  index(0);
  key("processShutdownTime");
  word("null");
  key("registerTime");
  index(0);
  key("unregisterTime");
  word("null");
  key("pausedRanges");
  openList();
  closeList();
  key("name");
  stringText(name);
  key("isMainThread");
  word(stringIs(name, "main") ? "true" : "false");
  key("pid");
  unsigned(process);
  key("tid");
  number(threadId(track));
}

function writeSamples(unit: u32): void {
  const isTime = stringIs(unit, "nanoseconds");
  const start = timeUnixNano();
  key("length");
  index(timeCount);
  key("stack");
  openList();
  for (let i: u32 = 0; i < timeCount; i++) listIndex(nodeOf(stackAt(i)));
  closeList();
  key("time");
  openList();
  for (let i: u32 = 0; i < timeCount; i++)
    listMillis(sinceStart(load<u64>(timedObservation(i), ObservationRow.TIME), start));
  closeList();
  key("weight");
  openList();
  for (let i: u32 = 0; i < timeCount; i++) {
    if (isTime) listMillis(trackValue(i));
    else listNumber(trackValue(i));
  }
  closeList();
  key("weightType");
  if (isTime) word('"tracing-ms"');
  else if (stringIs(unit, "bytes")) word('"bytes"');
  else word('"samples"');
}

/** Observations without a time are at the start. A damaged time may be more than an i64 of nanoseconds later. */
function sinceStart(time: u64, start: u64): i64 {
  return time < start ? 0 : <i64>min<u64>(time - start, i64.MAX_VALUE);
}

/** The table is empty, but must exist. */
function writeMarkers(): void {
  key("markers");
  openObject();
  key("length");
  index(0);
  emptyColumn("data");
  emptyColumn("name");
  emptyColumn("startTime");
  emptyColumn("endTime");
  emptyColumn("phase");
  emptyColumn("category");
  closeObject();
}
