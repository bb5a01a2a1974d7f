import { showsTrace } from "../../../model/trace/shows-trace.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { TraceList } from "./TraceList.tsx";
import css from "./TraceView.module.css";
import { useTrace } from "./use-trace.ts";
import { Waterfall } from "./Waterfall.tsx";

/** The spans of a trace beside the samples that each has; where there are several traces, their list first. */
export function TraceView(props: ViewProps) {
  const { traces, query } = props;
  const { id } = query.trace;
  const isList = !showsTrace(query.trace, query.filter, traces?.traces ?? 0);
  const trace = useTrace(isList ? null : id, query.filter);
  if (traces === null) return null;
  if (isList) return <TraceList {...props} traces={traces} />;
  if (trace === undefined) return <p className={css.none}>Reading the spans of the trace…</p>;
  if (trace === null) return <p className={css.none}>The files contain no trace of this id.</p>;
  return <Waterfall key={trace.trace} {...props} trace={trace} count={traces.traces} />;
}
