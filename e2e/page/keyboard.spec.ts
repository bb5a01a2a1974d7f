/**
 * The way from a file to one span's graph, comparison and export without a mouse: no step may leave the focus nowhere.
 */
import type { Locator, Page } from "@playwright/test";
import type { Core } from "../../src/core/core.ts";
import { coreOf, profileIn, rootsBy } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { chips, expect, expectTotals, inFlame, listed, tabTo, test, timeIn } from "../kit/page.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");

let core: Core;
let cpu: number;
test.beforeAll(async () => {
  core = await coreOf([RECORDING]);
  cpu = profileIn(core, "cpu").id;
});

async function expectFocus(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName ?? "nothing")).not.toBe("BODY");
}

/** Keys, one after the other; after each something has the focus. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expectFocus(page);
  }
}

/** To a control by Tab, and keys there. */
async function at(page: Page, target: Locator, ...keys: string[]): Promise<void> {
  await tabTo(page, target);
  await press(page, ...keys);
}

async function openByKeys(page: Page, hash = ""): Promise<void> {
  // Tests can answer the dialogue of an input only.
  await page.addInitScript(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  await page.goto(`./${inFlame(hash)}`);
  const chooser = page.waitForEvent("filechooser");
  await tabTo(page, page.getByRole("button", { name: "Choose files…" }));
  await page.keyboard.press("Enter");
  await (await chooser).setFiles(RECORDING);
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expectFocus(page);
}

/** As Ctrl+V does it: the clipboard itself belongs to the machine. */
async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
}

/** A span that is only a part of its request: the heaviest such. */
function partOfRequest(): { span: bigint; root: bigint } {
  core.select(cpu, {});
  const { rows } = core.views.rank({ kind: "span" }, 0, 1000);
  for (const { id: span, root } of rows) {
    if (root === 0n || root === span) continue;
    if (core.select(cpu, { localRoot: root }).samples > core.select(cpu, { span }).samples) return { span, root };
  }
  throw new Error("every request is one span");
}

const flameOf = (page: Page) => page.getByTestId("flame").first();

test("from a file to a pasted id, its rows, its scope and back", async ({ page }) => {
  await openByKeys(page);
  await expect(page.getByRole("main")).toBeFocused();
  const whole = core.select(cpu, {});
  await expectTotals(page, whole);
  const { span, root } = partOfRequest();

  // Wherever the focus is, an id needs no box.
  await paste(page, span.toString(16));
  // It opens on Wall, where it has samples; a bar of its header leads back to the CPU.
  await at(page, page.getByTestId("split-cpu"), "Enter");
  await expectTotals(page, core.select(cpu, { span }));
  await expectFocus(page);

  // The choice between the span and its request, in the list, stays under the keys.
  await press(page, "e");
  const scope = page.getByTestId("scope").getByRole("radio", { checked: true });
  await expect(scope).toBeVisible();
  await at(page, scope, "ArrowLeft");
  await expectTotals(page, core.select(cpu, { localRoot: root }));
  await expect(scope).toBeFocused();
  await press(page, "ArrowRight");
  await expectTotals(page, core.select(cpu, { span }));
  await expect(scope).toBeFocused();
  await press(page, "ArrowLeft");
  await expectTotals(page, core.select(cpu, { localRoot: root }));

  // A second root by the list, which keeps the focus.
  await at(page, page.getByRole("tablist", { name: "List by" }).getByRole("tab", { selected: true }), "ArrowRight");
  while ((await page.getByTestId("by-root").getAttribute("aria-selected")) !== "true") await press(page, "ArrowRight");
  const list = page.getByRole("listbox");
  await tabTo(page, list);
  await listed(page);
  const slowest = BigInt((await page.getByTestId("rank-row").first().getAttribute("data-id")) ?? 0);
  expect(slowest).not.toBe(root);
  await press(page, "End", "Home", "Control+Enter");
  await expectTotals(page, core.select(cpu, { localRoot: [root, slowest] }));
  await expect(list).toBeFocused();

  // A chip goes and leaves the focus at the next; the last one at undo.
  const remove = chips(page).getByRole("button");
  for (let i = 0; i < 40 && !(await remove.first().evaluate((e) => e === document.activeElement)); i++)
    await page.keyboard.press("Shift+Tab");
  await press(page, "Delete");
  await expect(remove.first()).toBeFocused();
  await press(page, "Enter");
  await expectTotals(page, whole);
  await expect(page.getByTestId("undo")).toBeFocused();
});

test("after Enter on an id the keys of views work, and the cause is 12 keys away at most", async ({ page }) => {
  await openByKeys(page);
  await press(page, "1");
  const { root } = partOfRequest();
  const panel = page.getByRole("tabpanel", { name: "Overview" });
  const box = page.getByTestId("id-input");
  await press(page, "Control+k");
  await page.keyboard.insertText(root.toString());
  await press(page, "Enter");
  // The sentence is read aloud when it is there.
  await expect(page.getByRole("status").and(page.getByTestId("why-sentence"))).toHaveText(/^[\d≥].* ms: /);
  await expect(panel).toBeFocused();
  await expect(panel).toHaveCSS("outline-style", "none");
  const cause = page.getByTestId("next-flame");
  let keys = "Ctrl+K, Ctrl+V, Enter".split(", ").length;
  for (; !(await cause.evaluate((element) => element === document.activeElement)); keys++) await press(page, "Tab");
  await press(page, "Enter");
  await expect(flameOf(page)).toBeVisible();
  expect(keys + 1).toBeLessThanOrEqual(12);

  await press(page, "1", "Control+k");
  await page.keyboard.insertText(root.toString(16));
  await press(page, "Enter");
  await expect(panel).toBeFocused();
  await press(page, "e");
  await expect(page.getByRole("tablist", { name: "List by" })).toBeVisible();
  await press(page, "2");
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");

  // A command keeps the focus in the box, where another may follow.
  await press(page, "1", "Control+k");
  await page.keyboard.type("show profile cpu");
  await press(page, "Enter");
  await expect(page.getByTestId("split-cpu")).toBeVisible();
  await expect(box).toBeFocused();
});

test("the graph by keys: zoom, focus, merge, hide until nothing is left, and the way back", async ({ page }) => {
  await openByKeys(page);
  const flame = flameOf(page);
  await at(page, flame, "ArrowDown", "ArrowDown");
  // The current frame is announced with the figures of the line below the graph.
  const held = page.locator("g[data-current]");
  await expect(held).toHaveAttribute("aria-description", /^.+ · \d+ samples? .*% of total/);
  const figures = ((await held.getAttribute("aria-description")) ?? "").replace(/^Java · /, "");
  await expect(page.getByTestId("frame-detail")).toContainText(figures);
  await press(page, "Enter");
  const steps = page.getByTestId("breadcrumb").getByRole("button");
  await expect(steps.first()).toBeVisible();
  // Out by the breadcrumb, which goes with the zoom.
  await tabTo(page, steps.first(), "Shift+Tab");
  await press(page, "Enter");
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);
  await expectFocus(page);

  await at(page, flame, "ArrowDown", "ArrowDown", "ArrowDown", "f");
  await expect(chips(page)).toHaveCount(1);
  await expect(flame).toBeFocused();
  await press(page, "ArrowDown", "m");
  await expect(chips(page)).toHaveCount(2);
  await press(page, "Control+z", "Control+z");
  await expect(chips(page)).toHaveCount(0);

  // The menu, and out of it.
  await press(page, "Home", "ArrowDown", "Shift+F10");
  await expect(page.getByTestId("frame-menu")).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Zoom in" })).toBeFocused();
  await press(page, "Escape");
  await expect(flame).toBeFocused();

  // What every stack has, hidden: the graph itself goes, and with it what had the focus.
  for (let left = 30; left > 0 && (await page.getByTestId("no-samples").count()) === 0; left--) {
    const before = await page.getByTestId("total-samples").getAttribute("data-exact");
    await press(page, "Home", "ArrowDown", "h");
    await expect(page.getByTestId("total-samples")).not.toHaveAttribute("data-exact", before ?? "");
  }
  await expect(page.getByTestId("no-samples")).toBeVisible();
  await expectFocus(page);
  await at(page, page.getByRole("button", { name: "Clear the filters" }), "Enter");
  await expectTotals(page, core.select(cpu, {}));
  await expectFocus(page);

  // A frame's function in the sandwich, which is another view.
  await at(page, flameOf(page), "ArrowDown", "ArrowDown", "s");
  await expect(page.getByTestId("sandwich")).toBeVisible();
  await expectFocus(page);
});

test("a range of time by keys, from the strip and from the heat map", async ({ page }) => {
  await openByKeys(page);
  await at(page, page.getByTestId("timeline-from"), "Shift+ArrowRight", "Shift+ArrowRight");
  await expect(chips(page)).toHaveCount(1);
  await expectTotals(page, core.select(cpu, { time: await timeIn(page) }));
  await press(page, "Delete");
  await expect(chips(page)).toHaveCount(0);

  await tabTo(page, page.getByTestId("lanes-toggle"), "Shift+Tab");
  await press(page, "Enter");
  await tabTo(page, page.getByTestId("lane").nth(1).getByRole("button"));
  await press(page, "Enter");
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByTestId("lane").nth(1).getByRole("button")).toBeFocused();
  await press(page, "Enter");

  await tabTo(page, page.getByTestId("heat-toggle"), "Shift+Tab");
  await press(page, "Enter");
  await at(page, page.getByTestId("heat-cells"), "Shift+ArrowRight", "Enter");
  await expectTotals(page, core.select(cpu, { time: await timeIn(page) }));
  await press(page, "Delete", "Escape", "Escape");
  await expect(page.getByTestId("heat-toggle")).toBeFocused();
});

test("a pinned selection against another, why, and the export, by keys", async ({ page }) => {
  // Hundreds of keys.
  test.setTimeout(120_000);
  const [heaviest, second] = rootsBy(core, "cpu", 0);
  await openByKeys(page, `#type=cpu&root=${heaviest?.id}&view=flame`);
  const views = page.getByRole("tablist", { name: "Views" }).getByRole("tab", { selected: true });
  const toView = async (name: string) => {
    await tabTo(page, views);
    while ((await page.getByTestId(`view-${name}`).getAttribute("aria-selected")) !== "true")
      await press(page, "ArrowRight");
  };
  await toView("diff");
  await at(page, page.getByTestId("pin"), "Enter");
  await expect(page.getByTestId("baseline")).toHaveValue("#");
  await paste(page, String(second?.id));
  // A pasted trace opens on Wall, where it has samples.
  await expect(page.getByTestId("tab-wall")).toHaveAttribute("aria-selected", "true");
  await at(page, page.getByTestId("split-cpu"), "Enter");
  const own = core.select(cpu, { localRoot: second?.id ?? 0n });
  const base = core.select(cpu, { localRoot: heaviest?.id ?? 0n });
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", String(own.value));
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", String(base.value));
  await expectFocus(page);

  await tabTo(page, views, "Shift+Tab");
  await press(page, "ArrowRight");
  await expect(page.getByTestId("why-headline")).toBeVisible();
  await at(page, page.getByTestId("why-copy"), "Enter");

  await at(page, page.getByTestId("export"), "Enter");
  await expect(page.getByTestId("export-dialog")).toBeVisible();
  for (const name of ["otlp", "html"]) {
    const format = page.getByTestId("export-dialog").getByRole("group", { name: "Format" });
    await tabTo(page, format.getByRole("radio", { checked: true }));
    while (!(await page.getByTestId(`format-${name}`).isChecked())) await press(page, "ArrowDown");
    const waiting = page.waitForEvent("download");
    await at(page, page.getByTestId("export-download"), "Enter");
    expect((await waiting).suggestedFilename()).toContain(String(second?.id));
    await expect(page.getByTestId("export-said")).toContainText("Saved");
    await expect(page.getByTestId("export-download")).toBeFocused();
  }
  await press(page, "Escape");
  await expect(page.getByTestId("export")).toBeFocused();
});

test("files that are taken away and settings that read anew leave the focus on the page", async ({ page }) => {
  await openByKeys(page);
  await at(page, page.getByTestId("files"), "Enter");
  await at(page, page.getByRole("button", { name: /^Remove / }), "Enter");
  await expect(page.getByTestId("open-sample")).toBeVisible();
  await expectFocus(page);
  await at(page, page.getByTestId("open-sample"), "Enter");
  await expect(page.getByTestId("why-headline")).toBeVisible();
  await expectFocus(page);
});

test("a key opens each view and the list, but not in a field or a menu; the first Tab skips to the view", async ({
  page,
}) => {
  await openByKeys(page);
  await expect(page.getByRole("main")).toBeFocused();
  const views = ["3 chart", "7 events", "6 diff", "1 overview", "2 flame"].map((each) => each.split(" "));
  for (const [key = "", view] of views) {
    // A recording of which not all is read may lack a view.
    await expect(page.getByTestId(`view-${view}`)).toBeVisible();
    await press(page, key);
    await expect(page.getByTestId(`view-${view}`)).toHaveAttribute("aria-selected", "true");
  }
  const list = page.getByTestId("list-toggle");
  const isOpen = await list.getAttribute("aria-expanded");
  await press(page, "e");
  await expect(list).not.toHaveAttribute("aria-expanded", `${isOpen}`);
  await press(page, "e");
  await expect(list).toHaveAttribute("aria-expanded", `${isOpen}`);
  await flameOf(page).focus();
  await press(page, "ArrowDown", "Shift+F10");
  await expect(page.getByRole("menu")).toBeVisible();
  await press(page, "3", "Escape");
  await press(page, "Control+k");
  await page.keyboard.type("e1");
  await expect(page.getByTestId("id-input")).toHaveValue("e1");
  await press(page, "Escape");
  await expect(list).toHaveAttribute("aria-expanded", `${isOpen}`);
  await expect(page.getByTestId("view-flame")).toHaveAttribute("aria-selected", "true");

  await tabTo(page, page.getByTestId("skip"), "Shift+Tab");
  await press(page, "Enter");
  await expect(page.getByRole("tabpanel", { name: "Flame graph" })).toBeFocused();
});
