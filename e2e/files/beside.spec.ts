/** Files that come while a recording is open: it stays until they are read, and Back leads to it again. */
import type { Page } from "@playwright/test";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  inWorker,
  listBy,
  openFixture,
  showView,
  tabTo,
  test,
} from "../kit/page.ts";

const SHOP_JFR = fixture("shop.jfr");
const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const AGENT_CPU = { samples: 175, value: 175 };
const FILTERED = profileOf(SHOP, "cpu").attributes.operation?.["pricing.compute"] ?? { samples: -1, value: -1 };
const PNG = { name: "shot.png", bytes: Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0) };

const message = (page: Page) => page.getByTestId("message");

/** Shop's recording, filtered, zoomed, and marked: the mark is gone when the view is made again. */
async function openMarked(page: Page): Promise<string> {
  await openFixture(page, SHOP_JFR);
  await find(page, "operation=pricing.compute");
  await expectTotals(page, FILTERED);
  await page.getByTestId("flame").locator("g.frame").nth(2).click();
  await expect(page).toHaveURL(/focus=/);
  await page.getByTestId("flame").evaluate((element) => element.setAttribute("data-mark", ""));
  return page.url();
}

test("B6: a picture dropped on an open recording changes nothing: neither files, filters, zoom nor the view", async ({
  page,
}) => {
  const address = await openMarked(page);
  await drop(page, PNG);
  await expect(message(page)).toContainText("shot.png");
  await expect(message(page)).toContainText("The open recording is unchanged.");
  expect(page.url()).toBe(address);
  await expect(page.locator("[data-mark]")).toHaveCount(1);
  await expectTotals(page, FILTERED);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await tabTo(page, page.getByTestId("dismiss"));
  await page.keyboard.press("Enter");
  await expect(message(page)).toHaveCount(0);
  await expect(page.locator("[data-mark]")).toHaveCount(1);
});

test("a decoder that hangs on other files leaves the open recording in use, and Cancel calls them off", async ({
  page,
}) => {
  await inWorker(
    page,
    `addEventListener("message", ({ data: { path = [], argumentList = [] } }) => {
      if (path[0] === "open") while (argumentList[0].value[0].name === "hang.jfr") {}
    })`,
  );
  const address = await openMarked(page);
  await drop(page, { ...fromDisk(SHOP_JFR), name: "hang.jfr" });
  await expect(page.getByTestId("incoming")).toContainText("Opening hang.jfr…");
  await expectNothingByAxe(page, { without: [GRAPH] });
  // It answers meanwhile.
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toBeVisible();
  await page.getByTestId("view-flame").click();
  await page.getByTestId("incoming-cancel").click();
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  await expectTotals(page, FILTERED);
  await expect(page).toHaveURL(address);
});

test("files that do not fit beside the open recording are not opened, unless alone", async ({ page }) => {
  // The open recording reports that it uses all memory.
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, data: { argumentList?: { value: unknown }[] }, more) {
      for (const { value } of data.argumentList ?? []) {
        if (typeof value === "object" && value !== null && "room" in value) Object.assign(value, { room: 0 });
      }
      post.call(this, data, more as StructuredSerializeOptions);
    } as typeof post;
  });
  await openMarked(page);
  await drop(page, { ...fromDisk(SHOP_JFR, 400), name: "large.jfr" });
  await expect(message(page)).toHaveAttribute("data-code", "open.room");
  await expect(message(page)).toContainText("large.jfr does not fit into memory beside shop.jfr.");
  await expect(page.locator("[data-mark]")).toHaveCount(1);
  await expectTotals(page, FILTERED);
  await page.getByTestId("open-again").click();
  await expect(page.getByTestId("files")).toContainText("large.jfr");
  await expect(page.getByTestId("total-samples")).toBeVisible();
  await expect(message(page)).toHaveCount(0);
});

test("B6: Back restores the recording that was replaced, with its query, and Forward the other one", async ({
  page,
}) => {
  const address = await openMarked(page);
  await drop(page, fromDisk(AGENT));
  await expectTotals(page, AGENT_CPU);
  await expect(chips(page)).toHaveCount(0);
  await showView(page, "chart");
  await expect(page).toHaveURL(/view=chart/);

  await page.goBack();
  await page.goBack();
  await expectTotals(page, FILTERED);
  await expect(page.getByTestId("files")).toContainText("shop.jfr");
  await expect(page).toHaveURL(address);

  await page.goForward();
  await expectTotals(page, AGENT_CPU);
  await page.goForward();
  await expect(page.getByTestId("view-chart")).toHaveAttribute("aria-selected", "true");
});

test("Back says what it opens again, and Cancel stays where the page was", async ({ page }) => {
  await inWorker(
    page,
    `addEventListener("message", ({ data: { path = [], argumentList = [] } }) => {
      if (path[0] === "open" && argumentList[3]?.value !== undefined) while (argumentList[0].value[0].name === "shop.jfr") {}
    })`,
  );
  await openFixture(page, SHOP_JFR);
  await drop(page, fromDisk(AGENT));
  await expectTotals(page, AGENT_CPU);
  // The recording is shown before its end.
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  await page.goBack();
  await expect(page.getByTestId("incoming")).toContainText("Opening shop.jfr again…");
  await page.getByTestId("incoming-cancel").click();
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  await expectTotals(page, AGENT_CPU);
  await expect(page.getByTestId("files")).toContainText("ddagent-jdk17.jfr");
});

/** Drags files over the page, from one element to the next, and drops them on the last. */
async function dragTo(page: Page, path: string, target: string): Promise<void> {
  const { name, bytes } = fromDisk(path);
  await page.evaluate(
    async ({ name, base64, target }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
      const fire = (type: string, on: Element) =>
        on.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      fire("dragenter", document.body);
      while (document.querySelector(target) === null) await new Promise(requestAnimationFrame);
      const place = document.querySelector(target) as Element;
      for (const type of ["dragenter", "dragover"]) fire(type, place);
      fire("dragleave", document.body);
      while (!place.hasAttribute("data-over")) await new Promise(requestAnimationFrame);
      fire("drop", place);
    },
    { name, base64: Buffer.from(bytes).toString("base64"), target },
  );
}

test("B6: dragged files have three places: replace, add and compare", async ({ page }) => {
  const both = profileIn(await coreOf([SHOP_JFR, AGENT]), "cpu");
  await openFixture(page, SHOP_JFR);
  await dragTo(page, AGENT, "[data-joining=add]");
  await expectTotals(page, both);
  await expect(page.getByTestId("drop-targets")).toHaveCount(0);

  await dragTo(page, SHOP_JFR, "[data-joining=replace]");
  await expectTotals(page, profileOf(SHOP, "cpu"));

  await dragTo(page, AGENT, "[data-joining=compare]");
  await expect(page.getByTestId("view-diff")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("baseline")).toHaveValue("file:ddagent-jdk17.jfr");
  await expect(chips(page)).toHaveText(/^fileshop\.jfr/);
  // One step of the history: both were opened by one action.
  await page.goBack();
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(chips(page)).toHaveCount(0);
});

test("files that are chosen or pasted beside a recording ask how to open them, by keyboard", async ({ page }) => {
  await openFixture(page, SHOP_JFR);
  await page.getByTestId("file-input").setInputFiles(AGENT);
  const dialog = page.getByRole("dialog", { name: "Open ddagent-jdk17.jfr" });
  await expect(page.getByTestId("join-replace")).toBeFocused();
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expectTotals(page, profileOf(SHOP, "cpu"));

  await page.getByTestId("file-input").setInputFiles(AGENT);
  await expect(page.getByTestId("join-replace")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expectTotals(page, profileIn(await coreOf([SHOP_JFR, AGENT]), "cpu"));

  await page.getByTestId("file-input").setInputFiles(AGENT);
  await expect(page.getByTestId("join-replace")).toBeFocused();
  await page.keyboard.press("Enter");
  await expectTotals(page, AGENT_CPU);
});

test("the title names the file and the trace, so that tabs differ", async ({ page }) => {
  await page.goto("./#view=flame");
  await expect(page).toHaveTitle("Spanflame");
  await drop(page, fromDisk(AGENT));
  await expect(page).toHaveTitle("ddagent-jdk17.jfr — Spanflame");
  await listBy(page, "root");
  await page.getByTestId("rank-row").first().click();
  await expect(page).toHaveTitle(/^(GET|POST) \/[\w/{}]+ · [0-9a-f]{4}… · ddagent-jdk17\.jfr — Spanflame$/);
  await page.getByTestId("clear").click();
  await expect(page).toHaveTitle("ddagent-jdk17.jfr — Spanflame");
});
