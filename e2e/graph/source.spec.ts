/** From a frame to its source: the place in its words, links by the user's template, the stack as Markdown. */
import type { Page } from "@playwright/test";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { expect, openFixture, test } from "../kit/page.ts";

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
