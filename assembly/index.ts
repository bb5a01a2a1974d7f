/** The functions of the wasm module; no logic here. Pointers are unsigned 32-bit, sizes in bytes. */
export {
  arenaBytes,
  exhausted,
  freeReserved,
  growReserved,
  missingBytes,
  setMemoryLimit,
  tryReserve,
  usedBytes,
} from "./memory/arena";
export { contentHash, seedHashes } from "./memory/hash";
export { endMerging, mergePart } from "./merge/merge";
export { beginPart, partPointer, writePart } from "./merge/part";
export {
  beginDumpRun,
  beginFrames,
  beginStreamFile,
  beginTraces,
  endDictionary,
  endDumpRun,
  endFrames,
  endPauses,
  endTrace,
  faultBlock,
  faultPosition,
  listedCount,
  listedFrames,
  listedTagCount,
  listedTagRows,
  loseEvents,
  pushBytes,
  referencedText,
  resumeTexts,
  resumeTrace,
  setRunResource,
  skipTo,
  streamFault,
  tallyCount,
  tallyRows,
} from "./read/cdt/dump";
export { referenceEnd, referenceRow } from "./read/cdt/references";
export { tallyNames, tallyPath } from "./read/cdt/tally";
export { callMarks, firstFile, firstOffset, isWalkOver } from "./read/cdt/walk";
export { bytesLeft, close, endFile, messageSamples, open, scan, step } from "./read/input";
export { loadCatalogue } from "./read/jfr/catalogue";
export { reportPointer, reportSize, reportSoFar } from "./read/jfr/chunk";
export { keepContexts } from "./read/jfr/contexts/scopes";
export { PERIODS_BYTES, periodsInFile } from "./read/jfr/periods";
export { leafFunctions, leavesPointer, librarySet, markLibraries } from "./read/library-marks";
export { beginMessages } from "./read/otlp/message";
export { setWanted } from "./read/wanted";
export { recover, reset, takeListBack, takeSamplesBack } from "./reset";
export { callCount, callParamsPointer, callParamsSize, callRows } from "./store/calls";
export { forgetSources, noteSource, sourceCount, sourceRows } from "./store/code-sources";
export {
  borderCount,
  borderRows,
  contextCount,
  contextRows,
  forgetContexts,
  notedCount,
  notedRows,
  threadCount,
  threadRows,
  waitCount,
  waitRows,
} from "./store/contexts";
export { diagnosticCount, diagnosticRows } from "./store/diagnostics";
export { factCount, factRows, settingCount, settingRows } from "./store/facts";
export { frameGeneration, functionName, renewFrames } from "./store/frames";
export { copiedCount, copiesEnd } from "./store/held/copies";
export { copyFrom, divideWaits, isCopied } from "./store/held/divided";
export { freeCount, markFrees } from "./store/held/frees";
export { idHigh, idLow, nextRootId, setIdNames } from "./store/id-names";
export { incidentCount, incidentRows, incidentsBeyond } from "./store/incidents";
export { inferContexts, mergeSets, notedPage } from "./store/inferred";
export { markSamples } from "./store/mark";
export { measurementCount, measurementRows, measurementsBeyond } from "./store/measurements";
export { eventAt, eventCount, openedEnd, openedStart, profileAt, profileCount } from "./store/profiles";
export { paramRows, pauseCount, pauseRows, runRow, wordText } from "./store/runs";
export {
  countedOnly,
  earliest,
  forgetLookups,
  latest,
  observationCount,
  sampleCount,
  separateSamples,
} from "./store/samples";
export { skippedInFamily } from "./store/skipped";
export { dropWaiting, endListCount, endListRows, settledCount, settledRuns } from "./store/snapshots";
export { setSpanTraces } from "./store/span-traces";
export { addSpans, spanCount, spanRoom, spanRows, spanSet } from "./store/spans";
export { beginSymbol, clearSymbols, endSymbol, symbolFunction, symbolLine, symbolText } from "./store/symbols";
export {
  attributeKey,
  attributeType,
  attributeValue,
  encodedPointer,
  encodedSize,
  internAttribute,
  normaliseNames,
  stringPointer,
  stringSize,
} from "./store/tables";
export { labelThreads } from "./store/threads/labels";
export { joinThreads } from "./store/threads/rows";
export * from "./view/views";
export { observationPage } from "./write/observation-page";
export { writeOtlpJson } from "./write/otlp/json";
export { writeOtlpProtobuf } from "./write/otlp/protobuf";
export {
  freeOutput,
  segmentCount,
  segments,
  writeLast,
  writtenObservations,
  writtenProfiles,
  writtenSamples,
} from "./write/output";
export { planRoom } from "./write/plan";
export { writePprof } from "./write/pprof/profile";
export { divideProcesses, joinProcesses } from "./write/processes";
export { setVersion } from "./write/scope";
export { storeColumns } from "./write/store-columns";
export { writeCollapsed } from "./write/viewers/collapsed";
export { writeFirefox } from "./write/viewers/firefox";
export { writeSpeedscope } from "./write/viewers/speedscope";
