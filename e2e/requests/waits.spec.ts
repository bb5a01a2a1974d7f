/** Waits for monitors and their holders in the Overview: the sentence, the table, and what a holder did meanwhile. */
import { fileURLToPath } from "node:url";
import { expect, openFixture, test } from "../kit/page.ts";

const AGENT = fileURLToPath(new URL("../../fixtures/recorded/ddagent-jdk17.jfr", import.meta.url));
const HOLDERS = fileURLToPath(new URL("../../fixtures/waits/holders-jdk25.jfr", import.meta.url));

test("the sentence of a request names what it waited for, and who held it", async ({ page }) => {
  await openFixture(page, AGENT, "#root=1630705100213871486");
  await page.getByTestId("view-overview").click();
  await expect(page.getByTestId("why-sentence")).toContainText(
    "Waited 12.5 ms for Object; 12.5 ms of it held by POST /checkout (request 0x2689f3314e908779, tenant initech).",
  );
});

test("who blocks whom is a table, of which a row leads to what the holder did meanwhile", async ({ page }) => {
  await openFixture(page, HOLDERS);
  await page.getByTestId("view-overview").click();
  const first = page.getByTestId("blocked").first();
  await expect(first).toContainText("POST /reindex");
  await expect(first).toContainText("Holders$Catalog");
  await expect(page.getByTestId("finding").filter({ hasText: "Who blocks whom" })).toContainText(
    "held up by POST /reindex",
  );
  await first.click();
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
  const link = () => decodeURIComponent(new URL(page.url()).hash);
  await expect.poll(link).toMatch(/attr=thread\.id=\d+/);
  expect(link()).toMatch(/time=\d{19}-\d{19}/);
  // Back leads to the table.
  await page.goBack();
  await expect(page.getByTestId("blocked").first()).toBeVisible();
});

test("a row of the table is reached and opened by keyboard", async ({ page }) => {
  await openFixture(page, HOLDERS);
  await page.getByTestId("view-overview").click();
  await page.getByTestId("blocked").first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");
});

test("by mouse, a pasted id leads to the holder's code in three actions, over the waterfall", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.getByTestId("id-input").click();
  await page.keyboard.insertText("1630705100213871486");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await page.getByTestId("view-trace").click();
  const wait = page.getByTestId("wait-row");
  await expect(wait).toHaveText(/lock\s*for Object, held by POST \/checkout \(worker-1, request 0x2689f3314e908779\)/);
  await expect(page.getByTestId("wait-bar")).toHaveAttribute("data-part", "lock");
  await wait.click();
  await expect(page).toHaveURL(/attr=thread\.id/);
  await expect(page.getByTestId("flame").locator('g.frame[aria-label*="Pricing.discount"]')).toBeVisible();
});

test("by keyboard, the same way; waits are closed with their span", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.keyboard.press("Control+k");
  await page.keyboard.insertText("1630705100213871486");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await page.getByTestId("view-trace").focus();
  await page.keyboard.press("Enter");
  const waits = page.getByTestId("wait-row");
  await expect(waits).toHaveCount(1);
  await page.getByTestId("spans").focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await expect(waits).toHaveCount(0);
  await page.keyboard.press("ArrowRight");
  await expect(waits).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/attr=thread\.id/);
  await expect(page.getByTestId("flame").locator('g.frame[aria-label*="Pricing.discount"]')).toBeVisible();
});

test("who blocks whom has readable names on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openFixture(page, HOLDERS);
  await page.getByTestId("view-overview").click();
  const first = page.getByTestId("blocked").first();
  // A name that has no room is cut in its middle.
  await expect(first).toContainText("POST /reindex");
  const [holder, waiter] = [0, 1].map((i) => first.getByText("POST /reindex").nth(i));
  for (const name of [holder, waiter]) await expect(name!).toBeVisible();
  // Lists above them come later.
  const top = async (name: typeof holder) => (await name!.boundingBox())!.y;
  await expect.poll(async () => (await top(holder)) - (await top(waiter))).toBe(0);
});
