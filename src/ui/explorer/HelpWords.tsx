import { FEW } from "../../model/lists/explorer.ts";
import css from "./Explorer.module.css";

/** Terms of the explorer with their meanings. */
export function HelpWords() {
  return (
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
