/**
 * When what a click asked for first is on screen. Worker, page and compositor share what processors there are: on two of them
 * a list that is counted while the graph is drawn makes the graph late, and nobody looks at the list before.
 *
 *   asked ── answered ── drawn ── painted: calm
 */

/** A page in the background paints nothing, but its answers go on. */
const AT_MOST_MS = 250;

let busy = 0;
let waiting: (() => void)[] = [];

/** Something that is looked at first was asked for; to be called back once it is answered. */
export function beginFirst(): () => void {
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
    // Drawn in the frame that comes, painted behind its callbacks.
    requestAnimationFrame(() => setTimeout(end));
    setTimeout(end, AT_MOST_MS);
  };
}

/** Calls back when all that was asked for first is painted, in a task of its own. */
export function whenCalm(go: () => void): void {
  // What the same click asks for first may come later in the same task.
  setTimeout(() => {
    if (busy === 0) go();
    else waiting.push(go);
  });
}
