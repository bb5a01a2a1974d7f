/** The exports of all views. */

export { shownTree, treeChildRows, treeChildren } from "./children";
export { forgetColumns } from "./columns";
export { keepBaseline } from "./diff/baseline";
export { stretchesOf } from "./diff/between";
export { changedFunctions, changedRows, changedSquares } from "./diff/changed";
export { diffFrames, diffRows } from "./diff/diff";
export { observationValue, valueOfOne } from "./diff/observed";
export { selectedSquares } from "./diff/squares";
export { endLinkTimes, linkRows, linkTimes } from "./evidence";
export { fileOf, functionCount, functionShown, functionSource, linesOf } from "./file-of";
export { findName, functionOf, labelName, namePointer, nameSize, shownName, showRawNames } from "./frame-names";
export { visibleFrames } from "./frames";
export { hasInlined, inlinedOf } from "./inlined";
export { keepNode, keptNode } from "./kept-node";
export {
  addressedLibraries,
  addressedSamples,
  hasAddressed,
  libraryRows,
  placeRows,
  placesFound,
} from "./libraries";
export { endLinkValues, linkValueRows, linkValues } from "./link-values";
export { findString } from "./lookup";
export { functionNameRows, functionNames } from "./names";
export { countedPeriod, countWith, hasSamples, isStated, isStatedFamily, weighingOf } from "./periods";
export {
  selectAttribute,
  selectFrames,
  selectIds,
  selectKey,
  selectNoSpan,
  selectRoot,
  selectSpan,
} from "./predicates";
export {
  carriedAttribute,
  countSpans,
  heaviest,
  rankBy,
  rankExtents,
  rankIds,
  rankKeys,
  rankOrder,
  rankRows,
} from "./rank";
export { regroupedFrames } from "./regroup";
export { tellWorkEvent, workEventCount } from "./requests";
export { rootKey, rootLevel, rootNames, rootSamples, rootTree } from "./roots";
export { searchFrames, searchRows, searchValue } from "./search";
export {
  hasCopies,
  selectBegin,
  selectCopies,
  selectEnd,
  selectedSamples,
  selectedValue,
  selectionMask,
  selectionStamp,
  selectPredicate,
} from "./selection";
export { openRun, runRule, shapeTree } from "./shape";
export { shortGaps } from "./short-gaps";
export { stackRules } from "./stack-rules";
export {
  attributeCover,
  attributeKeyRows,
  attributeKeys,
  profileAtLimit,
  summarize,
  summaryEvents,
  summaryProfiles,
} from "./summary";
export { threadActivity, threadActivityRows, timelineAfter, timelineBefore, timelineBins } from "./timeline";
export { leafNodes, parentNodes, topFunctions, topNearest, topRows, treeNodes } from "./top";
export { selectObservations, selectTime } from "./window";
