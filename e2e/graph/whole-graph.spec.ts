/** Every frame of at least half a pixel is drawn, with or without a label, and can be pointed at and walked to. */
import { execFileSync } from "node:child_process";
import type { Page } from "@playwright/test";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { clickBox, drawnFrames, hoverBox, treeOf } from "../kit/flame.ts";
import { allShown, drop, expect, openFixture, showProfile, showView, test } from "../kit/page.ts";

const CLI = new URL("../../dist-node/cli.js", import.meta.url).pathname;
const SAMPLE = new URL("../../public/sample.jfr", import.meta.url).pathname;

interface Branch {
  value: number;
  below: Map<string, Branch>;
}

/**
 * Values of all frames of collapsed stacks, and of the whole. As a tree: the paths of 2,000 levels as texts would take
 * gigabytes.
 */
function valuesOf(collapsed: string): { whole: number; frames: number[] } {
  const root: Branch = { value: 0, below: new Map() };
  const branches: Branch[] = [];
  for (const line of collapsed.split("\n").filter((each) => each !== "")) {
    const end = line.lastIndexOf(" ");
    const value = Number(line.slice(end + 1));
    root.value += value;
    let at = root;
    for (const name of line.slice(0, end).split(";")) {
      let next = at.below.get(name);
      if (next === undefined) {
        next = { value: 0, below: new Map() };
        at.below.set(name, next);
        branches.push(next);
      }
      next.value += value;
      at = next;
    }
  }
  return { whole: root.value, frames: branches.map(({ value }) => value) };
}

/** Stacks of 24 levels below 1,500 entries, from 1 to 40 samples each. */
const BROAD = Array.from({ length: 1500 }, (_, i) => {
  const names = Array.from({ length: 24 }, (_, depth) => `com.acme.part${(i * 7 + depth) % 30}.Step${depth}.run`);
  return `${["main", `com.acme.Entry${i}.call`, ...names].join(";")} ${1 + ((i * i) % 40)}`;
}).join("\n");

/** 60 stacks of up to `depth` levels: a quarter of them is as deep as that. */
function deepStacks(depth: number): string {
  return Array.from({ length: 60 }, (_, i) => {
    const levels = i % 4 === 0 ? depth : 1 + ((i * 7919) % depth);
    const names = Array.from({ length: levels }, (_, at) => `com.acme.deep.Handler${at % 40}.step${at}`);
    return `${[`thread-${i}`, ...names].join(";")} ${1 + (i % 5)}`;
  }).join("\n");
}

async function openText(page: Page, text: string): Promise<void> {
  await page.goto("./#view=flame");
  await drop(page, { name: "stacks.collapsed", bytes: Buffer.from(`${text}\n`) });
  await allShown(page);
}

/** Asserts that as many frames are drawn as are half a pixel wide, the root among them. */
async function expectAllDrawn(page: Page, whole: number, values: number[]): Promise<void> {
  // The totals of a profile come before its graph.
  await expect.poll(async () => (await drawnFrames(page))[0]?.value).toBe(whole);
  const drawn = (await drawnFrames(page)).filter(({ marker }) => !marker);
  const width = drawn[0]?.width ?? 0;
  const wide = values.filter((value) => (value / whole) * width >= 0.5);
  expect(drawn).toHaveLength(1 + wide.length);
  await expect(page.getByTestId("folded")).toHaveAttribute("data-exact", String(values.length - wide.length));
}

test.describe("B2: as many frames are drawn as are half a pixel wide", () => {
  test("allocations of one size far above the others", async ({ page }) => {
    await openFixture(page, fixture("shop.jfr"));
    await showProfile(page, "alloc-samples");
    const { value, stacks } = profileOf(SHOP, "alloc-samples");
    const { all = 0, ...values } = treeOf(stacks);
    await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", String(value));
    await expectAllDrawn(page, all, Object.values(values));
  });

  test("the sample", async ({ page }) => {
    const args = [CLI, "convert", SAMPLE, "--type", "cpu", "--format", "collapsed", "--normalise-names", "-o", "-"];
    const { whole, frames } = valuesOf(execFileSync(process.execPath, args, { encoding: "utf8" }));
    await openFixture(page, SAMPLE, "#by=root&prefix=shown&profiler=shown");
    expect(frames.length).toBeGreaterThan(1000);
    await expectAllDrawn(page, whole, frames);
  });

  test("20,000 frames, some of them too narrow", async ({ page }) => {
    const { whole, frames } = valuesOf(BROAD);
    await openText(page, BROAD);
    await expectAllDrawn(page, whole, frames);
    // Elements are for the labelled ones only.
    expect((await drawnFrames(page)).length).toBeGreaterThan(10_000);
    expect(await page.getByTestId("flame").locator("g.frame").count()).toBeLessThan(700);
  });
});

test("boxes without a label are seen on the screen, with a gap below each level", async ({ page }) => {
  // Room for the twenty levels that are looked at.
  await page.setViewportSize({ width: 1280, height: 800 });
  await openFixture(page, SAMPLE);
  await expect(page.getByTestId("folded")).toHaveText(/all shown$/);
  await page.mouse.move(0, 0);
  const flame = page.getByTestId("flame");
  await expect(flame.locator("canvas")).toBeVisible();
  const picture = (await page.screenshot()).toString("base64");
  const { seen, covered, closed } = await flame.evaluate(async (host, base64) => {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
    copy.drawImage(bitmap, 0, 0);
    const screen = copy.getImageData(0, 0, bitmap.width, bitmap.height).data;
    const canvas = host.querySelector("canvas")!;
    const { left, top } = canvas.getBoundingClientRect();
    const drawn = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const elements = [...host.querySelectorAll("g.frame rect")].map((rect) => rect.getBoundingClientRect());
    const counts = { seen: 0, covered: 0, closed: 0 };
    for (let level = 1; level < 20; level++) {
      const y = top + 20 * level;
      const inLevel = elements.filter((box) => Math.abs(box.top - y) < 2);
      for (let x = 0; x < canvas.width; x++) {
        const at = (level * canvas.width + x) * 4;
        if (drawn.data[at + 3] !== 255) continue;
        if (inLevel.some((box) => left + x >= box.left - 2 && left + x <= box.right + 2)) continue;
        const colour = (below: number) => {
          const pixel = ((y + below) * bitmap.width + left + x) * 4;
          return screen.slice(pixel, pixel + 4).join();
        };
        const own = drawn.data.slice(at, at + 4).join();
        counts[colour(9) === own ? "seen" : "covered"]++;
        if (colour(19) === own) counts.closed++;
      }
    }
    return counts;
  }, picture);
  expect({ covered, closed }).toEqual({ covered: 0, closed: 0 });
  expect(seen).toBeGreaterThan(300);
});

for (const depth of [1000, 2000]) {
  test(`B3: stacks of ${depth} levels are drawn side by side, scroll, and have a minimap`, async ({ page }) => {
    const text = deepStacks(depth);
    const { whole, frames } = valuesOf(text);
    await openText(page, text);
    await expectAllDrawn(page, whole, frames);
    expect(await page.getByTestId("flame").locator("g.frame").count()).toBeLessThan(700);
    // Not one column: at a level far down, each of the deep stacks has its box.
    const level = (await drawnFrames(page)).filter(({ depth: at }) => at === depth - 10);
    expect(level.length).toBeGreaterThanOrEqual(15);

    const minimap = page.getByRole("scrollbar", { name: "Levels in view" });
    await expect(minimap).toHaveAttribute("aria-valuetext", /^levels 1 to \d+ of [\d,]+$/);
    await minimap.focus();
    await page.keyboard.press("End");
    await expect(minimap).toHaveAttribute("aria-valuetext", /to (.*) of \1$/);
    // The deepest level is drawn where the pointer finds it.
    await hoverBox(page, `com.acme.deep.Handler${(depth - 1) % 40}.step${depth - 1}`);
    await expect(page.getByTestId("frame-detail")).toContainText(`.step${depth - 1}`);
    expect(await pixelUnderPointer(page)).not.toBe("0,0,0,0");

    const { x = 0, y = 0, height = 0 } = (await minimap.boundingBox()) ?? {};
    await page.mouse.move(x + 8, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 8, y + 2, { steps: 4 });
    await page.mouse.up();
    await expect(minimap).toHaveAttribute("aria-valuetext", /^levels 1 to /);
  });
}

for (const width of [1440, 390]) {
  test(`a row far down the call tree has room for its method, ${width} wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    const names = Array.from({ length: 200 }, (_, at) => `com.acme.deep.Handler.step${at}`);
    await openText(page, `${names.join(";")} 1`);
    await showView(page, "tree");
    await expect(page.getByTestId("tree-row").first()).toBeVisible();
    await page.getByTestId("tree").focus();
    const name = page.getByTestId("tree-row").locator("bdi").last();
    // The rows below the first are opened level by level, and End goes to the last one there is.
    await expect(async () => {
      await page.keyboard.press("End");
      await expect(name).toHaveText("com.acme.deep.Handler.step199", { timeout: 500 });
    }).toPass();
    await expect(name).toBeInViewport();
    await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(60);
  });
}

/** Colour on the canvas under the box that the pointer is on, as red, green, blue, opacity. */
async function pixelUnderPointer(page: Page): Promise<string> {
  return await page.getByTestId("flame").evaluate((host) => {
    const canvas = host.querySelector("canvas") as HTMLCanvasElement;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const outline = [...host.querySelectorAll("div")].find(
      (each) => each.getAttribute("role") === "presentation" && each.querySelector("canvas") === null && !each.hidden,
    );
    const box = outline?.getBoundingClientRect() ?? new DOMRect();
    // A line of pixels for each level.
    const x = ((box.left + box.width / 2 - left) * canvas.width) / width;
    const y = Math.floor(((box.top + box.height / 2 - top) * canvas.height) / height);
    const copy = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    copy?.drawImage(canvas, -x, -y);
    return [...(copy?.getImageData(0, 0, 1, 1).data ?? [])].join(",");
  });
}

test("B4: one address draws the same graph on a fast machine and on a slow one", async ({ page }) => {
  const drawn = async () => {
    await openText(page, BROAD);
    await page.mouse.move(0, 0);
    const canvas = await page
      .getByTestId("flame")
      .locator("canvas")
      .evaluate((each: HTMLCanvasElement) => each.toDataURL());
    return { canvas, boxes: await drawnFrames(page), words: await page.getByTestId("folded").textContent() };
  };
  const fast = await drawn();
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 6 });
  await page.goto("about:blank");
  const slow = await drawn();
  expect(slow).toEqual(fast);
});

test("a box without a label is pointed at, opened, searched and walked to as one with a label", async ({ page }) => {
  await openText(page, BROAD);
  const flame = page.getByTestId("flame");
  const detail = page.getByTestId("frame-detail");
  const name = "com.acme.Entry14.call";
  await hoverBox(page, name);
  await expect(detail).toContainText(name);
  await expect(page.locator("body > [aria-hidden=true]").filter({ hasText: name })).toBeVisible();
  const quiet = await pixelUnderPointer(page);
  await page.getByTestId("search").fill("Entry14\\.call");
  await expect(page.getByTestId("search-found")).toContainText("1 ");
  await hoverBox(page, name);
  await expect.poll(() => pixelUnderPointer(page)).not.toBe(quiet);
  await page.getByTestId("search").fill("");

  // By keys: the widest entry below main, then its neighbour; the current box has an element.
  await flame.focus();
  for (const key of ["Home", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.keyboard.press(key);
  await expect(flame.locator("[data-current]")).toHaveAttribute("aria-level", "3");
  const id = (await flame.getAttribute("aria-activedescendant")) ?? "";
  const current = page.locator(`[id="${id}"]`);
  await expect(current).toHaveRole("treeitem");
  const entry = (await current.getAttribute("aria-label")) ?? "";
  expect(entry).toMatch(/^com\.acme\.Entry\d+\.call$/);
  await expect(detail).toContainText(entry);
  await expect(current).toHaveAttribute("aria-level", "3");
  await page.keyboard.press("Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  const trail = page.getByTestId("breadcrumb").getByRole("listitem");
  await expect(trail.last()).toHaveText(entry);

  // Its ancestors stay above it, and lead out.
  await expect(flame.locator("g[data-ancestor]")).toHaveCount(2);
  await page.keyboard.press("ArrowUp");
  await expect(detail).toContainText("main");
  await page.keyboard.press("Enter");
  await expect(trail.last()).toHaveText("main");
  await page.keyboard.press("Escape");
  await expect(trail).toHaveCount(0);
  await clickBox(page, name);
  await expect(trail.last()).toHaveText(name);
});

test.describe("where motion is welcome", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("a zoom is shown on its way, and a click meanwhile is not lost", async ({ page }) => {
    await openText(page, BROAD);
    const stage = page.getByTestId("flame").locator("> div");
    const seen = stage.evaluate(
      (element) =>
        new Promise((resolve) => {
          const watch = new MutationObserver(() => {
            if (!element.hasAttribute("data-zooming")) return;
            watch.disconnect();
            resolve(true);
          });
          watch.observe(element, { attributes: true });
        }),
    );
    await clickBox(page, "com.acme.Entry14.call");
    expect(await seen).toBe(true);
    // On an ancestor, which is as wide as the drawing all the time.
    const { x = 0, y = 0 } = (await stage.boundingBox()) ?? {};
    await page.mouse.click(x + 200, y + 30);
    const trail = page.getByTestId("breadcrumb").getByRole("listitem");
    await expect(trail.last()).toHaveText("main");
    await expect(stage).not.toHaveAttribute("data-zooming");
  });
});

test("no zoom is shown on its way where reduced motion is requested", async ({ page }) => {
  await openText(page, BROAD);
  const stage = page.getByTestId("flame").locator("> div");
  await stage.evaluate((element) => {
    new MutationObserver(() => {
      if (element.hasAttribute("data-zooming")) document.title = "moved";
    }).observe(element, { attributes: true });
  });
  await clickBox(page, "com.acme.Entry14.call");
  await expect(page.getByTestId("breadcrumb").getByRole("listitem").last()).toHaveText("com.acme.Entry14.call");
  expect(await page.title()).not.toBe("moved");
});
