import { HeatView } from "./HeatView.tsx";
import { Lanes } from "./Lanes.tsx";
import type { TimelineDetailProps } from "./ShownTime.tsx";

/** Lanes or heat map below the strip: one script, loaded when one of them is first opened. */
export function TimelineDetail(props: TimelineDetailProps) {
  return props.query.timeline === "heat" ? <HeatView {...props} /> : <Lanes {...props} />;
}
