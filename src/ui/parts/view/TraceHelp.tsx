import { hexId } from "../../../model/words/ids.ts";
import css from "./TraceHelp.module.css";

interface Props {
  /** Trace id of 128 bits that no sample carries. */
  trace: bigint;
}

/** Where each tool shows the id of a service's entry span. */
const STEPS: { tool: string; steps: string[] }[] = [
  {
    tool: "Datadog",
    steps: ["Open the trace and select the first span of this service.", "Copy span_id from the JSON of the span."],
  },
  {
    tool: "Grafana Tempo",
    steps: ["Open the trace and expand the first span of this service.", "Copy the SpanID below its attributes."],
  },
  {
    tool: "Jaeger",
    steps: ["Open the trace and expand the first span of this service.", "Copy the SpanID below its tags."],
  },
];

/** Reason why a trace id finds nothing, and how to find the id that does. */
export function TraceHelp({ trace }: Props) {
  const low = hexId(BigInt.asUintN(64, trace));
  return (
    <div className={css.help} data-testid="trace-help">
      <p>
        No sample carries this trace id. The samples of most recordings carry the 64-bit ids of a span and of its local
        root, which is the entry span of the service, and no trace id of 128 bits. A trace file beside the recording
        leads from the one to the other: drop it on the page.
      </p>
      <p>
        Also tried: the lower 64 bits (<code>0x{low}</code>), as the id of a request and of a span. Some tracers give a
        trace’s first span this id, but only in the service where the trace began.
      </p>
      <h3>Paste the span id of the entry span instead</h3>
      <div className={css.tools}>
        {STEPS.map(({ tool, steps }) => (
          <section key={tool}>
            <h4>{tool}</h4>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </section>
        ))}
      </div>
      <p>The request can also be in another recording, or shorter than the profiler’s interval.</p>
    </div>
  );
}
