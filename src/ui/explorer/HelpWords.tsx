import { FEW } from "../../model/lists/explorer.ts";
import css from "./Explorer.module.css";

/** What the words of the explorer mean. */
export function HelpWords() {
  return (
    <dl className={css.help}>
      <dt>Local root</dt>
      <dd>A request as this process saw it: its outermost span here, with all spans below.</dd>
      <dt>Span</dt>
      <dd>One step of a request. A sample belongs to the innermost span that was active when it was taken.</dd>
      <dt>Operation, endpoint</dt>
      <dd>What a tracer calls the step, and what the request asked for.</dd>
      <dt>Root + children, this span</dt>
      <dd>
        All samples of the request, or those of one span alone. A span has only samples of its own, so it is also what
        other tools call its self time.
      </dd>
      <dt>Weight, share</dt>
      <dd>
        What the samples add up to: time, bytes or counts, as the profile above measures. The share is of that profile.
      </dd>
      <dt>Fewer than {FEW} samples</dt>
      <dd>
        Too few samples to be meaningful. Look at all samples of the same operation or endpoint: select the row, or
        press G.
      </dd>
    </dl>
  );
}
