/**
 * Service worker that keeps the page's files, so that the page opens without a network after the first visit. It keeps
 * only the files that the build lists here, never a file that a user opens or fetches. A new version waits until no
 * page of the old one is open, because that page may still fetch parts of the old version.
 */

/**
 * Paths below the page's address, and a version that changes with any of them (scripts/offline-files.ts inserts both).
 */
const FILES: string[] = JSON.parse("%FILES%");
const VERSION = "%VERSION%";

/** The used part of the global scope; the compiler's library for it cannot be combined with that of the page. */
interface Scope {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetch) => void): void;
}

interface Extendable {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetch {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

const scope = self as unknown as Scope;
const PREFIX = `spanflame ${scope.registration.scope} `;
const NAME = PREFIX + VERSION;
const PAGE = new URL("index.html", scope.registration.scope).href;
const kept = new Set(FILES.map((file) => new URL(file, scope.registration.scope).href));

scope.addEventListener("install", (event) => {
  // Past the browser's own cache: an old index.html would name files that are gone.
  const requests = [...kept].map((url) => new Request(url, { cache: "reload" }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests)));
});

scope.addEventListener("activate", (event) => event.waitUntil(takeOver()));

/** Serves the page that is open, too: it was loaded from the network, and its version is this one or waits for it. */
async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== NAME) await caches.delete(name);
  }
  await scope.clients.claim();
}

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const url = request.url.replace(/[?#].*$/s, "");
  const isPage = url === scope.registration.scope || url === PAGE;
  if (isPage || kept.has(url)) event.respondWith(fromCache(isPage ? PAGE : url, request));
});

async function fromCache(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  return (await cache.match(url)) ?? fetch(request);
}
