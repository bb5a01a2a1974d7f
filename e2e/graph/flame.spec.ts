import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk, javaStack } from "../../test/kit/jfr/jfr-types.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import { byPath, clickBox, drawnFrames, expectProportions, expectTree, hoverBox, treeOf } from "../kit/flame.ts";
import { drop, expect, expectTotals, openFixture, rankRow, showProfile, test } from "../kit/page.ts";

const CPU = profileOf(SHOP, "cpu");

for (const type of ["cpu", "wall"]) {
  test(`the frames of ${type} are those of its stacks, as wide as their values`, async ({ page }) => {
    await openFixture(page, fixture("shop.jfr"));
    await showProfile(page, type);
    await expectTotals(page, profileOf(SHOP, type));
    await expectTree(page, treeOf(profileOf(SHOP, type).stacks));
    const frames = await drawnFrames(page);
    expectProportions(frames);
    await expect(page.getByTestId("folded")).toContainText(`${frames.length} frames, all shown`);
    await expect(page.getByTestId("folded")).toHaveAttribute("data-exact", "0");
  });
}

test("allocations too small to draw are hidden, not lost", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const alloc = profileOf(SHOP, "alloc-samples");
  await showProfile(page, "alloc-samples");
  await expectTotals(page, alloc);
  // All but one path weighs a millionth of the whole or less, far below a pixel.
  const drawn = Object.entries(treeOf(alloc.stacks)).filter(([, value]) => value > alloc.value / 1000);
  await expectTree(page, Object.fromEntries(drawn));
  const all = Object.keys(treeOf(alloc.stacks)).length;
  await expect(page.getByTestId("folded")).toHaveAttribute("data-exact", String(all - drawn.length));
  await expect(page.getByTestId("folded")).toContainText(`${drawn.length} of ${all} frames, <0.1 % hidden`);
});

test("the trees of the roots, put together, are the whole but for the samples without root", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const sums: Record<string, number> = {};
  for (const [id, cell] of heaviest(SHOP.localRoots, "cpu")) {
    await rankRow(page, id).click();
    await expectTotals(page, cell);
    const values = byPath(await drawnFrames(page));
    expect(values.all).toBe(cell.value);
    for (const [path, value] of Object.entries(values)) sums[path] = (sums[path] ?? 0) + value;
  }
  const whole = treeOf(CPU.stacks);
  expect(sums.all).toBe(CPU.withRoot.value);
  for (const [path, value] of Object.entries(sums)) expect(value, path).toBeLessThanOrEqual(whole[path] ?? 0);
  // What no root has is the housekeeping, whole, and one sample each of the two odd ones.
  const missing = Object.entries(whole).filter(([path, value]) => value !== (sums[path] ?? 0));
  expect(missing.some(([path]) => path.endsWith("Housekeeping.sweep"))).toBe(true);
  expect((whole.all ?? 0) - (sums.all ?? 0)).toBe(CPU.value - CPU.withRoot.value);
});

test("a click zooms in, and the trail leads out again", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const whole = treeOf(CPU.stacks);
  const path = "all → java.lang.Thread.run → shop.Shop$Worker.run → shop.Shop$Front.handle → shop.Shop$Front.search";
  await page.getByTestId("flame").locator('g.frame[aria-label="shop.Shop$Front.search"]').click();
  const trail = page.getByTestId("breadcrumb");
  await expect(trail.getByRole("listitem")).toHaveText(path.split(" → "));
  const inside = Object.entries(whole).filter(([p]) => p === path || p.startsWith(`${path} → `));
  const above = path.slice(0, path.lastIndexOf(" → ") + 3);
  await expectTree(page, Object.fromEntries(inside.map(([p, value]) => [p.slice(above.length), value])));
  const frames = await drawnFrames(page);
  expectProportions(frames);
  // The totals are the selection's, zoomed or not.
  await expectTotals(page, CPU);
  await trail.getByRole("button", { name: "shop.Shop$Front.handle" }).click();
  await expect(trail.getByRole("listitem")).toHaveCount(4);
  await trail.getByRole("button", { name: "all" }).click();
  await expect(trail).toHaveCount(0);
  await expectTree(page, whole);
});

test("keys move through the frames, zoom in and come out", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const flame = page.getByTestId("flame");
  const detail = page.getByTestId("frame-detail");
  await flame.focus();
  for (const [key, name] of [
    ["ArrowDown", "java.lang.Thread.run"],
    ["ArrowDown", "shop.Shop$Worker.run"],
    ["ArrowDown", "shop.Shop$Front.handle"],
    ["ArrowDown", "shop.Shop$Front.search"],
    ["ArrowRight", "shop.Shop$Front.checkout"],
    ["ArrowRight", "shop.Shop$Front.report"],
    ["ArrowLeft", "shop.Shop$Front.checkout"],
    ["ArrowUp", "shop.Shop$Front.handle"],
  ]) {
    await page.keyboard.press(key ?? "");
    await expect(detail.locator("bdi")).toHaveText(name ?? "");
  }
  await expect(flame.locator("g[data-current]")).toHaveAttribute("aria-label", "shop.Shop$Front.handle");
  const id = (await flame.locator("g[data-current]").getAttribute("id")) ?? "";
  await expect(flame).toHaveAttribute("aria-activedescendant", id);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("breadcrumb").getByRole("listitem")).toHaveCount(4);
  // Out to where the zoom came from: first one frame, then two.
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  const trail = page.getByTestId("breadcrumb").getByRole("listitem");
  // A long trail leaves out its middle until it is asked for.
  await expect(trail.last()).toHaveText("shop.Shop$Index.score");
  await page.getByTestId("breadcrumb").getByRole("button", { name: "1 more" }).click();
  await expect(trail).toHaveCount(6);
  await flame.focus();
  await page.keyboard.press("Backspace");
  await expect(trail).toHaveCount(4);
  await expect(trail.last()).toHaveText("shop.Shop$Front.handle");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);
  await expect(flame).toBeFocused();
});

test("the tooltip of a frame has a bar of self, and of wall samples what the threads did", async ({ page }) => {
  await openFixture(page, fixture("recorded/dd152-jdk17-all.jfr"), "#type=wall&view=flame");
  const frame = page.locator('[data-testid=flame] g.frame[aria-label="java.lang.Thread.sleep"]').first();
  await frame.hover({ force: true });
  const tip = page.getByTestId("frame-tip");
  await expect(tip).toContainText("100 % sleep");
  await expect(page.getByTestId("frame-detail")).toContainText("100 % sleep");
  const colours = await tip
    .locator("[data-part=sleep]")
    .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).backgroundColor));
  expect(new Set(colours).size).toBe(1);
  expect(colours).toHaveLength(2);
  // The frames above it are of threads in several states.
  await page.locator('[data-testid=flame] g.frame[aria-label="java.lang.Thread.run"]').first().hover({ force: true });
  await expect(tip.locator("[data-part]").nth(3)).toBeAttached();
  await expect(tip).toContainText(/[\d.]+ % running or ready to run.*[\d.]+ % \w+/s);
  await showProfile(page, "cpu");
  await page.locator("[data-testid=flame] g.frame").nth(3).hover({ force: true });
  await expect(tip).toContainText("of total");
  await expect(tip.locator("[data-part]")).toHaveCount(0);
});

test("a frame under the pointer says value, unit, share of total and of parent", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const whole = treeOf(CPU.stacks);
  const detail = page.getByTestId("frame-detail");
  const path = "all → java.lang.Thread.run → shop.Shop$Worker.run → shop.Shop$Front.handle → shop.Shop$Front.checkout";
  const value = whole[path] ?? 0;
  const parent = whole[path.slice(0, path.lastIndexOf(" → "))] ?? 0;
  await page.getByTestId("flame").locator('g.frame[aria-label="shop.Shop$Front.checkout"]').hover();
  const ofTotal = `${((100 * value) / CPU.value).toFixed(1)} % of total`;
  const figures = `${value} samples by weight · self 0 samples by weight · ${ofTotal} · ${((100 * value) / parent).toFixed(1)} % of parent`;
  await expect(detail).toHaveText(`shop.Shop$Front.checkoutJava · Shop.java:64–74 · ${figures}`);
  await expect(page.getByTestId("frame-tip").locator("div")).toHaveText([
    "shop.Shop$Front.checkout",
    `${value} samples by weight · ${ofTotal} · self 0 samples by weight`,
    "Shop.java:64–74",
  ]);
  await showProfile(page, "alloc-samples");
  await expectTotals(page, profileOf(SHOP, "alloc-samples"));
  // The totals come before the graph: the pointer would be on a box of the graph before.
  await expect(detail).toContainText(/^all1\.08 GiB/);
  await page.getByTestId("flame").locator('g.frame[aria-label="shop.Shop$Json.buffer"]').hover();
  await expect(detail).toContainText("1.08 GiB · self 1.08 GiB · >99.9 % of total · 100 % of parent");
});

test("a narrower window draws the same frames, narrower", async ({ page }) => {
  await page.setViewportSize({ width: 1400, height: 800 });
  await openFixture(page, fixture("shop.jfr"));
  const width = async () => (await drawnFrames(page))[0]?.width ?? 0;
  const before = await width();
  await page.setViewportSize({ width: 900, height: 700 });
  await expect.poll(width).toBeLessThan(before);
  const frames = await drawnFrames(page);
  expectProportions(frames);
  await expectTree(page, treeOf(CPU.stacks));
});

test.describe("a recording wider and deeper than the screen", () => {
  /** 3,000 leaves of weights 1 to 3,000, below one method each of 30. */
  const WIDE = Array.from({ length: 3000 }, (_, i) => ({
    stack: javaStack(`leaf${i}`, `group${i % 30}`, "main"),
    weight: BigInt(i + 1),
  }));
  const DEEP = { stack: javaStack(...Array.from({ length: 400 }, (_, i) => `deep${i}`), "main"), weight: 10_000n };
  const SUM = (3000 * 3001) / 2 + 10_000;
  const bytes = buildChunk(cpuChunk([...WIDE, DEEP])).bytes;

  test("says how much is hidden, and every value is self + shown + hidden", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "wide.jfr", bytes });
    await expectTotals(page, { samples: 3001, value: SUM });
    const frames = await drawnFrames(page);
    const shown = frames.filter((frame) => !frame.marker);
    const folded = Number(await page.getByTestId("folded").getAttribute("data-exact"));
    expect(shown.length + folded).toBe(1 + 1 + 30 + 3000 + 400);
    await expect(page.getByTestId("folded")).toContainText(`${shown.length.toLocaleString("en-US")} of 3,432 frames`);
    // Groups have no value: the line of a frame gives the hidden frames below it.
    for (const group of shown.filter((frame) => /group\d+$/.test(frame.name))) {
      const g = Number(/\d+$/.exec(group.name)?.[0]);
      const leaves = WIDE.filter((_, i) => i % 30 === g);
      expect(group.value).toBe(leaves.reduce((sum, { weight }) => sum + Number(weight), 0));
      const below = shown.filter((frame) => frame.path.startsWith(`${group.path} → `));
      for (const leaf of below) expect(leaf.value).toBe(Number(/\d+$/.exec(leaf.name)?.[0]) + 1);
      const hidden = leaves.length - below.length;
      if (hidden === 0) continue;
      const rest = group.value - below.reduce((sum, { value }) => sum + value, 0);
      await hoverBox(page, group.name);
      await expect(page.getByTestId("frame-detail")).toContainText(
        `${hidden} tiny frames hidden (${((100 * rest) / SUM).toFixed(1)} %)`,
      );
      const marker = frames.find((frame) => frame.marker && frame.path.startsWith(`${group.path} → `));
      if (marker !== undefined) expect(marker.value).toBe(rest);
    }
  });

  test("shows what was hidden once zoomed in, down to the deepest frame", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "wide.jfr", bytes });
    await expectTotals(page, { samples: 3001, value: SUM });
    await clickBox(page, "demo.Work.group29");
    // Its lightest leaf weighs 30 of 151,500: a fifth of a pixel.
    await expect(page.getByTestId("folded")).toContainText("of 101 frames, ");
    const shown = (await drawnFrames(page)).filter((frame) => !frame.marker);
    expect(shown.length + Number(await page.getByTestId("folded").getAttribute("data-exact"))).toBe(101);
    expect(shown.length).toBeGreaterThan(90);
    await page.getByTestId("breadcrumb").getByRole("button", { name: "all" }).click();
    await clickBox(page, "demo.Work.deep399");
    await expect(page.getByTestId("folded")).toContainText("400 frames, all shown");
    await clickBox(page, "demo.Work.deep0");
    await expect(page.getByTestId("breadcrumb").getByRole("listitem").last()).toHaveText("demo.Work.deep0");
  });
});

test("the other frames of the function under the pointer light up, and those of the current frame by keys", async ({
  page,
}) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "a.folded", bytes: Buffer.from("main;b;c 50\nmain;d;c 30\nmain;c;b;c 20\n") });
  const equal = page.getByTestId("flame").locator("path[data-boxes]");
  await page.getByTestId("flame").locator('g.frame[aria-label="c"]').first().hover();
  await expect(equal).toHaveAttribute("data-boxes", "3");
  await expect(equal).toHaveAttribute("d", /^(M\S+ \S+h\S+v\S+h\S+z){3}$/);
  await page.getByTestId("flame").locator('g.frame[aria-label="d"]').hover();
  await expect(equal).toHaveAttribute("data-boxes", "0");
  await expect(equal).toBeHidden();

  await page.getByTestId("flame").focus();
  for (const key of ["Home", "ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
  await expect(page.getByTestId("flame").locator('[data-current][aria-label="b"]')).toBeVisible();
  await expect(equal).toHaveAttribute("data-boxes", "1");
});

test("T goes from the graph to the order of time and back", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await page.keyboard.press("t");
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("t");
  await expect(page.getByTestId("view-graph")).toHaveAttribute("aria-selected", "true");
  // A letter of a text is no key.
  await page.getByTestId("id-input").fill("");
  await page.getByTestId("id-input").press("t");
  await expect(page.getByTestId("view-graph")).toHaveAttribute("aria-selected", "true");
});
