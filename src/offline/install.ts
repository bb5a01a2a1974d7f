/** Installs the service worker that keeps the page's files, if the page's server may be unreachable one day. */

const SCRIPT = "./service-worker.js";

/**
 * Quietly does nothing where it cannot be: without a secure context, or with a server that has no such script, as that
 * of the command line, whose address is another one each time.
 */
export async function keepForOffline(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // It is there, and looks for a newer one of itself whenever the page is opened.
  if (navigator.serviceWorker.controller !== null) return;
  try {
    const { status } = await fetch(SCRIPT, { method: "HEAD" });
    if (status === 200) await navigator.serviceWorker.register(SCRIPT);
  } catch {
    // Offline, or storage is switched off: the page continues without it.
  }
}
