import { visible } from "../../../model/words/text.ts";
import type { Failure } from "../../../worker/api.ts";
import css from "./Messages.module.css";

/** Message of a failure, announced at once. */
export function FailureText({ failure }: { failure: Failure }) {
  return (
    <p className={css.text} role="alert">
      {visible(failure.message, 2000)}
    </p>
  );
}
