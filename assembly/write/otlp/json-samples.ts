/** Samples as JSON: text is written from front to back, so in the orders of sample-order.ts. */

import * as ProfileRow from "../../abi/rows/profile-row";
import * as WritePlan from "../../abi/write-plan";
import { Measure } from "../../store/measure";
import { eventAt, Shape } from "../../store/profiles";
import * as ObservationRow from "../../store/rows/observation-row";
import * as SampleRow from "../../store/rows/sample-row";
import * as ThreadRow from "../../store/rows/thread-row";
import { sets, threads } from "../../store/tables";
import { setOf } from "../carried";
import { at } from "../columns";
import * as json from "../json";
import { maskedAt } from "../mask";
import * as OutputRow from "../output-row";
import { outputAt } from "../plan";
import { attributeMap, linkMap, profileSamples, rootSets, stackMap } from "../reach";
import { observationsEnd, observationsStart, rowsOf, valueAt } from "../sample-order";
import { listOf } from "../set-lists";
import { setLayer, sumOf } from "../values";
import { eventAttributes, eventLabel, linkAttributes } from "../writer-attributes";

/** Second values are written. */
let blocked: bool = false;
/** The output whose samples are written. */
let written: u32 = 0;

/** The elements of the `samples` array of output `i`. */
export function writeSamplesJson(i: u32): void {
  const output = outputAt(i);
  const profile = load<u32>(output, OutputRow.PROFILE);
  const source = load<u32>(output, OutputRow.MEASURE);
  const aggregated = (load<u32>(output, OutputRow.FLAGS) & WritePlan.OUTPUT_AGGREGATED) !== 0;
  setLayer(output);
  blocked = source === <u32>Measure.Second;
  written = i;
  const rows = rowsOf(profile);
  for (let n: u32 = 0; n < at(profileSamples, profile); n++) writeSample(at(rows, n), aggregated);
}

function writeSample(row: u32, aggregated: bool): void {
  const p = maskedAt(row);
  const event = load<u32>(p, SampleRow.EVENT);
  const link = load<u32>(p, SampleRow.LINK);
  json.openElement();
  json.indexMember("stackIndex", at(stackMap, load<u32>(p, SampleRow.STACK)));
  const thread = load<u32>(p, SampleRow.THREAD);
  beginAttributes();
  listAttribute(eventLabel(written, event));
  listAttribute(at(eventAttributes, event));
  listAttribute(threads.get(thread, ThreadRow.NAME));
  listAttribute(threads.get(thread, ThreadRow.ID));
  listAttribute(at(linkAttributes, link));
  listSet(setOf(event, load<u32>(p, SampleRow.SET)));
  if (rootSets !== 0) listSet(at(rootSets, link));
  endAttributes();
  json.indexMember("linkIndex", at(linkMap, link));
  writeObservations(row, p, aggregated ? <u32>Shape.Values : load<u32>(eventAt(event), ProfileRow.EVENT_SHAPE));
  json.closeObject();
}

function writeObservations(row: u32, p: usize, shape: u32): void {
  const end = observationsEnd(row);
  const start = observationsStart(row);
  if (shape !== <u32>Shape.Times) {
    json.key("values");
    json.openList();
    if (shape === <u32>Shape.Values) json.listSigned(<i64>sumOf(row, p));
    else for (let q = start; q < end; q += 4) json.listSigned(<i64>valueAt(<usize>load<u32>(q), blocked));
    json.closeList();
  }
  if (shape === <u32>Shape.Values) return;
  json.key("timestampsUnixNano");
  json.openList();
  for (let q = start; q < end; q += 4) json.listUnsigned(load<u64>(<usize>load<u32>(q), ObservationRow.TIME));
  json.closeList();
}

/** Nothing is in the list of attributes yet: its member is absent. */
let noAttributes: bool = true;

function beginAttributes(): void {
  noAttributes = true;
}

function listSet(set: u32): void {
  const p = listOf(set);
  const n = sets.size(set);
  for (let o: u32 = 0; o < n; o += 4) listAttribute(load<u32>(p + o));
}

function listAttribute(attribute: u32): void {
  if (attribute === 0) return;
  if (noAttributes) {
    json.key("attributeIndices");
    json.openList();
    noAttributes = false;
  }
  json.listIndex(at(attributeMap, attribute));
}

function endAttributes(): void {
  if (!noAttributes) json.closeList();
}
