/** The worker of an element: the decoder, with one recording. */

let address: string | URL | null = null;

/**
 * Address of the worker's script, for bundlers that do not find it themselves (docs/embedding.md). The script and the
 * files beside it must be of the same origin as the page.
 */
export function setWorkerUrl(url: string | URL): void {
  address = url;
}

/** webpack takes the name for that of a chunk, so it is not that of src/library/worker.ts. */
export function startWorker(): Worker {
  if (address !== null) return new Worker(address, { type: "module", name: "spanflame-viewer" });
  // Bundlers of pages find the file by exactly this form; the comment keeps our own build from looking for it.
  return new Worker(new URL(/* @vite-ignore */ "./viewer-worker.js", import.meta.url), {
    type: "module",
    name: "spanflame-viewer",
  });
}
