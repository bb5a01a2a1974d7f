/**
 * A selection as a pprof profile, not packed. The outputs of the plan are its sample types; docs/formats.md lists the
 * data that it keeps and loses.
 *
 *   Profile   { sample_type 1 …, sample 2 …, mapping 3 …, location 4 …, function 5 …, string_table 6 …, time_nanos 9,
 *               duration_nanos 10, period_type 11, period 12, default_sample_type 14 }
 *   ValueType { type 1, unit 2 }
 */

import * as WritePlan from "../../abi/write-plan";
import { beginOutput, endScratch, newRun, setTotals } from "../output";
import * as OutputRow from "../output-row";
import { outputAt, outputCount } from "../plan";
import { isReached, reach, reachedObservations, reachedOutputs } from "../reach";
import { orderSamples } from "../sample-order";
import { durationNano, timeUnixNano } from "../scope";
import { reserveTimes } from "../times";
import { fieldSize, putField, putHeader } from "../wire";
import { pprofSamples, writePprofSamples } from "./samples";
import {
  defaultType,
  filePeriod,
  filePeriodType,
  filePeriodUnit,
  gatherStrings,
  hasFilePeriod,
  stringIndex,
} from "./strings";
import { writePprofTables } from "./tables";

/** Room for a ValueType, and for all fields after the tables. */
const ROOM: u64 = 96;

/**
 * Writes the samples that `mask` has a 1 for (one byte per sample row; 0 = all samples) by the plan at `plan`
 * (plan.ts). Times are written when some output is not aggregated.
 */
export function writePprof(mask: usize, plan: usize): void {
  beginOutput();
  reach(mask, plan);
  const timed = isTimed();
  gatherStrings(timed);
  if (timed) {
    orderSamples();
    reserveTimes(reachedObservations);
  }
  const samples = writePprofSamples(timed);
  const tables = writePprofTables();
  const types = newRun();
  for (let i: u32 = 0; i < outputCount; i++) {
    if (!isReached(i)) continue;
    const output = outputAt(i);
    types.at = putType(types.need(ROOM), 0x0a, load<u32>(output, OutputRow.TYPE), load<u32>(output, OutputRow.UNIT));
  }
  types.finish();
  types.emit();
  samples.emit();
  tables.emit();
  if (reachedOutputs !== 0) writeEnd();
  setTotals(reachedOutputs, pprofSamples, reachedObservations);
  endScratch();
}

function isTimed(): bool {
  for (let i: u32 = 0; i < outputCount; i++) {
    if (isReached(i) && (load<u32>(outputAt(i), OutputRow.FLAGS) & WritePlan.OUTPUT_AGGREGATED) === 0) return true;
  }
  return false;
}

/** The time, one period, and the sample type that viewers show first. */
function writeEnd(): void {
  const run = newRun();
  let p = run.need(ROOM);
  p = putField(p, 0x48, timeUnixNano());
  p = putField(p, 0x50, durationNano());
  if (hasFilePeriod) {
    p = putType(p, 0x5a, filePeriodType, filePeriodUnit);
    p = putField(p, 0x60, filePeriod);
  }
  run.at = putField(p, 0x70, stringIndex(defaultType()));
  run.finish();
  run.emit();
}

function putType(p: usize, tag: u8, type: u32, unit: u32): usize {
  const typeIndex = stringIndex(type);
  const unitIndex = stringIndex(unit);
  p = putHeader(p, tag, fieldSize(typeIndex) + fieldSize(unitIndex));
  return putField(putField(p, 0x08, typeIndex), 0x10, unitIndex);
}
