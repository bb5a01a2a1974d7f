import { useEffect, useState } from "react";
import { viewerWaitingMs } from "../../worker/client.ts";
import css from "./Messages.module.css";

/** Large recordings need some seconds for a question; a decoder that is stuck needs more. */
const SLOW_MS = 5000;
const LOOK_MS = 1000;

/**
 * The decoder has been busy for long, and the way to end that. Nothing is ended without the user: an answer may take a
 * minute.
 */
export function SlowNotice({ onStop }: { onStop: () => void }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setSlow(viewerWaitingMs() > SLOW_MS), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status">
      {isSlow && (
        <div className={css.slow} data-testid="slow">
          <p className={css.text}>
            The decoder has been busy for more than five seconds. Stop ends its work and reads the files again, without
            filters and search.
          </p>
          <button type="button" data-testid="slow-stop" onClick={onStop}>
            Stop
          </button>
        </div>
      )}
    </div>
  );
}
