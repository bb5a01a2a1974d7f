/** From a frame to its source: the place in its words, links by the user's template, dropped files, Markdown. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { drop, expect, openFixture, test } from "../kit/page.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");

/** Opens the menu of the first Java frame; answers its file and line. */
async function openMenu(page: Page): Promise<string> {
  const detail = page.getByTestId("frame-detail");
  const place = /[\w.]+\.java:\d+/;
  const first = await detail.textContent();
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await expect(detail).not.toHaveText(first ?? "");
  // Past `all` and the frames that are not Java's. The place of a frame comes after its name.
  for (let i = 0; i < 30 && !(await detail.textContent())?.includes("Java ·"); i++)
    await page.keyboard.press("ArrowDown");
  await expect(detail).toContainText(place);
  const found = place.exec((await detail.textContent()) ?? "")?.[0] ?? "";
  await page.keyboard.press("Shift+F10");
  await expect(page.getByTestId("frame-menu")).toBeVisible();
  return found;
}

/** Addresses of links that the page follows, which are not opened here. */
async function catchLinks(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const links: string[] = [];
    Object.assign(window, { links });
    HTMLAnchorElement.prototype.click = function () {
      links.push(`${this.href} ${this.rel} ${this.target}`);
    };
  });
  return () => page.evaluate(() => (window as unknown as { links: string[] }).links);
}

test("M23: a frame says its file and lines, and its source opens by the user's template", async ({ page }) => {
  const links = await catchLinks(page);
  await openFixture(page, AGENT, "#search=Shop");
  const place = await openMenu(page);
  await expect(page.getByTestId("open-source")).toHaveText(new RegExp(`^Open ${place}`));

  // There is no template yet: it is asked for, by keyboard.
  const isThere = () => page.getByTestId("open-source").evaluate((item) => item === document.activeElement);
  for (let i = 0; i < 20 && !(await isThere()); i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Links to the source" });
  await expect(page.getByTestId("source-template")).toBeFocused();
  for (const template of ["javascript:alert(1)//{path}", "data:text/html,{path}"]) {
    await page.getByTestId("source-template").fill(template);
    await expect(page.getByTestId("source-example")).toContainText("A link begins with https:");
    await page.keyboard.press("Enter");
    await expect(dialog).toBeVisible();
  }
  await expectNothingByAxe(page, { without: [GRAPH] });
  await dialog.getByRole("button", { name: "GitHub" }).click();
  await expect(page.getByTestId("source-example")).toContainText(`/${place.replace(":", "#L")}`);
  await page.getByTestId("source-template").fill("https://git.example/shop/{path}#L{line}");
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  const [first] = await links();
  expect(first).toMatch(/^https:\/\/git\.example\/shop\/[\w/]+\.java#L\d+ noopener noreferrer _blank$/);
  expect(first).toContain(`/${place.replace(":", "#L")} `);

  // The browser remembers it.
  await page.reload();
  await openFixture(page, AGENT);
  const other = await openMenu(page);
  await page.getByTestId("open-source").click();
  const [again] = await links();
  expect(again).toMatch(/^https:\/\/git\.example\/shop\//);
  expect(again).toContain(`/${other.replace(":", "#L")} `);
});

test("M23: the tooltip of a frame says its file and lines, as the line below the graph does", async ({ page }) => {
  await openFixture(page, AGENT, "#search=Shop");
  const frame = page.getByTestId("flame").locator("g.frame[data-match]:not([aria-label*=Lambda])").first();
  await frame.hover({ force: true });
  const place = /[\w.]+\.java:\d+(–\d+)?/;
  await expect(page.getByTestId("frame-detail")).toContainText(place);
  const found = place.exec((await page.getByTestId("frame-detail").textContent()) ?? "")?.[0] ?? "";
  await expect(page.getByTestId("frame-tip").locator("div").last()).toHaveText(found);
});

test("a stack is copied as Markdown", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFixture(page, AGENT);
  const place = await openMenu(page);
  await page.getByRole("menuitem", { name: "Copy stack as Markdown" }).click();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  // It is written after the menu has closed.
  await expect.poll(copied).toContain(place);
  const text = await copied();
  expect(text).toMatch(/samples? .* of total.*\n\n```text\n[^`]+\n```\n$/s);
});

const PLANTED = fixture("planted/dd-text.jfr.gz");

/** Opens the source of the first frame of a function, by key. */
async function openSource(page: Page, name: string): Promise<void> {
  const graph = page.getByTestId("flame");
  await graph.focus();
  for (let i = 0; i < 60 && !(await page.getByTestId("frame-detail").textContent())?.includes(name); i++) {
    const before = await page.getByTestId("frame-detail").textContent();
    await page.keyboard.press("n");
    await expect(page.getByTestId("frame-detail")).not.toHaveText(before ?? "");
  }
  await expect(page.getByTestId("frame-detail")).toContainText("Shop.java:");
  await page.keyboard.press("o");
}

test("a dropped source file shows the samples of each line, from the hottest one on", async ({ page }) => {
  await openFixture(page, PLANTED, "#search=Receipt.lines&view=flame");
  const bytes = readFileSync(fixture("planted/Shop.java"));
  await drop(page, { name: "Shop.java", bytes });
  await expect(page.getByTestId("toast").getByText("1 source file read")).toBeVisible();
  await expect(page.getByTestId("message")).toHaveCount(0);
  await openSource(page, "Receipt.lines");
  const dialog = page.getByRole("dialog", { name: "Shop.java" });
  await expect(dialog.getByTestId("source-path")).toHaveText("Shop.java");
  await expect(dialog).toContainText("Found by its name alone: its folder is not that of planted/Shop.java");
  const hot = dialog.locator("[data-testid=source-lines-row][data-active=true]");
  await expect(hot).toContainText("text = text +");
  const [number = ""] = (await hot.textContent())?.match(/^\d+/) ?? [];
  expect(bytes.toString().split("\n")[Number(number.slice(0, 2)) - 1]).toContain("text = text +");
  await expect(dialog.getByTestId("source-totals")).toContainText("In this file: self 0 %, total 25.9 %");
  await expect(dialog.getByTestId("source-line")).toContainText("Line 41: self 0 samples, total 7 samples");
  await expectNothingByAxe(page, { without: [GRAPH] });
  // By keys to another line and back to the one with samples.
  await page.getByTestId("source-lines").focus();
  await page.keyboard.press("Home");
  await expect(dialog.getByTestId("source-line")).toHaveText("Line 1: no samples");
  await page.keyboard.press("n");
  await expect(hot).toContainText("text = text +");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId("flame")).toBeFocused();
});

test("of several files that fit the user chooses, and what is in them is text", async ({ page }) => {
  await openFixture(page, PLANTED, "#search=Receipt.lines&view=flame");
  const lines = Array.from({ length: 40 }, (_, i) => (i === 1 ? "<img src=x onerror=alert(1)>\u202e" : `// ${i}`));
  const file = (name: string, more: string[]) => ({ name, bytes: Buffer.from([...lines, ...more].join("\r\n")) });
  await drop(page, file("Shop.java", ["hot();"]), file("Shop.kt", ["", "cold();"]));
  await openSource(page, "Receipt.lines");
  const dialog = page.getByRole("dialog", { name: "Shop.java" });
  await expect(dialog.getByTestId("source-path")).toContainText("2 files fit");
  const hot = dialog.locator("[data-testid=source-lines-row][data-active=true]");
  await expect(hot).toContainText("hot();");
  await dialog.getByRole("combobox").selectOption("Shop.kt");
  await expect(dialog).toContainText("this may be another version of the file");
  await page.getByTestId("source-lines").focus();
  await page.keyboard.press("Home");
  const second = dialog.locator("[data-testid=source-lines-row][data-id='2']");
  await expect(second).toContainText("<img src=x onerror=alert(1)>\\u202e");
  await expect(dialog.locator("img")).toHaveCount(0);
});
