/** Ranges of time within ranges, and notes on the timeline. */
import type { Page } from "@playwright/test";
import { hashToQuery } from "../../src/model/query/written/query-hash.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture } from "../kit/expected.ts";
import { dialog, openExport, writeFile } from "../kit/export.ts";
import { chips, expect, openFixture, showTimeline, tabTo, test } from "../kit/page.ts";

const RECORDING = fixture("recorded/ddagent-jdk17.jfr");
const GRAPH = "[data-testid=flame]";
const queryOf = (page: Page) => hashToQuery(new URL(page.url()).hash);

/** Drags over a part of the strip. */
async function dragOver(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByTestId("timeline-area").boundingBox();
  if (box === null) throw new Error("no timeline");
  const before = page.url();
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + ((from + to) / 2) * box.width, y);
  await page.mouse.move(box.x + to * box.width, y);
  await page.mouse.up();
  await expect(page).not.toHaveURL(before);
}

test("a range within a range has a way back to the outer one, and to all, by mouse and by keys", async ({ page }) => {
  await openFixture(page, RECORDING);
  await dragOver(page, 0.3, 0.9);
  await expect(page.getByTestId("outer-range")).toHaveCount(0);
  const { time: outer } = queryOf(page).filter;
  await dragOver(page, 0.5, 0.6);
  const { time: inner } = queryOf(page).filter;
  const ways = page.getByTestId("outer-range");
  await expect(ways).toHaveCount(2);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await ways.last().click();
  await expect.poll(() => queryOf(page).filter.time).toEqual(outer);
  await expect(ways).toHaveCount(0);

  await dragOver(page, 0.5, 0.6);
  await expect(ways).toHaveCount(2);
  expect(Number(inner?.from)).toBeGreaterThan(Number(outer?.from));
  // The edge of a range is not a range around it.
  await page.getByTestId("timeline-from").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(ways).toHaveCount(2);
  await tabTo(page, ways.first());
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveCount(0);
});

for (const width of [1440, 390]) {
  test(`a note on a range is in the link and the report, is changed and deleted by keys, ${width} px wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    await openFixture(page, RECORDING);
    await showTimeline(page);
    await dragOver(page, 0.4, 0.6);
    const { time } = queryOf(page).filter;
    await tabTo(page, page.getByTestId("note-add"));
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("note-text")).toBeFocused();
    // The form is above the view below it.
    await page.getByRole("button", { name: "Save" }).click({ trial: true });
    await page.keyboard.type("pool is full + 0");
    await page.keyboard.press("Enter");
    const note = page.getByTestId("note-open");
    await expect(note).toHaveText("pool is full + 0");
    await expect.poll(() => queryOf(page).notes).toEqual([{ ...time, text: "pool is full + 0" }]);
    await expect.poll(() => queryOf(page).filter.time).toEqual(time);
    await expectNothingByAxe(page, { without: [GRAPH] });

    const address = page.url();
    await page.goto("about:blank");
    await openFixture(page, RECORDING, new URL(address).hash);
    await showTimeline(page);
    await expect(note).toHaveText("pool is full + 0");
    await openExport(page);
    await page.getByTestId("format-html").check({ force: true });
    expect((await writeFile(page)).bytes.toString()).toContain("<bdi>pool is full + 0</bdi>");
    await page.getByTestId("export-close").click();
    await expect(dialog(page)).toBeHidden();

    await note.click();
    await page.getByTestId("note-text").fill("pool is empty");
    await page.keyboard.press("Enter");
    await expect(note).toHaveText("pool is empty");
    await note.focus();
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByTestId("note-delete"));
    await page.keyboard.press("Enter");
    await expect(note).toHaveCount(0);
    await expect.poll(() => queryOf(page).notes).toEqual([]);
  });
}
