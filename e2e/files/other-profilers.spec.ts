/** Files of other profilers on the page: dropped, drawn, and what is not read is named with what to do. */
import { drawnFrames } from "../kit/flame.ts";
import { drop, expect, fromDisk, test } from "../kit/page.ts";

const FILES = [
  ["shop.cpuprofile", "hashBasket"],
  ["shop.py-spy.speedscope.json", "hash_basket"],
  ["shop.perf.txt", "node::Start"],
] as const;

for (const [name, frame] of FILES) {
  test(`${name}, dropped, is drawn with its frames`, async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, fromDisk(`fixtures/viewers/${name}`));
    await expect.poll(async () => (await drawnFrames(page)).map((each) => each.name)).toContain(frame);
    await expect(page.getByTestId("files")).toContainText(name);
    await expect(page.getByTestId("message")).toHaveCount(0);
  });
}

test("a file that is not read is named with what to do instead", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "perf.data", bytes: Buffer.from("PERFILE2 and its events") });
  const message = page.getByTestId("message");
  await expect(message).toContainText(
    "Linux perf data, not a recording: convert it with `perf script -i FILE > profile.txt`",
  );
});
