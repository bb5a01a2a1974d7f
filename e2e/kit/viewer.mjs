/** The built page in a browser, for scripts: served by the built command line, as users have it. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { findBrowser } from "../../scripts/find-browser.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Its address and a browser, until `close`. The files are at `files/0`, … below the address; the page opens none.
 * `checkout` is the folder of another built version.
 */
export async function openViewer(files = [], checkout = ROOT) {
  const server = spawn(process.execPath, [join(checkout, "dist-node", "cli.js"), ...files, "--no-open"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = (await addressOf(server)).replace(/\?files$/, "");
    const { executablePath, args } = await findBrowser({ log: console.error });
    const browser = await chromium.launch({ executablePath, args });
    const close = async () => {
      await browser.close();
      server.kill("SIGTERM");
    };
    return { url, browser, close };
  } catch (error) {
    server.kill("SIGTERM");
    throw error;
  }
}

function addressOf(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    server.stdout.on("data", (part) => {
      said += part;
      const url = /^Spanflame: (\S+)$/m.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
    server.on("error", reject);
    server.on("exit", () => reject(new Error("the viewer did not start: run `npm run build` first")));
  });
}
