/**
 * Installs the service worker that keeps the page's files, if the page's server may be unreachable one day, and offers
 * the page for installation.
 */

const SCRIPT = "./service-worker.js";
const MANIFEST = "./manifest.webmanifest";

/**
 * Quietly does nothing where it cannot be: without a secure context, or with a server that has no such script, as that
 * of the command line, whose address is another one each time.
 */
export async function keepForOffline(): Promise<void> {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // It is there, and looks for a newer one of itself whenever the page is opened.
  if (navigator.serviceWorker.controller !== null) return offer();
  try {
    const { status } = await fetch(SCRIPT, { method: "HEAD" });
    if (status !== 200) return;
    await navigator.serviceWorker.register(SCRIPT);
    offer();
  } catch {
    // Offline, or storage is switched off: the page continues without it.
  }
}

/** An installed page that works only while a server of the command line runs would be of no use: not before. */
function offer(): void {
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: MANIFEST }));
}
