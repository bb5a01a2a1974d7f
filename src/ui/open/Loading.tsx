import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import type { Progress } from "../../worker/api.ts";
import css from "./Loading.module.css";

interface Props {
  names: string[];
  progress: Progress | null;
  /** Cancel was chosen, and the reading has not ended yet. */
  cancelling: boolean;
  onCancel: () => void;
}

/** Files are being fetched or read. */
export function Loading({ names, progress, cancelling, onCancel }: Props) {
  const title = names.length === 0 ? "Fetching…" : `Reading ${visible(names.join(", "), 120)}`;
  const share = progress === null || progress.total === 0 ? null : progress.bytes / progress.total;
  return (
    <main className={css.loading} tabIndex={-1} aria-label={title}>
      <section className={css.card} data-testid="progress">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <progress aria-label={title} max={1} {...(share === null ? {} : { value: share })} />
        <p className={css.figures}>{progress === null ? "Starting" : figures(progress)}</p>
        <div className={css.actions}>
          <button
            type="button"
            data-testid="cancel"
            aria-disabled={cancelling}
            onClick={() => {
              if (!cancelling) onCancel();
            }}
          >
            Cancel
          </button>
          {cancelling && (
            <button type="button" data-testid="stop" onClick={onCancel}>
              Stop now
            </button>
          )}
        </div>
        <p role="status" className={css.outcome}>
          {cancelling && "Cancelling: the page keeps what was read. Stop now keeps nothing of these files."}
        </p>
      </section>
    </main>
  );
}

function figures({ bytes, total, samples }: Progress): string {
  return `${formatBytes(bytes)} of ${formatBytes(total)} · ${formatCounted(samples, "sample")}`;
}
