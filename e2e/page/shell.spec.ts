/** The shell around the views: the room that it leaves to the graph, panes, and the sheet of narrow windows. */
import type { Locator, Page } from "@playwright/test";
import { fixture } from "../kit/expected.ts";
import { chips, expect, openFixture, rankRow, showProfile, tab, test } from "../kit/page.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");

const graphTop = async (page: Page) => (await page.getByTestId("flame").boundingBox())?.y ?? Number.NaN;
const listWidth = async (page: Page) => (await page.getByRole("listbox").boundingBox())?.width ?? Number.NaN;

test("M17: the graph begins in the upper quarter of a window of 1440 × 900, with a filter as without", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openFixture(page, AGENT);
  expect(await graphTop(page)).toBeLessThanOrEqual(225);
  const before = await graphTop(page);
  await page.getByTestId("coverage").click();
  await page.getByRole("button", { name: "Without a span" }).click();
  await expect(chips(page)).toHaveCount(1);
  expect(await graphTop(page)).toBe(before);
});

test("M17: with a root it begins in the upper quarter; details of the selection are opened on request", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await openFixture(page, AGENT, "#type=cpu&by=root");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  expect(await graphTop(page)).toBeLessThanOrEqual(225);
  await expect(page.getByTestId("copy-hex-id")).toBeHidden();
  await page.getByTestId("selection-more").press("Enter");
  await expect(page.getByTestId("copy-hex-id")).toBeVisible();
  await page.goto("about:blank");
  await openFixture(page, AGENT, "#type=cpu&by=root");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("copy-hex-id")).toBeVisible();
});

test("tabs of profiles are whole at every width, with filters too; the title names the values", async ({ page }) => {
  await page.goto("./?sample#type=wall&attr=trace%20endpoint%3DPOST%20%2Fcheckout&attr=thread.state%3DRUNNABLE");
  await expect(page.getByTestId("selection-name")).toHaveText("POST /checkout, RUNNABLE");
  const tabs = page.getByRole("tablist", { name: "Profiles" }).getByRole("tab");
  const cut = () =>
    tabs.evaluateAll((all) =>
      all.flatMap((each) => {
        const line = each.closest("[role=tablist]")?.parentElement?.getBoundingClientRect();
        const { left, right } = each.getBoundingClientRect();
        return line && (left < line.left || right > line.right + 0.5) ? [each.textContent] : [];
      }),
    );
  for (const [width, fewest] of [
    [1440, 2],
    [1024, 4],
    [700, 3],
    [390, 1],
    [1440, 2],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => [width, await cut()]).toEqual([width, []]);
    await expect.poll(() => tabs.count()).toBeGreaterThanOrEqual(fewest);
    await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
  }
  // The largest come first; a chosen one takes the place of the smallest.
  await expect(tab(page, "cpu")).toHaveCount(0);
  await showProfile(page, "cpu");
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
  await expect.poll(cut).toEqual([]);
});

test("no fact of the selection is cut, however wide the window is", async ({ page }) => {
  await openFixture(page, AGENT, "#type=cpu&by=root");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  for (const isOpen of [false, true]) {
    if (isOpen) await page.getByTestId("selection-more").click();
    for (const width of [1920, 1440, 1280, 1024, 700, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const cut = () =>
        page.getByTestId("selection").evaluate((header) => {
          const right = header.getBoundingClientRect().right;
          const boxes = [...header.querySelectorAll("dt, dd, code, button")].map((each) =>
            each.getBoundingClientRect(),
          );
          return boxes.filter((box) => box.width > 0 && box.right > right).length;
        });
      // The page learns of its width after the browser.
      await expect.poll(async () => [width, isOpen, await cut()]).toEqual([width, isOpen, 0]);
    }
  }
});

test("the totals, and behind a button the pauses of the timeline, are in a window of 390 px as a whole", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("./?sample#view=flame");
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  for (const part of ["total-samples", "total-value"]) {
    await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 });
  }
  await page.getByTestId("timeline-show").click();
  await page.getByTestId("coverage").click();
  for (const part of ["legend-pauses", "settings"]) {
    await expect(page.getByTestId(part)).toBeInViewport({ ratio: 1 });
  }
});

test("the list is resized by dragging and by keys, hidden, and both are remembered", async ({ page }) => {
  await openFixture(page, AGENT);
  const first = await listWidth(page);
  const separator = page.getByRole("separator", { name: "Width of Traces & filters" });
  const edge = await separator.boundingBox();
  if (edge === null) throw new Error("no separator");
  await page.mouse.move(edge.x, edge.y + 200);
  await page.mouse.down();
  await page.mouse.move(edge.x + 60, edge.y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => listWidth(page)).toBeGreaterThan(first + 40);
  const dragged = await listWidth(page);
  await separator.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => listWidth(page)).toBeGreaterThan(dragged + 4);
  const kept = await listWidth(page);

  await page.reload();
  await openFixture(page, AGENT);
  await expect.poll(async () => Math.abs((await listWidth(page)) - kept)).toBeLessThan(4);

  await page.getByTestId("list-toggle").click();
  await expect(page.getByRole("listbox")).toBeHidden();
  await page.reload();
  await openFixture(page, AGENT);
  await expect(page.getByRole("listbox")).toBeHidden();
  await page.getByTestId("list-toggle").press("Enter");
  await expect(page.getByRole("listbox")).toBeVisible();
  await expect(page.getByTestId("list-toggle")).toBeFocused();
});

test("M18: in a narrow window the list is a sheet at the bottom, which closes after a choice", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openFixture(page, AGENT);
  const before = await graphTop(page);
  await page.getByTestId("drawer").click();
  const sheet = page.getByTestId("sheet");
  await expect(sheet).toBeVisible();
  // It slides in.
  await expect(async () => {
    const box = await sheet.boundingBox();
    expect(box?.y).toBeGreaterThan(100);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeCloseTo(844, 0);
  }).toPass();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(page.getByTestId("drawer")).toBeFocused();

  await page.getByTestId("drawer").press("Enter");
  const row = page.getByTestId("rank-row").first();
  const id = (await row.getAttribute("data-id")) ?? "";
  await row.click();
  await expect(sheet).toBeHidden();
  await expect(chips(page)).toHaveCount(1);
  await expect(rankRow(page, id)).toBeHidden();
  // One pane at a time: nothing was pushed out of the window.
  expect(await graphTop(page)).toBeLessThan(before + 160);
});

/** Classes of the ancestors of an element that have a mask. */
function masksAround(target: Locator): Promise<string[]> {
  return target.evaluate((element) => {
    const masks: string[] = [];
    for (let at = element.parentElement; at !== null; at = at.parentElement) {
      if (getComputedStyle(at).maskImage !== "none") masks.push(at.className);
    }
    return masks;
  });
}

test("in a narrow window every menu is inside it, and a menu has the profiles that the row has no room for", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openFixture(page, AGENT);
  for (const [button, panel] of [
    ["view-menu", "view-menu-panel"],
    ["coverage", "coverage-panel"],
    ["about", "about-panel"],
    ["files", "files-panel"],
    ["share", "share-panel"],
    ["theme", "theme-menu"],
    ["profiles-menu", "profiles-menu-menu"],
  ] as const) {
    await page.getByTestId(button).click();
    await expect(page.getByTestId(panel)).toBeVisible();
    // It is placed after it is there.
    await expect(async () => {
      const box = await page.getByTestId(panel).boundingBox();
      expect([panel, (box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 999) <= 390]).toEqual([panel, true, true]);
    }).toPass();
    // A mask around it would hide it, though the browser calls it visible.
    expect(await masksAround(page.getByTestId(panel))).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByTestId(panel)).toBeHidden();
    await expect(page.getByTestId(button)).toBeFocused();
  }
  await page.getByTestId("profiles-menu").click();
  await page.getByRole("menuitemcheckbox", { name: /Exceptions/ }).click();
  await expect(tab(page, "exceptions")).toHaveAttribute("aria-selected", "true");
  await expect(tab(page, "exceptions")).toBeInViewport({ ratio: 0.9 });
});

test("a tooltip says what an icon does, to the pointer and to the keyboard", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.getByTestId("list-toggle").hover();
  await expect(page.getByTestId("tooltip")).toHaveText("Traces & filters: hide");
  await page.mouse.move(700, 500);
  await expect(page.getByTestId("tooltip")).toBeHidden();
  await page.getByTestId("shortcuts").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByTestId("theme")).toBeFocused();
  await expect(page.getByTestId("tooltip")).toHaveText("Colours: System");
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("tooltip")).toBeHidden();
});

test("m18: nothing of the page is above the targets of a dragged file", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.getByTestId("list-toggle").hover();
  await expect(page.getByTestId("tooltip")).toBeVisible();
  await page.evaluate(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([new Uint8Array(8)], "x.jfr"));
    for (const type of ["dragenter", "dragover"])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByTestId("drop-targets")).toBeVisible();
  await expect(page.getByTestId("tooltip")).toBeHidden();
});

test("the timeline can be made taller, by dragging and by keys, collapses, and stays so", async ({ page }) => {
  const open = (hash = "") => openFixture(page, fixture("recorded/dd152-jdk17-all.jfr"), hash);
  await open("#timeline=threads");
  const pane = page.getByRole("region", { name: "Timeline" });
  // They come after the lanes, and take a line.
  await page.getByTestId("lane-states").waitFor();
  const tall = async () => (await pane.boundingBox())?.height ?? 0;
  const list = page.getByRole("list", { name: /^Threads/ }).locator("..");
  const lanes = async () => (await list.boundingBox())?.height ?? 0;
  await expect.poll(lanes).toBeGreaterThan(100);
  const [before, few] = [await tall(), await lanes()];
  const handle = page.getByRole("separator", { name: "Height of the timeline" });
  await handle.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(tall).toBe(before + 24);
  await expect.poll(lanes).toBe(few + 24);
  const edge = await handle.boundingBox();
  if (edge === null) throw new Error("no handle");
  const drag = async (to: number) => {
    await page.mouse.move(edge.x + 300, edge.y + 3);
    await page.mouse.down();
    await page.mouse.move(edge.x + 300, to, { steps: 3 });
    await page.mouse.up();
  };
  await drag(edge.y - 37);
  await expect.poll(tall).toBe(before - 16);
  await page.goto("about:blank");
  await open("#timeline=threads");
  await page.getByTestId("lane-states").waitFor();
  await expect.poll(tall).toBe(before - 16);

  // Without lanes it has another height, and the strip takes the room.
  await page.getByTestId("lanes-toggle").click();
  await handle.focus();
  await page.keyboard.press("ArrowDown");
  await expect.poll(async () => (await page.getByTestId("timeline-area").boundingBox())?.height).toBeGreaterThan(50);
  await page.keyboard.press("Enter");
  await expect(handle).toBeHidden();
  await expect(page.getByTestId("timeline-show")).toBeFocused();
  await page.goto("about:blank");
  await open();
  await expect.poll(tall).toBe(25);
  await page.getByTestId("timeline-show").press("Enter");
  await expect.poll(tall).toBeGreaterThan(50);
  await expect(handle).toBeVisible();
  await expect(page.getByTestId("timeline-hide")).toBeFocused();
});
