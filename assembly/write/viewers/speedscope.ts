/**
 * A selection as a speedscope file: a "sampled" profile for each output and thread, because its users expect that, and
 * because a timeline over several threads would show simultaneous samples one after the other. Samples are in the order
 * of time; neighbours with the same stack are one, their weights added.
 *
 *   { $schema, exporter, shared: { frames: [{ name, file?, line? }] },
 *     profiles: [{ type, name, unit, startValue, endValue, samples: [[root … leaf]], weights }], activeProfileIndex }
 *
 * Weights below 0, which speedscope refuses, are left out.
 */

import { functionName } from "../../store/frames";
import * as FunctionRow from "../../store/rows/function-row";
import { functions } from "../../store/tables";
import { stringCount, stringIs } from "../added";
import { at, marked, places, rowAt } from "../columns";
import * as json from "../json";
import { beginOutput, endScratch, newRun, scratch, setTotals } from "../output";
import * as OutputRow from "../output-row";
import { outputAt, outputCount, shownTree } from "../plan";
import { functionMap, functionOrder, isReached, reach, reachedObservations, reachedOutputs } from "../reach";
import { version, versionBytes } from "../scope";
import { timeCount } from "../times";
import * as PlaceRow from "./place-row";
import { deepest, findPlaces, isLabel, labelOrder, placeAt, placeCount, shownFrame, unpackStack } from "./shown-frames";
import { openOutput, openTrack, reserveTracks, stackAt, threadName, trackCount, trackValue } from "./tracks";

let profiles: u32 = 0;
let samples: u32 = 0;
/** Places of the current stack. */
let frames: usize = 0;
/** The heaviest profile of the first output, which is shown first. */
let active: u32 = 0;

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts).
 */
export function writeSpeedscope(mask: usize, plan: usize, pretty: bool): void {
  beginOutput();
  reach(mask, plan);
  findPlaces();
  frames = scratch((<u64>deepest) << 2);
  reserveTracks();
  const run = newRun();
  json.beginJson(run, pretty);
  json.openObject();
  json.key("$schema");
  json.word('"https://www.speedscope.app/file-format-schema.json"');
  writeExporter();
  json.key("shared");
  json.openObject();
  json.key("frames");
  json.openArray();
  writeFrames();
  json.closeArray();
  json.closeObject();
  json.key("profiles");
  json.openArray();
  writeProfiles();
  json.closeArray();
  json.key("activeProfileIndex");
  json.number(active);
  json.closeObject();
  run.finish();
  run.emit();
  setTotals(reachedOutputs, samples, reachedObservations);
  endScratch();
}

function writeExporter(): void {
  json.key("exporter");
  json.openText();
  const name = memory.data(32);
  json.textPart(name, <u32>(json.putText(name, "spanflame ") - name));
  json.textPart(version, versionBytes);
  json.closeText();
}

/** Frames are functions: a frame for each line would take a function apart wherever frames are added up. */
function writeFrames(): void {
  writeFrame('"(no stack)"');
  writeFrame('"(no name)"');
  if (shownTree !== 0) {
    for (let i: u32 = 2; i < placeCount; i++) {
      writeFunction(load<u32>(placeAt(i), PlaceRow.NAME), load<u32>(placeAt(i), PlaceRow.FUNCTION));
    }
    return;
  }
  for (let k: u32 = 1; k < places(functionOrder, functions.count); k++) {
    const i = rowAt(functionOrder, k);
    if (marked(functionMap, i)) writeFunction(functionName(i), i);
  }
  for (let k: u32 = 1; k < places(labelOrder, stringCount()); k++) {
    const i = rowAt(labelOrder, k);
    if (isLabel(i)) writeFunction(i, 0);
  }
}

/** The frame of a name; function 0 has no file. */
function writeFunction(name: u32, fn: u32): void {
  const file = functions.get(fn, FunctionRow.FILE_NAME);
  json.openElement();
  json.key("name");
  json.stringText(name);
  if (file !== 0) {
    json.key("file");
    json.stringText(file);
  }
  json.indexMember("line", functions.get(fn, FunctionRow.START_LINE));
  json.closeObject();
}

function writeFrame(name: string): void {
  json.openElement();
  json.key("name");
  json.word(name);
  json.closeObject();
}

function writeProfiles(): void {
  profiles = 0;
  samples = 0;
  active = 0;
  let isFirst: bool = true;
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    openOutput(i);
    let heaviest: i64 = -1;
    for (let track: u32 = 0; track < trackCount; track++) {
      openTrack(track);
      const weight = totalWeight();
      writeProfile(outputAt(i), track, weight);
      if (isFirst && weight > heaviest) {
        heaviest = weight;
        active = profiles;
      }
      profiles++;
    }
    isFirst = false;
  }
}

/** The weights of a track together. Damaged values may be more than an i64 has room for: the last ones are cut. */
function totalWeight(): i64 {
  let left: i64 = i64.MAX_VALUE;
  for (let i: u32 = 0; i < timeCount; i++) left -= weightOf(i, left);
  return i64.MAX_VALUE - left;
}

/** The value of observation `i` of the track, at least 0 and at most `left`. */
function weightOf(i: u32, left: i64): i64 {
  return min<i64>(max<i64>(trackValue(i), 0), left);
}

function writeProfile(output: usize, track: u32, weight: i64): void {
  json.openElement();
  json.key("type");
  json.word('"sampled"');
  json.key("name");
  writeName(load<u32>(output, OutputRow.TYPE), threadName(track));
  json.key("unit");
  writeUnit(load<u32>(output, OutputRow.UNIT));
  json.key("startValue");
  json.number(0);
  json.key("endValue");
  json.number(weight);
  json.key("samples");
  json.openArray();
  for (beginJoined(); nextJoined(); ) writeStack();
  json.closeArray();
  json.key("weights");
  json.openList();
  for (beginJoined(); nextJoined(); ) {
    json.listNumber(joinedWeight);
    samples++;
  }
  json.closeList();
  json.closeObject();
}

/** `cpu: main`. */
function writeName(type: u32, thread: u32): void {
  json.openText();
  json.stringPart(type);
  if (thread !== 0) {
    const colon = memory.data(8);
    store<u16>(colon, 0x203a);
    json.textPart(colon, 2);
    json.stringPart(thread);
  }
  json.closeText();
}

/** A unit that speedscope knows, else "none". */
function writeUnit(unit: u32): void {
  const isKnown =
    stringIs(unit, "nanoseconds") ||
    stringIs(unit, "microseconds") ||
    stringIs(unit, "milliseconds") ||
    stringIs(unit, "seconds") ||
    stringIs(unit, "bytes");
  if (isKnown) json.stringText(unit);
  else json.word('"none"');
}

/** The next observation, and those after it that share its stack. */
let joinAt: u32 = 0;
let joinedStack: u32 = 0;
let joinedWeight: i64 = 0;
let weightLeft: i64 = 0;

function beginJoined(): void {
  joinAt = 0;
  weightLeft = i64.MAX_VALUE;
}

function nextJoined(): bool {
  joinedWeight = 0;
  while (joinAt < timeCount) {
    const stack = stackAt(joinAt);
    if (joinedWeight !== 0 && stack !== joinedStack) return true;
    joinedStack = stack;
    const weight = weightOf(joinAt, weightLeft);
    joinedWeight += weight;
    weightLeft -= weight;
    joinAt++;
  }
  return joinedWeight !== 0;
}

function writeStack(): void {
  json.openListElement();
  for (let i = unpackStack(joinedStack, frames); i > 0; i--) json.listIndex(shownFrame(at(frames, i - 1)));
  json.closeList();
}
