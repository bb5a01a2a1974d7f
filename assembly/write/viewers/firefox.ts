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
import * as json from "../json";
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
  json.beginJson(run, pretty);
  json.openObject();
  json.key("meta");
  json.openObject();
  writeMeta();
  json.closeObject();
  json.key("libs");
  json.openList();
  json.closeList();
  json.key("shared");
  json.openObject();
  writeStrings();
  writeSources(sources);
  json.closeObject();
  json.key("threads");
  json.openArray();
  let process: u32 = 0;
  let samples: u32 = 0;
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    process++;
    openOutput(i);
    for (let track: u32 = 0; track < trackCount; track++) samples += writeThread(outputAt(i), track, process);
  }
  json.closeArray();
  json.closeObject();
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
  json.key("interval");
  json.millis(interval());
  json.key("startTime");
  json.millis(<i64>timeUnixNano());
  json.key("profilingStartTime");
  json.index(0);
  json.key("profilingEndTime");
  json.millis(<i64>durationNano());
  json.key("processType");
  json.index(0);
  json.key("product");
  json.word('"Spanflame"');
  json.key("importedFrom");
  json.word('"Spanflame"');
  json.key("stackwalk");
  json.index(1);
  json.key("version");
  json.index(31);
  json.key("preprocessedProfileVersion");
  json.index(58);
  json.key("symbolicated");
  json.word("true");
  json.key("usesOnlyOneStackType");
  json.word("true");
  json.key("sourceCodeIsNotOnSearchfox");
  json.word("true");
  json.key("markerSchema");
  json.openList();
  json.closeList();
  json.key("categories");
  json.openArray();
  for (let i = 0; i < CATEGORIES.length; i += 2) writeCategory(CATEGORIES[i], CATEGORIES[i + 1]);
  json.closeArray();
}

/** Name and colour by FrameType; the viewer has these colours only. */
const CATEGORIES: StaticArray<string> = [
  '"Other"',
  '"grey"',
  '"Java"',
  '"yellow"',
  '"Native"',
  '"blue"',
  '"Kernel"',
  '"orange"',
  '"Erlang"',
  '"red"',
  '"Python"',
  '"lightblue"',
  '"CUDA"',
  '"green"',
  '".NET"',
  '"purple"',
  '"Go"',
  '"lightblue"',
  '"Lua"',
  '"magenta"',
  '"Perl"',
  '"brown"',
  '"PHP"',
  '"purple"',
  '"Ruby"',
  '"red"',
  '"Rust"',
  '"brown"',
  '"JavaScript"',
  '"yellow"',
];

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
  json.openElement();
  json.key("name");
  json.word(name);
  json.key("color");
  json.word(color);
  json.key("subcategories");
  json.openList();
  json.listWord('"Other"');
  json.closeList();
  json.closeObject();
}

function writeStrings(): void {
  json.key("stringArray");
  json.openArray();
  json.wordElement('"(no name)"');
  json.wordElement('"(no stack)"');
  for (let k: u32 = 1; k < places(stringOrder, stringCount()); k++) {
    const i = rowAt(stringOrder, k);
    if (marked(stringMap, i)) json.stringElement(i);
  }
  json.closeArray();
}

function writeSources(count: u32): void {
  json.key("sources");
  json.openObject();
  json.key("length");
  json.index(count);
  json.key("uuid");
  json.openList();
  for (let i: u32 = 0; i < count; i++) json.listWord("null");
  json.closeList();
  json.key("filename");
  json.openList();
  for (let k: u32 = 1; k < places(sourceOrder, stringCount()); k++) {
    const i = rowAt(sourceOrder, k);
    if (marked(sourceMap, i)) json.listIndex(at(stringMap, i) + 1);
  }
  json.closeList();
  json.closeObject();
}
