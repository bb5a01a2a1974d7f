/**
 * The page's address, written a moment after what it tells of. A new entry in the history keeps the browser's own
 * process busy for as long as the core needs for an answer, on machines with few cores in its way; so the answer goes
 * first.
 */
const AFTER_MS = 150;

let waiting: { url: string; replace: boolean; timer: ReturnType<typeof setTimeout> } | null = null;

/** Every call adds an entry to the history, except those that replace the one before. */
export function writeAddress(url: string, replace: boolean): void {
  settleAddress();
  if (url === `${location.pathname}${location.search}${location.hash}`) return;
  waiting = { url, replace, timer: setTimeout(settleAddress, AFTER_MS) };
}

/** Writes what waits, at once. */
export function settleAddress(): void {
  if (waiting === null) return;
  const { url, replace, timer } = waiting;
  clearTimeout(timer);
  waiting = null;
  try {
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  } catch {
    // Safari refuses more than a hundred in some seconds. The page goes on; the next change writes the address.
  }
}

/** The user went elsewhere in the history: what waits has no place there. */
export function forgetAddress(): void {
  if (waiting !== null) clearTimeout(waiting.timer);
  waiting = null;
}

/** The page as on its first visit: nothing is filtered. */
export function clearAddress(): void {
  forgetAddress();
  history.replaceState(null, "", `${location.pathname}${location.search}`);
}
