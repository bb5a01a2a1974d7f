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
import * as json from "../json";
import * as OutputRow from "../output-row";
import { timeUnixNano } from "../scope";
import { timeCount, timedObservation } from "../times";
import { emptyColumn, endTables, growTables, nodeOf, writeTables } from "./firefox-tables";
import { openTrack, stackAt, threadId, threadName, trackValue } from "./tracks";

/** Writes a track, and returns how many samples it has. */
export function writeThread(output: usize, track: u32, process: u32): u32 {
  openTrack(track);
  growTables();
  json.openElement();
  writeHead(output, track, process);
  json.key("samples");
  json.openObject();
  writeSamples(load<u32>(output, OutputRow.UNIT));
  json.closeObject();
  writeMarkers();
  writeTables();
  json.closeObject();
  endTables();
  return timeCount;
}

function writeHead(output: usize, track: u32, process: u32): void {
  const type = load<u32>(output, OutputRow.TYPE);
  const name = threadName(track);
  json.key("processType");
  json.word('"default"');
  json.key("processName");
  json.stringText(type);
  json.key("processStartupTime");
  json.index(0);
  json.key("processShutdownTime");
  json.word("null");
  json.key("registerTime");
  json.index(0);
  json.key("unregisterTime");
  json.word("null");
  json.key("pausedRanges");
  json.openList();
  json.closeList();
  json.key("name");
  json.stringText(name);
  json.key("isMainThread");
  json.word(stringIs(name, "main") ? "true" : "false");
  json.key("pid");
  json.unsigned(process);
  json.key("tid");
  json.number(threadId(track));
}

function writeSamples(unit: u32): void {
  const isTime = stringIs(unit, "nanoseconds");
  const start = timeUnixNano();
  json.key("length");
  json.index(timeCount);
  json.key("stack");
  json.openList();
  for (let i: u32 = 0; i < timeCount; i++) json.listIndex(nodeOf(stackAt(i)));
  json.closeList();
  json.key("time");
  json.openList();
  for (let i: u32 = 0; i < timeCount; i++)
    json.listMillis(sinceStart(load<u64>(timedObservation(i), ObservationRow.TIME), start));
  json.closeList();
  json.key("weight");
  json.openList();
  for (let i: u32 = 0; i < timeCount; i++) {
    if (isTime) json.listMillis(trackValue(i));
    else json.listNumber(trackValue(i));
  }
  json.closeList();
  json.key("weightType");
  if (isTime) json.word('"tracing-ms"');
  else if (stringIs(unit, "bytes")) json.word('"bytes"');
  else json.word('"samples"');
}

/** Observations without a time are at the start. A damaged time may be more than an i64 of nanoseconds later. */
function sinceStart(time: u64, start: u64): i64 {
  return time < start ? 0 : <i64>min<u64>(time - start, i64.MAX_VALUE);
}

/** The table is empty, but must exist. */
function writeMarkers(): void {
  json.key("markers");
  json.openObject();
  json.key("length");
  json.index(0);
  emptyColumn("data");
  emptyColumn("name");
  emptyColumn("startTime");
  emptyColumn("endTime");
  emptyColumn("phase");
  emptyColumn("category");
  json.closeObject();
}
