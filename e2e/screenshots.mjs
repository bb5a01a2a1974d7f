#!/usr/bin/env node
/** node e2e/screenshots.mjs: the README's pictures of the page as built: the sample, its heaviest local root chosen. */
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openViewer } from "./viewer.mjs";

const LIMIT = 250_000;
const viewer = await openViewer();
try {
  for (const [colorScheme, name] of [
    ["light", "screenshot.png"],
    ["dark", "screenshot-dark.png"],
  ]) {
    const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
    await page.goto(`${viewer.url}?sample`);
    await page.locator("[data-testid=rank-row][data-id]").first().click();
    await page.locator("[data-testid=chip]").waitFor();
    const samples = await page.getByTestId("rank-samples").first().getAttribute("data-exact");
    await page.locator(`[data-testid=total-samples][data-exact="${samples}"]`).waitFor();
    // A frame is pointed at, so that the line below says something.
    await page.locator("[data-testid=flame] g.frame", { hasText: "Pricing.compute" }).first().hover();
    const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
    await page.screenshot({ path });
    const { size } = await stat(path);
    if (size > LIMIT) throw new Error(`${name} has ${size} bytes; ${LIMIT} are allowed`);
    console.log(`docs/${name}: ${size} bytes`);
    await page.close();
  }
} finally {
  await viewer.close();
}
