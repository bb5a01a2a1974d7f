/** The menu of a frame, markers of hidden frames, the look of the graph and its legend. */
import type { Locator, Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk, javaStack } from "../../test/kit/jfr/jfr-types.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { clickBox, drawnFrames } from "../kit/flame.ts";
import { chips, drop, expect, expectTotals, openFixture, showView, test } from "../kit/page.ts";

const CPU = profileOf(SHOP, "cpu");
const SEARCH = "shop.Shop$Front.search";
const AGENT = fixture("recorded/ddagent-jdk17.jfr");

const frame = (page: Page, name: string) => page.getByTestId("flame").locator(`g.frame[aria-label="${name}"]`);
const menu = (page: Page) => page.getByTestId("frame-menu");
const drawer = (page: Page) => page.getByTestId("frame-drawer");
const item = (page: Page, name: string | RegExp) => menu(page).getByRole("menuitem", { name });

test("a right click opens the menu of a frame, arrows go through it, Escape leads back", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await frame(page, SEARCH).click({ button: "right" });
  await expect(menu(page)).toHaveAccessibleName(SEARCH);
  await expect(item(page, /Zoom in/)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item(page, /Focus on this function/)).toBeFocused();
  await page.keyboard.press("End");
  await expect(menu(page).getByRole("menuitemcheckbox", { name: /by line/ })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item(page, /Zoom in/)).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu(page)).toHaveCount(0);
  await expect(page.getByTestId("flame")).toBeFocused();
  await expect(page.locator("g[data-current]")).toHaveAttribute("aria-label", SEARCH);
});

test("what the menu offers does what it says, from the keyboard and from the button", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFixture(page, fixture("shop.jfr"));
  const choose = async (name: string | RegExp) => {
    await frame(page, SEARCH).click({ button: "right" });
    await item(page, name).click();
    await expect(menu(page)).toHaveCount(0);
  };
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await choose("Copy name");
  // It is written after the menu has closed.
  await expect.poll(clipboard).toBe(SEARCH);
  await choose(/^Copy stack(?! as)/);
  await expect
    .poll(async () => (await clipboard()).split("\n").slice(0, 2))
    .toEqual([SEARCH, "shop.Shop$Front.handle"]);
  await choose("Find all");
  await expect(page.locator("g[data-match]")).toHaveCount(1);
  await page.getByTestId("search").fill("");
  await choose("Keep only these stacks");
  await expect(chips(page)).toHaveText([`with${SEARCH}`]);
  const kept = CPU.stacks.filter(({ frames }) => frames.includes(SEARCH));
  const value = kept.reduce((sum, each) => sum + each.value, 0);
  await expectTotals(page, { samples: kept.reduce((sum, { samples }) => sum + samples, 0), value });
  await page.keyboard.press("Control+z");
  await expectTotals(page, CPU);

  // The button shows the current frame beside the graph.
  await page.getByTestId("flame").focus();
  await page.keyboard.press("Home");
  for (const _ of [1, 2, 3, 4]) await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("frame-detail")).toContainText(SEARCH);
  await page.getByTestId("frame-drawer-open").click();
  await expect(drawer(page)).toHaveAccessibleName(`Frame ${SEARCH}`);
  await page.getByTestId("frame-drawer-open").click();
  await expect(drawer(page)).toHaveCount(0);
  await expect(page.getByTestId("frame-drawer-open")).toBeFocused();
  await page.getByTestId("flame").focus();
  await page.keyboard.press("Shift+F10");
  await expect(menu(page)).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("breadcrumb").getByRole("listitem").last()).toHaveText(SEARCH);
});

test("beside the graph are the frame's figures, callers and callees; it follows the keys, and Escape ends it", async ({
  page,
}) => {
  await openFixture(page, fixture("shop.jfr"));
  const before = await drawnFrames(page);
  await frame(page, SEARCH).click({ button: "right" });
  await item(page, "Show beside the graph").click();
  const stacks = CPU.stacks.filter(({ frames }) => frames.includes(SEARCH));
  const value = stacks.reduce((sum, each) => sum + each.value, 0);
  await expect(drawer(page)).toHaveAccessibleName(`Frame ${SEARCH}`);
  await expect(drawer(page).locator("dl")).toContainText(`${value} samples by weight`);
  const side = (name: string) =>
    drawer(page)
      .locator("section")
      .filter({ has: page.getByRole("heading", { name }) });
  await expect(side("Callers").getByRole("button")).toHaveText([/shop\.Shop\$Front\.handle/]);
  const callees = new Set(stacks.flatMap(({ frames }) => frames[frames.lastIndexOf(SEARCH) - 1] ?? []));
  await expect(side("Callees").getByRole("button")).toHaveCount(callees.size);
  // The graph is as wide as what is left, with the same frames.
  const right = async (target: Locator) => target.evaluate((element) => element.getBoundingClientRect().right);
  const left = await drawer(page).evaluate((element) => element.getBoundingClientRect().left);
  await expect.poll(() => right(frame(page, SEARCH))).toBeLessThanOrEqual(left);
  await expect.poll(() => right(page.locator("g.frame").first())).toBeLessThanOrEqual(left);
  expect((await drawnFrames(page)).map(({ name }) => name)).toEqual(before.map(({ name }) => name));

  await expect(page.getByTestId("flame")).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(drawer(page)).toHaveAccessibleName("Frame shop.Shop$Front.handle");
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toHaveCount(0);
  await page.keyboard.press("p");
  // Its actions are those of the menu, behind one button.
  await page.getByTestId("frame-actions").click();
  await expect(page.getByTestId("frame-actions-menu").getByRole("menuitem", { name: /^Exclude stacks/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("frame-actions-menu")).toHaveCount(0);
  await expect(page.getByTestId("frame-actions")).toBeFocused();
  await expect(drawer(page)).toBeVisible();
  await side("Callees").getByRole("button").first().click();
  await expect(page.getByTestId("sandwich")).toBeVisible();
});

test("the graph turns round, keeps that in the address, and arrows follow the eye", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("view-menu").click();
  await page.getByTestId("direction").getByText("Flame").click();
  await page.keyboard.press("Escape");
  const top = async (name: string) => (await frame(page, name).boundingBox())?.y ?? 0;
  await expect.poll(async () => (await top("all")) - (await top("java.lang.Thread.run"))).toBe(20);
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByTestId("frame-detail")).toContainText("java.lang.Thread.run");
  await expect(page).toHaveURL(/up=true/);
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await openFixture(page, fixture("shop.jfr"), hash);
  await expect.poll(async () => (await top("all")) - (await top("java.lang.Thread.run"))).toBe(20);
});

test("colours by kind and by origin are told in words, and the legend adds up", async ({ page }) => {
  await openFixture(page, AGENT);
  const total = Number(await page.getByTestId("total-value").getAttribute("data-exact"));
  await page.getByTestId("view-menu").click();
  const legend = page.getByTestId("legend");
  const rows = async () =>
    Object.fromEntries(
      await legend
        .locator("[data-exact]:not([data-part])")
        .evaluateAll((all) =>
          all.map((row) => [row.querySelector("bdi")?.textContent, Number((row as HTMLElement).dataset.exact)]),
        ),
    );
  const sum = (values: Record<string, number>) => Object.values(values).reduce((a, b) => a + b, 0);
  for (const by of ["Package", "Frame type", "Application code"]) {
    await page.getByTestId("colouring").getByText(by).click();
    await expect.poll(async () => sum(await rows())).toBe(total);
  }
  await expect
    .poll(async () => Object.keys(await rows()))
    .toEqual(expect.arrayContaining(["Application", "JDK", "Native"]));
  await page.getByTestId("own").fill("no.such.package");
  await expect.poll(async () => Object.keys(await rows())).not.toContain("Application");
  expect(sum(await rows())).toBe(total);
  await expect(page).toHaveURL(/own=no\.such\.package/);
  await page.keyboard.press("Escape");
  await frame(page, "java.lang.Thread.run").hover();
  await expect(page.getByTestId("frame-detail")).toContainText(/^java\.lang\.Thread\.runJDK · /);
});

test("the line below the graph says the file of a frame, and its line where frames are split by it", async ({
  page,
}) => {
  const bytes = pprofOf({
    types: [["cpu", "nanoseconds"]],
    samples: [{ stack: ["leaf", "main"], values: [5] }],
    files: { leaf: "<b>.go" },
  });
  await page.goto("./#view=flame");
  await drop(page, { name: "a.pprof", bytes });
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("frame-detail")).toContainText(/^maina\.go:10 · 5 ns/);
  await page.keyboard.press("l");
  await frame(page, "leaf:10").hover();
  await expect(page.getByTestId("frame-detail")).toContainText("leaf:10<b>.go:10 · 5 ns");
});

test.describe("a recording wider and deeper than the screen", () => {
  const WIDE = Array.from({ length: 3000 }, (_, i) => ({
    stack: javaStack(`leaf${i}`, `group${i % 3}`, "main"),
    weight: BigInt(1 + (i % 7)),
  }));
  const wide = buildChunk(cpuChunk(WIDE)).bytes;
  const deep = buildChunk(
    cpuChunk([{ stack: javaStack(...Array.from({ length: 2048 }, (_, i) => `deep${i}`)), weight: 5n }]),
  ).bytes;

  test("markers of hidden frames say their share, and open by click and by key", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "wide.jfr", bytes: wide });
    const marker = page.locator("g[data-marker]").first();
    await expect(marker).toHaveAttribute("aria-label", /^[\d,]+ tiny frames hidden \(\d+\.\d %\)$/);
    const framesIn = async () => (await drawnFrames(page)).filter((each) => /leaf\d+$/.test(each.name)).length;
    await marker.click();
    const trail = page.getByTestId("breadcrumb");
    await expect(trail.getByRole("listitem").last()).toHaveText(/group\d$/);
    await expect.poll(framesIn).toBeGreaterThan(300);
    await page.getByTestId("flame").focus();
    await page.keyboard.press("Escape");
    await expect(trail).toHaveCount(0);
    // By keys: main, its widest group, the marker in it.
    for (const _ of [1, 2, 3]) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await expect(page.getByTestId("frame-detail")).toContainText("tiny frames hidden below demo.Work.group");
    await page.keyboard.press("Enter");
    await expect(trail.getByRole("listitem").last()).toHaveText(/group\d$/);
  });

  test("frames hidden right below the focus open past the frames drawn, and lead back", async ({ page }) => {
    // A hundred each of 10,000, of 100 and of 1: beside the wider ones the narrower are below half a pixel.
    const flat = Array.from({ length: 300 }, (_, i) => ({
      stack: javaStack(`leaf${i}`),
      weight: 100n ** BigInt(2 - Math.floor(i / 100)),
    }));
    await page.goto("./#view=flame");
    await drop(page, { name: "flat.jfr", bytes: buildChunk(cpuChunk(flat)).bytes });
    const whole = flat.reduce((sum, { weight }) => sum + Number(weight), 0);
    const seen = new Map<string, number>();
    const note = async () => {
      for (const { name, value } of await drawnFrames(page)) {
        if (!name.startsWith("demo.Work.leaf")) continue;
        expect(seen.has(name), name).toBe(false);
        seen.set(name, value);
      }
    };
    await note();
    const first = seen.size;
    const trail = page.getByTestId("breadcrumb").getByRole("listitem");
    expect(first).toBe(100);
    await clickBox(page, "hidden");
    await expect(trail).toHaveText(["all", "all without its 100 widest"]);
    await note();
    // By the keyboard the same: to the marker after the last frame, and in.
    await page.getByTestId("flame").focus();
    const before = seen.size;
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await expect(page.getByTestId("frame-detail")).toContainText("hidden below");
    await page.keyboard.press("Enter");
    await expect(trail.last()).toHaveText(`all without its ${before} widest`);
    await note();
    const [top] = await drawnFrames(page);
    const passed = [...seen.values()].slice(0, before).reduce((sum, value) => sum + value, 0);
    expect(top?.value).toBe(whole - passed);
    await page.keyboard.press("Escape");
    await expect(trail).toHaveCount(0);
    await expect(page.getByTestId("flame").locator("g.frame").first()).toHaveAttribute("aria-label", "all");
  });

  test("frames none of which is as wide as a pixel open as a table", async ({ page }) => {
    const even = Array.from({ length: 4000 }, (_, i) => ({ stack: javaStack(`leaf${i}`) }));
    await page.goto("./#view=flame");
    await drop(page, { name: "even.jfr", bytes: buildChunk(cpuChunk(even)).bytes });
    await expect(page.getByTestId("folded")).toHaveAttribute("data-exact", "4000");
    await clickBox(page, "hidden");
    await expect(page.getByTestId("tree")).toHaveAttribute("aria-rowcount", "4001");
  });

  test("tops of stacks that are hidden are in the top table; where nothing opens, it is said", async ({ page }) => {
    const even = Array.from({ length: 4000 }, (_, i) => ({ stack: javaStack(`leaf${i}`, "main") }));
    const bytes = buildChunk(cpuChunk(even)).bytes;
    await page.goto("./#grouping=callers&top=name");
    await drop(page, { name: "even.jfr", bytes });
    await page.locator("g[data-marker]").click();
    // And main, which is on top of no stack.
    await expect(page.getByTestId("top")).toHaveAttribute("aria-rowcount", "4002");
    await expect(page.getByRole("columnheader", { name: /^self (?!%)/ })).toHaveAttribute("aria-sort", "descending");

    await showView(page, "sandwich");
    await page.goto("about:blank");
    await page.goto("./#view=sandwich&function=demo.Work.main");
    await drop(page, { name: "even.jfr", bytes });
    const below = page.getByTestId("callees-of");
    await below.getByTestId("flame").focus();
    await page.keyboard.press("ArrowDown");
    await expect(below.getByTestId("frame-detail")).toContainText("too small to draw at this zoom");
    await page.keyboard.press("Shift+F10");
    await expect(page.getByRole("menuitem", { name: "Zoom in" })).toHaveAttribute("aria-disabled", "true");
  });

  test("2,048 frames above each other draw, scroll, zoom and turn round", async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, { name: "deep.jfr", bytes: deep });
    await expectTotals(page, { samples: 1, value: 5 });
    const flame = page.getByTestId("flame");
    await frame(page, "demo.Work.deep2020").click();
    await expect(page.getByTestId("breadcrumb").getByRole("listitem").last()).toHaveText("demo.Work.deep2020");
    await flame.focus();
    await page.keyboard.press("f");
    await expect(chips(page)).toHaveText(["fromdemo.Work.deep2020"]);
    await page.getByTestId("view-menu").click();
    await page.getByTestId("direction").getByText("Flame").click();
    await page.keyboard.press("Escape");
    await expect.poll(async () => (await drawnFrames(page)).length).toBe(2022);
    // Only those near the visible part are elements.
    expect(await flame.locator("g.frame").count()).toBeLessThan(200);
    await flame.focus();
    for (let i = 0; i < 60; i++) await page.keyboard.press("ArrowUp");
    await expect(page.getByTestId("frame-detail")).toContainText("demo.Work.deep1961");
    await expect(page.locator("g[data-current]")).toBeInViewport();
  });
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing in the menu, the settings and colours by origin, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await openFixture(page, fixture("shop.jfr"), "#colour=origin&up=true&lines=true");
    // The frames are checked once: colour.test.ts checks the contrast of the other colours.
    await page.getByTestId("view-menu").click();
    await expect(page.getByTestId("colouring")).toBeVisible();
    await expectNothingByAxe(page);
    await page.keyboard.press("Escape");
    await page.getByTestId("flame").press("ArrowUp");
    await page.getByTestId("flame").press("Shift+F10");
    await expect(menu(page)).toBeVisible();
    await expectNothingByAxe(page, { without: [GRAPH] });
    await page.getByTestId("open-drawer").click();
    await expect(drawer(page).getByRole("heading", { name: "Callees" })).toBeVisible();
    await expectNothingByAxe(page, { without: [GRAPH] });
  });
}

test("where no package is the application's, the page asks which ones are the reader's", async ({ page }) => {
  const stacks = "java.lang.Thread.run;com.datadog.demo.Main.main;com.datadog.demo.Cart.total 5\n";
  // The line below the graph has room for the legend.
  await page.setViewportSize({ width: 1800, height: 900 });
  const legend = page.getByTestId("legend");
  const ask = page.getByTestId("ask-own");
  const open = async () => {
    await page.goto("about:blank");
    await page.goto("./#view=flame");
    await drop(page, { name: "calls.folded", bytes: Buffer.from(stacks) });
    await expect(legend).toContainText("Libraries");
  };
  await open();
  await ask.getByRole("button", { name: "com.datadog.demo" }).click();
  await expect(ask).toHaveCount(0);
  await expect(legend).toContainText("Application: com.datadog100 %");
  await expect(page).toHaveURL(/own=com.datadog.demo/);
  await open();
  await ask.getByRole("button", { name: "None" }).click();
  await expect(ask).toHaveCount(0);
  // Whoever has none is not asked again.
  await open();
  await expect(legend.getByRole("button").first()).toBeVisible();
  await expect(ask).toHaveCount(0);
});
