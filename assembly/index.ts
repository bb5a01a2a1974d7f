/** The functions of the wasm module; no logic here. Pointers are unsigned 32-bit, sizes in bytes. */
export { arenaBytes, exhausted, tryReserve } from "./memory/arena";
export { loadCatalogue } from "./read/jfr/catalogue";
export { chunkBytesLeft, closeChunk, openChunk, reportPointer, reportSize, step } from "./read/jfr/chunk";
export { reset } from "./reset";
export { attributeKey, attributeType, attributeValue, stringPointer, stringSize } from "./store/access";
export { diagnosticCount, diagnosticRows } from "./store/diagnostics";
export { factCount, factRows, settingCount, settingRows } from "./store/facts";
export { eventAt, eventCount, profileAt, profileCount } from "./store/profiles";
export { earliest, latest, observationCount } from "./store/samples";
export { endFile } from "./store/snapshots";
export { giveBack, withhold } from "./store/withhold";
export {
  attributeCover,
  attributeKeyRows,
  attributeKeys,
  diffFrames,
  diffRows,
  findString,
  functionNameRows,
  functionNames,
  keepBaseline,
  rankBy,
  rankRows,
  regroupedFrames,
  searchFrames,
  searchRows,
  searchValue,
  selectAttribute,
  selectBegin,
  selectEnd,
  selectedSamples,
  selectedValue,
  selectFrames,
  selectionMask,
  selectPredicate,
  selectRoot,
  selectSpan,
  selectTime,
  summarize,
  summaryEvents,
  summaryProfiles,
  threadActivity,
  threadActivityRows,
  timelineBins,
  topFunctions,
  topRows,
  treeChildRows,
  treeChildren,
  visibleFrames,
} from "./view/views";
export { writeOtlpJson } from "./write/otlp-json";
export { writeOtlpProtobuf } from "./write/otlp-pb";
export {
  freeOutput,
  segmentCount,
  segments,
  writtenObservations,
  writtenProfiles,
  writtenSamples,
} from "./write/output";
export { setVersion } from "./write/scope";
