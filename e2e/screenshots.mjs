#!/usr/bin/env node
/**
 * node e2e/screenshots.mjs: the pictures of the README and of docs/tour.md, of the page as built: the sample with its
 * heaviest local root chosen, in each view.
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { openViewer } from "./viewer.mjs";

const LIMIT = 250_000;
/** Those of the tour are smaller: there are many. */
const ROOM = { width: 1160, height: 660 };
const ROOT = "[data-testid=rank-row][data-id]";
/** A frame is pointed at, so that the line below says something. */
const pointed = (page) =>
  page.locator('[data-testid=flame] g.frame[aria-label$="Pricing.compute"]').first().hover({ force: true });
const view = (name) => (page) => page.getByTestId(`view-${name}`).click();

/** Its place in docs, what is done to get there, and what is not usual about it. */
const PICTURES = [
  { name: "screenshot.png", steps: [pointed], viewport: { width: 1440, height: 900 } },
  { name: "screenshot-dark.png", steps: [pointed], viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  { name: "tour/why.png", steps: [view("why")] },
  { name: "tour/diff.png", steps: [view("diff")] },
  {
    name: "tour/changed.png",
    steps: [view("diff"), (page) => page.getByTestId("diff-shape").getByText("functions").click()],
  },
  { name: "tour/sandwich.png", steps: [view("sandwich")] },
  { name: "tour/top.png", steps: [view("top")] },
  { name: "tour/tree.png", steps: [view("tree")] },
  { name: "tour/threads.png", steps: [(page) => page.getByTestId("lanes-toggle").click()], whole: true },
  { name: "tour/heat-map.png", steps: [(page) => page.getByTestId("heat-toggle").click()], whole: true },
  { name: "tour/colours.png", steps: [(page) => page.getByTestId("view-menu").click()], whole: true },
  { name: "tour/export.png", steps: [(page) => page.getByTestId("export").click()] },
  { name: "tour/narrow.png", steps: [], viewport: { width: 400, height: 800 } },
];

const viewer = await openViewer();
try {
  for (const { name, steps, whole = false, colorScheme = "light", viewport = ROOM } of PICTURES) {
    const page = await viewer.browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme });
    await page.goto(`${viewer.url}?sample`);
    await page.locator(ROOT).first().waitFor();
    if (!whole) {
      await page.locator(ROOT).first().click();
      await page.locator("[data-testid=chip]").waitFor();
      const samples = await page.getByTestId("rank-samples").first().getAttribute("data-exact");
      await page.locator(`[data-testid=total-samples][data-exact="${samples}"]`).waitFor();
    }
    await page.setViewportSize(viewport);
    for (const step of steps) await step(page);
    // Pictures are for eyes: nothing to wait for says that all of it is painted.
    await page.waitForTimeout(700);
    const path = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
    await mkdir(dirname(path), { recursive: true });
    await page.screenshot({ path });
    const { size } = await stat(path);
    if (size > LIMIT) throw new Error(`${name} has ${size} bytes; ${LIMIT} are allowed`);
    console.log(`docs/${name}: ${size} bytes`);
    await page.close();
  }
} finally {
  await viewer.close();
}
