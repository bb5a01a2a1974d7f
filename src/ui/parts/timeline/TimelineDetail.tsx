import type { TimelineDetailProps } from "./detail-props.ts";
import { HeatView } from "./HeatView.tsx";
import { JvmStrips } from "./JvmStrips.tsx";
import { Lanes } from "./Lanes.tsx";

/** JVM strips, lanes or heat map below the strip: one script, loaded when one of them is first opened. */
export function TimelineDetail(props: TimelineDetailProps) {
  const { timeline, jvm } = props.query;
  return (
    <>
      {jvm && <JvmStrips {...props} />}
      {timeline === "heat" && <HeatView {...props} />}
      {timeline === "threads" && <Lanes {...props} />}
    </>
  );
}
