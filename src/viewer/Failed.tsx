import { visible } from "../model/words/text.ts";
import type { ErrorDetail } from "./types.ts";
import css from "./Viewer.module.css";

/** A problem in the place of the graph, or above it. */
export function Failed({ error: { code, message } }: { error: ErrorDetail }) {
  return (
    <p className={css.message} role="alert" data-testid="message" data-code={code} part="error">
      {visible(message, 2000)}
    </p>
  );
}
