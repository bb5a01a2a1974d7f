/**
 * Samples as JSON. Text is written front to back, so two orders are made first, by counting: the selected samples of each
 * profile, and the observations of each selected sample.
 */
import { EVENT_PROFILE, EVENT_SHAPE, eventAt, profileCount, Shape } from "../store/profiles";
import {
  BLOCK_ROWS,
  OBSERVATION_BYTES,
  OBSERVATION_SAMPLE,
  OBSERVATION_TIME,
  observationBlock,
  observationCount,
  SAMPLE_BYTES,
  SAMPLE_COUNT,
  SAMPLE_EVENT,
  SAMPLE_LINK,
  SAMPLE_SET,
  SAMPLE_STACK,
  SAMPLE_THREAD,
  sampleAt,
  sampleCount,
  sampleRows,
} from "../store/samples";
import { sets, THREAD_ID, THREAD_NAME, threads } from "../store/tables";
import { at } from "./columns";
import {
  closeList,
  closeObject,
  indexMember,
  key,
  listIndex,
  listSigned,
  listUnsigned,
  openElement,
  openList,
} from "./json";
import { scratch, zeroed } from "./output";
import { eventAttributes, eventLabel, linkAttributes } from "./own";
import { OUTPUT_AGGREGATED, OUTPUT_FLAGS, OUTPUT_PROFILE, OUTPUT_SCALE, OUTPUT_SOURCE, outputAt, Source } from "./plan";
import {
  attributeMap,
  linkMap,
  profileSamples,
  reachedObservations,
  reachedSamples,
  rootSets,
  selected,
  stackMap,
} from "./reach";
import { observedValue, setBlock, setLayer, sumOf } from "./values";

/** Sample rows by profile, and where the rows of each profile end. */
let order: usize = 0;
let orderEnds: usize = 0;
/** Pointers to observations by sample, and where those of each sample end; 0 for a sample that is not selected. */
let observations: usize = 0;
let observationEnds: usize = 0;
/** Second values are written: which block an observation is in matters. */
let blocked: bool = false;
/** The output whose samples are written. */
let written: u32 = 0;

export function orderSamples(mask: usize): void {
  orderEnds = zeroed(profileCount);
  let start: u32 = 0;
  for (let i: u32 = 0; i < profileCount; i++) {
    store<u32>(orderEnds + ((<usize>i) << 2), start);
    start += at(profileSamples, i);
  }
  order = scratch((<u64>reachedSamples) << 2);
  observationEnds = zeroed(sampleCount);
  observations = scratch((<u64>reachedObservations) << 2);
  let first = <u32>observations;
  let p = sampleRows;
  for (let row: u32 = 1; row < sampleCount; row++) {
    p += SAMPLE_BYTES;
    if (!selected(mask, row, p)) continue;
    const cursor = orderEnds + ((<usize>load<u32>(eventAt(load<u32>(p, SAMPLE_EVENT)), EVENT_PROFILE)) << 2);
    const n = load<u32>(cursor);
    store<u32>(order + ((<usize>n) << 2), row);
    store<u32>(cursor, n + 1);
    store<u32>(observationEnds + ((<usize>row) << 2), first);
    first += load<u32>(p, SAMPLE_COUNT) << 2;
  }
  orderObservations();
}

function orderObservations(): void {
  let left = observationCount;
  for (let b: u32 = 0; left !== 0; b++) {
    const n = min<u32>(left, BLOCK_ROWS);
    left -= n;
    let p = observationBlock(b);
    for (const end = p + <usize>n * OBSERVATION_BYTES; p < end; p += OBSERVATION_BYTES) {
      const cursor = observationEnds + ((<usize>load<u32>(p, OBSERVATION_SAMPLE)) << 2);
      const q = <usize>load<u32>(cursor);
      if (q === 0) continue;
      store<u32>(q, <u32>p);
      store<u32>(cursor, <u32>q + 4);
    }
  }
}

/** The elements of the `samples` array of output `i`. */
export function writeSamplesJson(i: u32): void {
  const output = outputAt(i);
  const profile = load<u32>(output, OUTPUT_PROFILE);
  const source = load<u32>(output, OUTPUT_SOURCE);
  const aggregated = (load<u32>(output, OUTPUT_FLAGS) & OUTPUT_AGGREGATED) !== 0;
  setLayer(source, load<u64>(output, OUTPUT_SCALE));
  blocked = source === <u32>Source.Second;
  written = i;
  const end = at(orderEnds, profile);
  for (let n = end - at(profileSamples, profile); n < end; n++) writeSample(at(order, n), aggregated);
}

function writeSample(row: u32, aggregated: bool): void {
  const p = sampleAt(row);
  const event = load<u32>(p, SAMPLE_EVENT);
  const link = load<u32>(p, SAMPLE_LINK);
  openElement();
  indexMember("stackIndex", at(stackMap, load<u32>(p, SAMPLE_STACK)));
  const thread = load<u32>(p, SAMPLE_THREAD);
  beginAttributes();
  listAttribute(eventLabel(written, event));
  listAttribute(at(eventAttributes, event));
  listAttribute(threads.get(thread, THREAD_NAME));
  listAttribute(threads.get(thread, THREAD_ID));
  listAttribute(at(linkAttributes, link));
  listSet(load<u32>(p, SAMPLE_SET));
  if (rootSets !== 0) listSet(at(rootSets, link));
  endAttributes();
  indexMember("linkIndex", at(linkMap, link));
  writeObservations(row, p, aggregated ? <u32>Shape.Values : load<u32>(eventAt(event), EVENT_SHAPE));
  closeObject();
}

function writeObservations(row: u32, p: usize, shape: u32): void {
  const end = <usize>at(observationEnds, row);
  const start = end - ((<usize>load<u32>(p, SAMPLE_COUNT)) << 2);
  if (shape !== <u32>Shape.Times) {
    key("values");
    openList();
    if (shape === <u32>Shape.Values) listSigned(<i64>sumOf(row, p));
    else for (let q = start; q < end; q += 4) listSigned(<i64>writtenValue(<usize>load<u32>(q)));
    closeList();
  }
  if (shape === <u32>Shape.Values) return;
  key("timestampsUnixNano");
  openList();
  for (let q = start; q < end; q += 4) listUnsigned(load<u64>(<usize>load<u32>(q), OBSERVATION_TIME));
  closeList();
}

/** The value to write of the observation at `p`. Only second values have to know which observation it is. */
function writtenValue(p: usize): u64 {
  if (blocked) {
    let b: u32 = 0;
    while (p < observationBlock(b) || p >= observationBlock(b) + <usize>BLOCK_ROWS * OBSERVATION_BYTES) b++;
    setBlock(b, observationBlock(b));
  }
  return observedValue(p);
}

/** Nothing is in the list of attributes yet: its member is not there. */
let noAttributes: bool = true;

function beginAttributes(): void {
  noAttributes = true;
}

function listSet(set: u32): void {
  const p = sets.pointer(set);
  const n = sets.size(set);
  for (let o: u32 = 0; o < n; o += 4) listAttribute(load<u32>(p + o));
}

function listAttribute(attribute: u32): void {
  if (attribute === 0) return;
  if (noAttributes) {
    key("attributeIndices");
    openList();
    noAttributes = false;
  }
  listIndex(at(attributeMap, attribute));
}

function endAttributes(): void {
  if (!noAttributes) closeList();
}
