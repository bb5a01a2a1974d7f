import { FEW } from "../../model/lists/explorer.ts";
import css from "./Explorer.module.css";

/** Terms of the explorer with their meanings. `exact`: of calls of dumps. */
export function HelpWords({ exact }: { exact: boolean }) {
  return exact ? (
    <dl className={css.help}>
      <dt>Thread</dt>
      <dd>The thread that the call ran in. Select one to see its calls alone.</dd>
      <dt>Root, span</dt>
      <dd>Ids that a call has as brave.trace_id and brave.span_id. Many dumps have no such ids.</dd>
      <dt>Total, share</dt>
      <dd>The time or the invocations of the calls, and their share of all selected calls.</dd>
    </dl>
  ) : (
    <dl className={css.help}>
      <dt>Local root</dt>
      <dd>The service's entry span and everything below it.</dd>
      <dt>Span</dt>
      <dd>One step of a request. A sample belongs to the innermost span that was active when it was taken.</dd>
      <dt>Operation, endpoint</dt>
      <dd>Operation: span name. Endpoint: route.</dd>
      <dt>Whole trace, this span only</dt>
      <dd>
        All samples of the request in this process, or the self time of one span: samples taken while it was the active
        span.
      </dd>
      <dt>Total, share</dt>
      <dd>The total of the samples in time, bytes or counts, and its share of the profile.</dd>
      <dt>Few samples</dt>
      <dd>Fewer than {FEW} samples are noise. Press G to see the whole endpoint or operation.</dd>
    </dl>
  );
}
