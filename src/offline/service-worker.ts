/**
 * Keeps the page's own files, so that it opens without a network after the first visit. Only these, which the build
 * lists here: nothing that a user opens or fetches is ever kept. A new version waits until no page of the old one is
 * open, because that page still has parts of its own to fetch.
 */

/** Paths below the page's address, and what changes with any of them (scripts/offline-files.ts puts both in). */
const FILES: string[] = JSON.parse("%FILES%");
const VERSION = "%VERSION%";

/** What is used of the global scope; the compiler's own library for it cannot be had beside that of the page. */
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
