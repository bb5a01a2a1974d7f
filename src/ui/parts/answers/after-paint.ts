/**
 * Delay of questions until the answer that the user waits for is painted. Worker, page and compositor share the
 * processors: on two of them a list that is counted while the graph is drawn makes the graph late, and the user sees
 * the graph first.
 *
 *   asked ── answered ── drawn ── painted: the delayed questions are asked
 */

/** A page in the background paints nothing, but its answers go on. */
const AT_MOST_MS = 250;

let busy = 0;
let waiting: (() => void)[] = [];

/** Whether an answer that the user waits for is not painted yet. */
export function isUrgent(): boolean {
  return busy > 0;
}

/** An urgent question was asked; the caller calls the result once it is answered. */
export function beginUrgent(): () => void {
  busy++;
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    busy--;
    if (busy > 0) return;
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  return () => {
    // Drawn in the next frame, painted after its callbacks.
    requestAnimationFrame(() => setTimeout(end));
    setTimeout(end, AT_MOST_MS);
  };
}

/** Calls back in another task, when the answers to all urgent questions are painted. */
export function whenPainted(go: () => void): void {
  // The same click may ask urgent questions later in the same task.
  setTimeout(() => {
    if (busy === 0) go();
    else waiting.push(go);
  });
}

/** A browser that is never idle calls back after this time. */
const IDLE_AT_MOST_MS = 200;

/** Calls back when the browser is idle, after the next frame is painted: for what the user looks at last. */
export function whenIdle(go: () => void): void {
  // Not every browser has idle callbacks.
  const idle = window.requestIdleCallback ?? ((then: () => void) => setTimeout(then));
  requestAnimationFrame(() => idle(go, { timeout: IDLE_AT_MOST_MS }));
}
