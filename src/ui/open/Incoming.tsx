import { visible } from "../../model/words/text.ts";
import type { Incoming as Files } from "../app/use-recording.ts";
import css from "./Incoming.module.css";
import { figures, openingWords } from "./Loading.tsx";

/** Files are read while the open recording stays in use. */
export function Incoming({ incoming, onCancel }: { incoming: Files; onCancel: () => void }) {
  const { progress } = incoming;
  const share = progress === null || progress.total === 0 ? null : progress.bytes / progress.total;
  const title = visible(openingWords(incoming), 160);
  return (
    <section className={css.incoming} aria-label={title} data-testid="incoming">
      <p className={css.title} role="status">
        <bdi>{title}</bdi>
      </p>
      <progress aria-label={title} max={1} {...(share === null ? {} : { value: share })} />
      <div className={css.foot}>
        <span className={css.figures}>{progress !== null && figures(progress)}</span>
        <button type="button" data-testid="incoming-cancel" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </section>
  );
}
