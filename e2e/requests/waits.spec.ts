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
  await expect.poll(link).toMatch(/attr=thread\.name=worker-\d/);
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
