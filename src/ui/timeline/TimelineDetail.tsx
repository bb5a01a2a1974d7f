import type { TimelineDetailProps } from "./detail-props.ts";
import { HeatView } from "./HeatView.tsx";
import { Lanes } from "./Lanes.tsx";

/** Lanes or heat map below the strip: one script, loaded when one of them is first opened. */
export function TimelineDetail(props: TimelineDetailProps) {
  const { timeline } = props.query;
  return (
    <>
      {timeline === "heat" && <HeatView {...props} />}
      {timeline === "threads" && <Lanes {...props} />}
    </>
  );
}
