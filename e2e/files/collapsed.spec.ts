/** Collapsed stacks on the page: dropped, drawn and exported; there is no time to show. */
import { drawnFrames } from "../kit/flame.ts";
import { drop, expect, expectTotals, test } from "../kit/page.ts";

const TEXT = "[main tid=7];main;work_[j];sys_read_[k] 30\n[main tid=7];main;idle 10\n[gc tid=8];gc 2\n";

test("collapsed stacks, dropped, are drawn with their threads and frame types", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "stacks.folded", bytes: Buffer.from(TEXT) });
  await expectTotals(page, { samples: 3, value: 42 });
  const names = async () => (await drawnFrames(page)).map(({ name }) => name);
  await expect.poll(names).toEqual(expect.arrayContaining(["main", "work", "sys_read", "idle", "gc"]));
  await expect(page.getByTestId("files")).toContainText("stacks.folded");
  // Nothing in the text has a time, so there is no timeline to drag over.
  await expect(page.getByTestId("timeline")).toHaveCount(0);
});

test("a text of something else is refused as before", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "notes.txt", bytes: Buffer.from("one\ntwo\nversion 3\n") });
  await expect(page.getByTestId("message")).toContainText("the file is plain text");
});
