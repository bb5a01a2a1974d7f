import type { UnfoldedProps } from "./Closer.tsx";
import { HeatView } from "./HeatView.tsx";
import { Lanes } from "./Lanes.tsx";

/** What lies below the strip: lanes, or the heat map. A file of its own, fetched when first unfolded. */
export function Unfolded(props: UnfoldedProps) {
  return props.query.timeline === "heat" ? <HeatView {...props} /> : <Lanes {...props} />;
}
