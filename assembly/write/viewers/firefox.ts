/**
 * A selection as a processed profile of the Firefox Profiler, version 58, the last whose tables are documented one by
 * one (https://github.com/firefox-devtools/profiler/blob/main/docs-developer/CHANGELOG-formats.md); newer profilers
 * upgrade it. An output is a process, each thread of it a thread with its observations in the order of time
 * (firefox-thread.ts).
 *
 *   { meta, libs: [], shared: { stringArray, sources: { length, uuid, filename } }, threads: [ … ] }
 *
 * Strings: 0 is `(no name)`, 1 `(no stack)`; then names and files.
 */

import * as FunctionRow from "../../store/rows/function-row";
import { functions } from "../../store/tables";
import { stringCount, stringIs } from "../added";
import { arrange, at, byUse, mark, marked, number as numberRows, places, rowAt } from "../columns";
import {
  beginJson,
  closeArray,
  closeList,
  closeObject,
  index,
  key,
  listIndex,
  listWord,
  millis,
  openArray,
  openElement,
  openList,
  openObject,
  stringElement,
  word,
  wordElement,
} from "../json";
import { beginOutput, endScratch, newRun, setTotals, zeroed } from "../output";
import * as OutputRow from "../output-row";
import { hasPeriod, outputAt, outputCount } from "../plan";
import { isReached, reach, reachedObservations, reachedOutputs } from "../reach";
import { durationNano, timeUnixNano } from "../scope";
import { reserveTables, setNames } from "./firefox-tables";
import { writeThread } from "./firefox-thread";
import * as PlaceRow from "./place-row";
import { findPlaces, placeAt, placeCount } from "./shown-frames";
import { openOutput, reserveTracks, trackCount } from "./tracks";

/** Index in `stringArray` by string of the store, less 1; the same in `sources` by file name. */
let stringMap: usize = 0;
let sourceMap: usize = 0;
/** Their orders (columns.ts). */
let stringOrder: usize = 0;
let sourceOrder: usize = 0;

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts).
 */
export function writeFirefox(mask: usize, plan: usize, pretty: bool): void {
  beginOutput();
  reach(mask, plan);
  findPlaces();
  reserveTracks();
  reserveTables();
  const sources = gatherStrings();
  setNames(stringMap, sourceMap);
  const run = newRun();
  beginJson(run, pretty);
  openObject();
  key("meta");
  openObject();
  writeMeta();
  closeObject();
  key("libs");
  openList();
  closeList();
  key("shared");
  openObject();
  writeStrings();
  writeSources(sources);
  closeObject();
  key("threads");
  openArray();
  let process: u32 = 0;
  let samples: u32 = 0;
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    process++;
    openOutput(i);
    for (let track: u32 = 0; track < trackCount; track++) samples += writeThread(outputAt(i), track, process);
  }
  closeArray();
  closeObject();
  run.finish();
  run.emit();
  setTotals(reachedOutputs, samples, reachedObservations);
  endScratch();
}

/** Marks names of frames and files of functions; returns how many files there are. */
function gatherStrings(): u32 {
  stringMap = zeroed(stringCount());
  sourceMap = zeroed(stringCount());
  for (let i: u32 = 1; i < placeCount; i++) {
    const file = functions.get(load<u32>(placeAt(i), PlaceRow.FUNCTION), FunctionRow.FILE_NAME);
    mark(stringMap, file);
    mark(sourceMap, file);
    mark(stringMap, load<u32>(placeAt(i), PlaceRow.NAME));
  }
  stringOrder = arrange(stringMap, stringCount());
  sourceOrder = arrange(sourceMap, stringCount());
  if (byUse) return at(sourceOrder, 0) - 1;
  numberRows(stringMap, stringCount());
  return numberRows(sourceMap, stringCount()) - 1;
}

function writeMeta(): void {
  key("interval");
  millis(interval());
  key("startTime");
  millis(<i64>timeUnixNano());
  key("profilingStartTime");
  index(0);
  key("profilingEndTime");
  millis(<i64>durationNano());
  key("processType");
  index(0);
  key("product");
  word('"Spanflame"');
  key("importedFrom");
  word('"Spanflame"');
  key("stackwalk");
  index(1);
  key("version");
  index(31);
  key("preprocessedProfileVersion");
  index(58);
  key("symbolicated");
  word("true");
  key("usesOnlyOneStackType");
  word("true");
  key("sourceCodeIsNotOnSearchfox");
  word("true");
  key("markerSchema");
  openList();
  closeList();
  key("categories");
  openArray();
  // By FrameType.
  writeCategory('"Other"', '"grey"');
  writeCategory('"Java"', '"yellow"');
  writeCategory('"Native"', '"blue"');
  writeCategory('"Kernel"', '"orange"');
  closeArray();
}

/** Nanoseconds between samples: a period that is a time, else 1 ms, because there must be one. */
function interval(): i64 {
  for (let i: u32 = 0; i < outputCount; i++) {
    const output = outputAt(i);
    if (!isReached(i) || !hasPeriod(output)) continue;
    if (stringIs(load<u32>(output, OutputRow.PERIOD_UNIT), "nanoseconds")) return load<i64>(output, OutputRow.PERIOD);
  }
  return 1_000_000;
}

function writeCategory(name: string, color: string): void {
  openElement();
  key("name");
  word(name);
  key("color");
  word(color);
  key("subcategories");
  openList();
  listWord('"Other"');
  closeList();
  closeObject();
}

function writeStrings(): void {
  key("stringArray");
  openArray();
  wordElement('"(no name)"');
  wordElement('"(no stack)"');
  for (let k: u32 = 1; k < places(stringOrder, stringCount()); k++) {
    const i = rowAt(stringOrder, k);
    if (marked(stringMap, i)) stringElement(i);
  }
  closeArray();
}

function writeSources(count: u32): void {
  key("sources");
  openObject();
  key("length");
  index(count);
  key("uuid");
  openList();
  for (let i: u32 = 0; i < count; i++) listWord("null");
  closeList();
  key("filename");
  openList();
  for (let k: u32 = 1; k < places(sourceOrder, stringCount()); k++) {
    const i = rowAt(sourceOrder, k);
    if (marked(sourceMap, i)) listIndex(at(stringMap, i) + 1);
  }
  closeList();
  closeObject();
}
