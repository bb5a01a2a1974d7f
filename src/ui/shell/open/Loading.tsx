import { shownNames } from "../../../model/recording/shown-names.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Progress } from "../../../worker/api.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import type { Incoming as Files, Incoming as IncomingFiles } from "../recording/recording-state.ts";
import css from "./Loading.module.css";

/** Files are fetched or read, and there is no recording yet. */
export function Loading({ incoming, onCancel }: { incoming: IncomingFiles; onCancel: () => void }) {
  const { progress, cancelling } = incoming;
  const title = visible(openingWords(incoming), 160);
  return (
    <main className={css.loading} tabIndex={-1} aria-label={title}>
      <section className={css.card} data-testid="progress">
        <h2>
          <bdi>{title}</bdi>
        </h2>
        <Bar title={title} progress={progress} />
        <p className={css.figures}>{progress !== null && figures(progress)}</p>
        <div className={css.actions}>
          <Button
            testId="cancel"
            aria-disabled={cancelling}
            onClick={() => {
              if (!cancelling) onCancel();
            }}
          >
            Cancel
          </Button>
          {cancelling && (
            <Button testId="stop" onClick={onCancel}>
              Stop now
            </Button>
          )}
        </div>
        <p role="status" className={css.outcome}>
          {cancelling && "Cancelling: the data read so far is kept. Stop now discards them."}
        </p>
      </section>
      <Skeleton />
    </main>
  );
}

const BONES = Array.from({ length: 12 }, (_, index) => index);

/** Where the list and the graph will be. */
function Skeleton() {
  return (
    <div className={css.skeleton} aria-hidden="true">
      {[css.list, css.graph].map((part) => (
        <div key={part} className={part}>
          {BONES.map((bone) => (
            <div key={bone} className={css.bone} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** `Opening shop.jfr…` */
function openingWords({ names, again }: IncomingFiles): string {
  return `Opening ${names.length === 0 ? "the recording" : shownNames(names).join(", ")}${again ? " again" : ""}…`;
}

export function figures({ bytes, total, samples }: Progress): string {
  // A dump has no samples until its calls are read.
  const read = samples === 0 ? "" : ` · ${formatCounted(samples, "sample")}`;
  return `${formatBytes(bytes)}${total === 0 ? "" : ` of ${formatBytes(total)}`}${read}`;
}

const shareOf = (progress: Progress | null) => (progress?.total ? progress.bytes / progress.total : null);

function Bar({ title, progress }: { title: string; progress: Progress | null }) {
  const share = shareOf(progress);
  return <progress aria-label={title} max={1} {...(share === null ? {} : { value: share })} />;
}

/** Files are read while a recording is in use: another one, or what has been read of them. */
export function Incoming({ incoming, onCancel }: { incoming: Files; onCancel: () => void }) {
  const { progress } = incoming;
  const share = shareOf(progress);
  const { isShown, cancelling } = incoming;
  const title = visible(openingWords(incoming), 160);
  const read = isShown && share !== null ? `${Math.floor(100 * share)} % read · ` : "";
  return (
    <section className={css.incoming} aria-label={title} data-testid="incoming">
      <p className={css.title} role="status">
        <bdi>{title}</bdi>
      </p>
      <Bar title={title} progress={progress} />
      <div className={css.foot}>
        <span className={css.incomingFigures}>{progress !== null && read + figures(progress)}</span>
        <Button testId="incoming-cancel" disabled={cancelling} onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </section>
  );
}
