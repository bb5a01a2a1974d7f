/** Names where there is little room, and the legend that highlights. */
import type { Locator, Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk, field } from "../../test/kit/jfr/jfr-types.ts";
import { fixture } from "../kit/expected.ts";
import { drop, expect, fromDisk, inFlame, listBy, test } from "../kit/page.ts";

const PACKAGE = "com.example.enterprise.platform.interceptor.chain.auditing.tracing.internal";
const LIBRARY = "org.springframework.web.servlet.handler";
const ROWS = 30;
const frame = (className: string, method: string) => ({ className: className.replaceAll(".", "/"), method });

/** Names that differ at their end only: functions, threads and endpoints. */
const SAMPLES = Array.from({ length: ROWS }, (_, i) => ({
  weight: BigInt(1000 - 10 * i),
  stack: {
    frames: [
      frame(`${PACKAGE}.OrderInterceptor`, `intercept${i}`),
      frame(`${LIBRARY}.AbstractHandlerMethodMapping`, "invoke"),
      frame("java.lang.Thread", "run"),
    ],
  },
  thread: {
    javaName: `http-nio-8080-production-east-exec-${i}`,
    javaId: BigInt(i + 1),
    osName: `os-${i}`,
    osId: BigInt(i + 1),
  },
  span: BigInt(i + 1),
  root: BigInt(i + 1),
  more: { operation: `GET /api/v2/orders/{orderId}/customers/{customerId}/items/${i}` },
}));
const BYTES = buildChunk(cpuChunk(SAMPLES, {}, [field("operation", "java.lang.String")])).bytes;

async function openNames(page: Page, hash = ""): Promise<void> {
  await page.goto(`./${inFlame(hash)}`);
  await drop(page, { name: "names.jfr", bytes: BYTES });
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(ROWS));
}

interface Seen {
  /** The whole name, as it is read aloud and copied. */
  text: string;
  /** What a reader sees of it. */
  seen: string;
  cut: boolean;
}

/** The names in elements: whole, and their visible part. */
async function seenIn(names: Locator): Promise<Seen[]> {
  return await names.evaluateAll((elements) =>
    elements.map((element) => {
      let seen = "";
      for (const node of element.childNodes) {
        if (!(node instanceof Element)) seen += node.textContent;
        else if (getComputedStyle(node).fontSize !== "0px")
          seen += node.textContent || getComputedStyle(node, "::before").content.slice(1, 2);
      }
      return { text: element.textContent, seen, cut: element.scrollWidth > element.clientWidth };
    }),
  );
}

test("M8: functions keep their method at every width, and rows can be distinguished", async ({ page }) => {
  await openNames(page, "#view=top");
  for (const width of [1920, 1024]) {
    await page.setViewportSize({ width, height: 800 });
    const names = page.getByTestId("top-row").locator("bdi");
    await expect(names.nth(11)).toBeVisible();
    // Names are cut anew when their column has its width.
    await expect(async () => {
      const first = (await seenIn(names)).slice(0, 12).filter(({ text }) => text.startsWith(PACKAGE));
      expect(first.length).toBeGreaterThan(8);
      expect(new Set(first.map(({ seen }) => seen)).size).toBe(first.length);
      for (const { text, seen, cut } of first) {
        expect(text).toMatch(/^com\.example\.enterprise\..*\.OrderInterceptor\.intercept\d+$/);
        expect(seen).toMatch(/\.intercept\d+$/);
        expect(cut).toBe(false);
      }
    }).toPass();
  }
});

test("a name gets longer with its column", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openNames(page, "#view=top");
  const names = page.getByTestId("top-row").locator("bdi");
  const first = async () => (await seenIn(names))[2]?.seen ?? "";
  await expect.poll(first).toMatch(/^c\.e\.e\.p\.i\.c\.a\.t\.i\.Order/);
  await page.setViewportSize({ width: 1920, height: 800 });
  await expect.poll(first).toMatch(/^com\.example\./);
  await page.setViewportSize({ width: 390, height: 800 });
  await expect.poll(first).toMatch(/(^|\.)intercept\d+$/);
});

test("M8: threads and routes lose their middle, and rows can be distinguished", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 800 });
  await openNames(page);
  for (const [list, end] of [
    ["thread", /^http-.*exec-\d+$/],
    ["operation", /^GET \/.*\/\d+$/],
  ] as const) {
    await listBy(page, list);
    const names = page.getByTestId("rank-row").locator("bdi:first-child");
    await expect(names.first()).toHaveText(end);
    const first = (await seenIn(names)).slice(0, 12);
    expect(new Set(first.map(({ seen }) => seen)).size).toBe(first.length);
    for (const { seen } of first) expect(seen).toMatch(end);
  }
});

test("labels in the graph are short forms of the name", async ({ page }) => {
  await openNames(page);
  const labels = await page
    .getByTestId("flame")
    .locator(`g.frame[aria-label^="${PACKAGE}"] text`)
    .evaluateAll((all) => all.map(({ textContent }) => textContent).filter((text) => text !== ""));
  for (const label of labels) expect(label).toMatch(/^(intercept\d*…?|inter…|int…|i.*…)$/);
  const wide = page.getByTestId("flame").locator(`g.frame[aria-label^="${LIBRARY}"] text`);
  await expect(wide.first()).toHaveText(`${LIBRARY}.AbstractHandlerMethodMapping.invoke`);
});

const legend = (page: Page) => page.getByTestId("legend");
const entry = (page: Page, label: string) => legend(page).getByRole("button").filter({ hasText: label });
const fillOf = async (page: Page, name: string) =>
  await page
    .getByTestId("flame")
    .locator(`g.frame[aria-label^="${name}"] rect`)
    .first()
    .evaluate((rect) => getComputedStyle(rect).fill);

test("the legend has families with their share, and highlights one of them by click and by key", async ({ page }) => {
  // The line below the graph has room for the legend.
  await page.setViewportSize({ width: 2400, height: 900 });
  await openNames(page);
  await expect(entry(page, "Application")).toContainText("100 %");
  await expect(entry(page, "com.example")).toContainText("100 %");
  await expect(entry(page, "Libraries")).toContainText("0 %");
  const [library, jdk] = [await fillOf(page, LIBRARY), await fillOf(page, "java.lang")];
  expect(library).not.toBe(jdk);

  await entry(page, "Libraries").click();
  await expect(entry(page, "Libraries")).toHaveAttribute("aria-pressed", "true");
  await expect(legend(page).getByRole("status")).toHaveText("Libraries highlighted");
  expect(await fillOf(page, LIBRARY)).toBe(library);
  await expect.poll(() => fillOf(page, "java.lang")).not.toBe(jdk);

  // The graph stays zoomed as it was: Escape is the legend's.
  await page.keyboard.press("Escape");
  await expect(legend(page).getByRole("status")).toHaveText("");
  await expect.poll(() => fillOf(page, "java.lang")).toBe(jdk);

  await page.keyboard.press("Tab");
  await expect(entry(page, "JDK")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect.poll(() => fillOf(page, LIBRARY)).not.toBe(library);
  expect(await fillOf(page, "java.lang")).toBe(jdk);
  await page.keyboard.press("Enter");
  await expect.poll(() => fillOf(page, LIBRARY)).toBe(library);
});

test("both halves of the sandwich have a legend", async ({ page }) => {
  await openNames(page, "#view=sandwich");
  await expect(legend(page)).toHaveCount(2);
  await page.getByTestId("legend-open").first().click();
  await expect(page.getByTestId("legend-open-panel").getByRole("button").first()).toBeVisible();
});

test("M9: generated names of JDK 17 are classes, not packages with a colour each", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, fromDisk(fixture("recorded/jdk17-profile.jfr")));
  const parts = legend(page).locator("button");
  await expect(parts.first()).toContainText("Application: demo");
  for (const text of await parts.allTextContents()) expect(text).not.toMatch(/Lambda|\d{6}/);
});
