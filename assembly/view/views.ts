/** All views together: what the core exports of them, and forgetting all of it. */
import { resetTree } from "./call-tree";
import { resetFrames } from "./frames";
import { resetIds } from "./ids";
import { resetOrder } from "./order";
import { resetRank } from "./rank";
import { resetSelection } from "./selection";
import { resetSummary } from "./summary";
import { resetTop } from "./top";
import { resetWeights } from "./weights";

export { visibleFrames } from "./frames";
export { rankBy, rankRows } from "./rank";
export {
  selectAttribute,
  selectBegin,
  selectEnd,
  selectedSamples,
  selectedValue,
  selectionMask,
  selectionRows,
  selectRoot,
  selectSpan,
} from "./selection";
export { attributeCover, attributeKeyRows, attributeKeys, summarize, summaryEvents, summaryProfiles } from "./summary";
export { topFunctions, topRows } from "./top";

/** To be called with every resetStore: what the views keep stands in the same arena. */
export function resetViews(): void {
  resetSelection();
  resetTree();
  resetWeights();
  resetFrames();
  resetIds();
  resetRank();
  resetTop();
  resetSummary();
  resetOrder();
}
