import type { Page } from "@playwright/test";
import { flatten, readOtlp } from "../../test/kit/otlp/otlp-schema.ts";
import { coreOf, profileIn, rootsBy } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { dialog, exportFile, openExport } from "../kit/export.ts";
import { drawnFrames } from "../kit/flame.ts";
import {
  allShown,
  drop,
  expect,
  expectTotals,
  fromDisk,
  openFixture,
  rankRow,
  showProfile,
  tab,
  tabCounts,
  tabTo,
  test,
} from "../kit/page.ts";

const DD = fixture("recorded/dd152-jdk17-all.jfr");
const AGENT = fixture("recorded/ddagent-jdk17.jfr");

const measure = (page: Page, name: string) => page.getByTestId("measure").getByRole("radio", { name });

/** The tabs, in the order of the row. */
const tabs = (page: Page) => page.locator("[role=tab][data-testid^=tab-]");

test("bytes or objects: totals, ranking, graph and address follow the choice", async ({ page }) => {
  const core = await coreOf([DD]);
  const [bytes, objects] = profileIn(core, "alloc-samples").measures;
  const { samples } = profileIn(core, "alloc-samples");
  const byObjects = rootsBy(core, "alloc-samples", 1);
  // The two must differ in order, or a ranking that ignores the choice would pass.
  expect(byObjects.map(({ id }) => id)).not.toEqual(rootsBy(core, "alloc-samples", 0).map(({ id }) => id));

  await openFixture(page, DD, "#by=root&sort=weight");
  await expect(page.getByTestId("measure")).toHaveCount(0);
  await showProfile(page, "alloc-samples");
  await expectTotals(page, { samples, value: bytes?.value ?? -1n });
  await expect(measure(page, "bytes")).toBeChecked();
  await page.getByTestId("measure").getByText("objects").click();
  await expectTotals(page, { samples, value: objects?.value ?? -1n });
  await expect(page.getByTestId("total-value")).toHaveText(/^[\d,]+ objects$/);
  await expect(page).toHaveURL(/measure=objects/);

  for (const [index, { id, samples: n, value }] of byObjects.slice(0, 8).entries()) {
    const row = page.getByTestId("rank-row").nth(index);
    await expect(row).toHaveAttribute("data-id", id.toString());
    await expect(row.getByTestId("rank-samples")).toHaveAttribute("data-exact", String(n));
    await expect(row.getByTestId("rank-value")).toHaveText(value.toLocaleString("en-US"));
  }
  await expect.poll(async () => (await drawnFrames(page))[0]?.value).toBe(Number(objects?.value));

  // Reloaded the choice is still there; another profile starts with its own first measure.
  await page.reload();
  await drop(page, fromDisk(DD));
  await expectTotals(page, { samples, value: objects?.value ?? -1n });
  await showProfile(page, "queue-time");
  await expect(measure(page, "time")).toBeChecked();
  await expectTotals(page, { samples: 64, value: profileIn(core, "queue-time").value });
});

test("the measure on screen is what is written; all profiles go by their first, and that is said", async ({ page }) => {
  const core = await coreOf([DD]);
  const [bytes, objects] = profileIn(core, "alloc-samples").measures;
  const written = async (scope: string) => {
    const { name, bytes: file } = await exportFile(page, scope);
    const profiles = flatten(readOtlp(file));
    const sums = profiles.map(({ type, samples }) => [
      type,
      samples.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0n),
    ]);
    return { name, sums: Object.fromEntries(sums) as Record<string, bigint> };
  };
  await openFixture(page, DD, "#type=alloc-samples&measure=objects");
  await expect(measure(page, "objects")).toBeChecked();
  expect(await written("scope-one")).toEqual({
    name: "dd152-jdk17-all.alloc-objects.pb",
    sums: { [objects?.type ?? ""]: objects?.value },
  });
  await openExport(page);
  await expect(dialog(page).getByText("the profile on screen, by objects")).toBeVisible();
  await expect(dialog(page).getByText("under the same filter, alloc-samples by bytes")).toBeVisible();
  await page.keyboard.press("Escape");
  expect((await written("scope-all")).sums).toMatchObject({ "alloc-samples": bytes?.value });
});

test("the measure is chosen with the keyboard, and a zoom outlives it", async ({ page }) => {
  await openFixture(page, DD, "#type=alloc-samples");
  await page.getByTestId("flame").locator("g.frame").nth(2).click();
  const crumbs = page.getByTestId("breadcrumb").getByRole("listitem");
  await expect(crumbs.first()).toBeVisible();
  const depth = await crumbs.count();
  await tabTo(page, measure(page, "bytes"), "Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await expect(measure(page, "objects")).toBeFocused();
  await expect(page.getByTestId("total-value")).toContainText("objects");
  await expect(crumbs).toHaveCount(depth);
});

for (const [width, height, least] of [
  [1440, 900, 4],
  [1280, 800, 3],
  [800, 600, 2],
] as const) {
  test(`many profiles at ${width} × ${height}: the largest that fit have a tab, five at most, and a menu has all`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(
      "./#event=jdk.ThreadStart&event=datadog.Endpoint&event=jdk.ActiveSetting&event=jdk.ContainerCPUUsage=cpuTime&view=flame",
    );
    await drop(page, fromDisk(DD), fromDisk(AGENT));
    await allShown(page);
    const counts = await tabCounts(page);
    expect(Object.keys(counts).length).toBeGreaterThanOrEqual(11);
    const large = Object.keys(counts).sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0));
    const types = () => tabs(page).evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset.testid ?? ""));
    expect(large.slice(0, 5).map((type) => `tab-${type}`)).toEqual(expect.arrayContaining(await types()));
    expect((await types()).length).toBeGreaterThanOrEqual(least);
    // Arrows go through the tabs, each of which comes into view.
    await tabs(page).first().focus();
    for (const type of (await types()).slice(1)) {
      await page.keyboard.press("ArrowRight");
      await expect(page.getByTestId(type)).toBeFocused();
      await expect(page.getByTestId(type)).toHaveAttribute("aria-selected", "true");
      await expect(page.getByTestId(type)).toBeInViewport({ ratio: 0.98 });
    }
    await page.keyboard.press("Home");
    await expect(tabs(page).first()).toBeInViewport({ ratio: 0.98 });
    // The smallest one, by the keys of the menu; then it has a tab.
    await tabTo(page, page.getByTestId("profiles-menu"));
    await page.keyboard.press("Enter");
    const smallest = page.getByTestId(`profile-${large.at(-1)}`);
    await expect(page.getByTestId("profiles-menu-menu").locator(":focus")).toBeVisible();
    for (let i = 0; i < 40 && !(await smallest.evaluate((item) => item === document.activeElement)); i++) {
      await page.keyboard.press("ArrowDown");
    }
    await page.keyboard.press("Enter");
    await expect(tab(page, large.at(-1) ?? "")).toHaveAttribute("aria-selected", "true");
    await expect(tab(page, large.at(-1) ?? "")).toBeInViewport({ ratio: 0.98 });
    expect((await types()).length).toBeLessThanOrEqual(5);
    // The graph keeps most of the window's remaining width.
    const tall = () => page.getByRole("tabpanel", { name: "Flame graph" }).evaluate(({ clientHeight }) => clientHeight);
    await expect.poll(tall).toBeGreaterThan(0.5 * height);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}

test("a chosen profile out of an address is scrolled to", async ({ page }) => {
  await page.setViewportSize({ width: 600, height: 600 });
  await openFixture(page, AGENT, "#type=exceptions");
  await expect(tab(page, "exceptions")).toHaveAttribute("aria-selected", "true");
  await expect(tab(page, "exceptions")).toBeInViewport({ ratio: 0.98 });
});

test("settings are said in words where they matter", async ({ page }) => {
  await openFixture(page, AGENT);
  const settings = page.getByTestId("settings");
  const open = async (type: string) => {
    await showProfile(page, type);
    await page.getByTestId("coverage").click();
    await expect(page.getByTestId("coverage-panel")).toBeVisible();
  };
  await open("cpu");
  await expect(settings).toHaveText("One sample every 10 ms.");
  await open("alloc-samples");
  await expect(settings).toHaveText("One sample every 256 KiB allocated.");
  await open("lock-contention");
  await expect(settings).toHaveText(
    "Waits under 10 ms are not recorded. Object.wait is not recorded (jdk.JavaMonitorWait is off).",
  );
  await open("exceptions");
  await expect(settings).toHaveCount(0);
});

test("coverage says how many samples carry a span, and each attribute", async ({ page }) => {
  const profile = profileIn(await coreOf([DD]), "cpu");
  expect(profile).toMatchObject({ samples: 279, samplesWithSpan: 228, samplesWithRoot: 228 });
  await openFixture(page, DD);
  const coverage = page.getByTestId("coverage");
  await expect(coverage).toHaveText("228 of 279 samples carry a span id");
  await coverage.click();
  const panel = page.getByTestId("coverage-panel");
  const rows = panel.getByRole("row");
  await expect(rows).toHaveCount(3 + Object.keys(profile.samplesWithAttribute).length);
  for (const [name, n] of Object.entries(profile.samplesWithAttribute)) {
    await expect(rows.filter({ has: page.getByRole("rowheader", { name, exact: true }) })).toContainText(String(n));
  }
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(coverage).toBeFocused();
});

test("About says who wrote the recording, what of it, and that nothing was wrong", async ({ page }) => {
  await openFixture(page, DD, "#by=root&sort=weight");
  await page.getByTestId("about").click();
  const panel = page.getByTestId("about-panel");
  await expect(panel.getByTestId("about-facts")).toContainText("Servicedemo-shop");
  await expect(panel.getByTestId("about-facts")).toContainText("OpenJDK 64-Bit Server VM 17.0.15+6");
  await expect(panel).toContainText(/dd152-jdk17-all\.jfr.* · \d+ chunks? · [\d,]+ events/);
  await expect(panel.getByTestId("about-findings")).toHaveText("No problems found");
  // What is on screen stays as it was.
  await page.keyboard.press("Escape");
  const [first] = rootsBy(await coreOf([DD]), "cpu", 0);
  await rankRow(page, String(first?.id)).click();
  await expect(page.getByTestId("chip")).toHaveCount(1);
});
