/**
 * Toasts: short messages over an intact page. The library that draws them is loaded with the first one, so what is
 * shown before waits here.
 */
export interface Toast {
  tone: "info" | "success" | "error";
  text: string;
  /** One thing to do about it. */
  action?: { label: string; run: () => void };
}

type Listener = (toast: Toast) => void;

let listener: Listener | null = null;
let waiting: Toast[] = [];
let onFirst: (() => void) | null = null;

export function showToast(toast: Toast): void {
  if (listener !== null) {
    listener(toast);
    return;
  }
  waiting.push(toast);
  onFirst?.();
}

/** Calls once there is something to show, at once if there is already. */
export function whenWaiting(then: () => void): () => void {
  onFirst = then;
  if (waiting.length > 0) then();
  return () => {
    onFirst = null;
  };
}

/** A failure that nothing else on the page shows. */
export function toastFailure({ message }: { message: string }): void {
  showToast({ tone: "error", text: message });
}

/** Gets every toast from now on, and those that wait. */
export function takeToasts(take: Listener): () => void {
  listener = take;
  const before = waiting;
  waiting = [];
  for (const toast of before) take(toast);
  return () => {
    listener = null;
  };
}
