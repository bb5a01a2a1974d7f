/**
 * Playwright's global setup: serves dist/ for the whole run with the server of the CLI, so the tests see the real
 * headers and a path that is not the root. `SPANFLAME_SITE` set from outside tests that address instead.
 */
import { fileURLToPath } from "node:url";
import { serveViewer } from "../../src/cli/serve/server.ts";

const SITE_DIR = fileURLToPath(new URL("../../dist", import.meta.url));

/** Gives back what ends the server after the last test. */
export default async function serveSite(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SPANFLAME_SITE !== undefined) return undefined;
  const viewer = await serveViewer({ siteDir: SITE_DIR, files: [] });
  process.env.SPANFLAME_SITE = viewer.url;
  return viewer.close;
}
