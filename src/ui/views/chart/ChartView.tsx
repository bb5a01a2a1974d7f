import type { ViewProps } from "../../parts/answers/view-props.ts";
import { CallChart } from "./CallChart.tsx";
import { SampleChart } from "./SampleChart.tsx";

/** The selection in the order of time: a call of a dump, or the samples of a recording. */
export function ChartView(props: ViewProps) {
  return props.calls !== null ? <CallChart {...props} /> : <SampleChart {...props} />;
}
