/** After the first visit the page needs no network; its cache contains only the page itself. */
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { securityHeaders } from "../../src/cli/serve/security-headers.ts";
import { VIEWS } from "../../src/model/query/query.ts";
import { allShown, drop, expect, fromDisk, test } from "../kit/page.ts";
import { WITH_EVERY_VIEW } from "../kit/view-lists.ts";
import { eachView } from "../kit/views.ts";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const SHOP = fileURLToPath(new URL("../../fixtures/shop.jfr", import.meta.url));
const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** Any web server; pages of the command line's server are not cached. */
async function host() {
  const server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/[?#].*$/, "").slice(1) || "index.html";
    const file = join(DIST, path);
    const { "cache-control": _, ...headers } = securityHeaders(path);
    if (!existsSync(file)) return void response.writeHead(404).end();
    response.writeHead(200, { ...headers, "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

test("the second visit needs no network", async ({ page, receivers }) => {
  const { origin, close } = await host();
  receivers.add(origin);
  try {
    await page.goto(`${origin}/#view=flame`);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await drop(page, fromDisk(SHOP));
    await allShown(page);
  } finally {
    await close();
  }
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept.length).toBeGreaterThan(20);
  expect(
    kept.filter(
      (path) =>
        !/^\/(assets\/[\w.-]+\.(js|css|wasm|wasm-[\w-]+\.gz|woff2)|index\.html|favicon\.svg|manifest\.webmanifest|THIRD-PARTY-NOTICES\.txt)$/.test(
          path,
        ),
    ),
  ).toEqual([]);

  await page.goto(`${origin}/?again#view=top`);
  await drop(page, fromDisk(SHOP));
  await expect(page.getByTestId("top-row").first()).toBeVisible();
  const shown = new Set<string>();
  for (const [name, files] of WITH_EVERY_VIEW) {
    await test.step(name, async () => {
      await page.goto(`${origin}/?${encodeURIComponent(name)}`);
      await drop(page, ...files());
      await eachView(page, (view) => shown.add(view));
      await expect(page.getByTestId("message").filter({ hasText: /failed|network|load/i })).toHaveCount(0);
    });
  }
  expect([...shown].sort()).toEqual([...VIEWS].sort());
  await page.getByTestId("export").click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("the server of the command line keeps no page in the browser", async ({ page }) => {
  await page.goto("./#view=flame");
  await page.waitForLoadState("networkidle");
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
});

test("the page offers to be installed, and opens files for the system", async ({ page, receivers }) => {
  const { origin, close } = await host();
  receivers.add(origin);
  try {
    await page.addInitScript(() => {
      const launched = { setConsumer: (consumer: unknown) => Object.assign(window, { consumer }) };
      Object.defineProperty(window, "launchQueue", { value: launched });
    });
    await page.goto(`${origin}/#view=flame`);
    const address = await page.locator("link[rel=manifest]").evaluate((link: HTMLLinkElement) => link.href);
    const manifest = await (await fetch(address)).json();
    expect(manifest.file_handlers[0].accept["application/x-jfr"]).toEqual([".jfr"]);
    for (const { src } of manifest.icons) expect((await fetch(new URL(src, address))).status).toBe(200);
    // As the browser calls it, with a handle of a file.
    await page.evaluate(
      async (bytes) => {
        const file = new File([Uint8Array.from(bytes)], "opened.jfr");
        const { consumer } = window as unknown as { consumer: (launch: unknown) => void };
        consumer({ files: [{ getFile: async () => file }] });
      },
      [...readFileSync(SHOP)],
    );
    await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
    await expect(page.getByTestId("files")).toContainText("opened.jfr");
  } finally {
    await close();
  }
});
