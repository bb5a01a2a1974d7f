import { useEffect, useState } from "react";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import type { FramesProgress } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./FramesReading.module.css";

/** A reading that ends sooner is not worth a message. */
const DELAY_MS = 300;

/** The frames of the selected calls are read: how far that is, and the way to end it. */
export function FramesReading({ onCancel }: { onCancel: () => void }) {
  const [progress, setProgress] = useState<FramesProgress | null>(null);
  const [isLong, setLong] = useState(false);
  useEffect(() => viewer.watchFrames(setProgress), []);
  const isReading = progress !== null;
  useEffect(() => {
    if (!isReading) return setLong(false);
    const timer = setTimeout(() => setLong(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, [isReading]);
  return (
    <div role="status">
      {isLong && progress !== null && (
        <div className={css.reading} data-testid="frames-reading">
          <p>
            Reading the frames of {formatCounted(progress.calls, "call")}: {formatBytes(progress.bytes)} of{" "}
            {formatBytes(progress.total)}
          </p>
          <progress aria-label="Reading of frames" max={progress.total} value={progress.bytes} />
          <Button
            testId="frames-cancel"
            onClick={() => {
              viewer.cancelFrames();
              onCancel();
            }}
          >
            Cancel
          </Button>
        </div>
      )}
    </div>
  );
}
