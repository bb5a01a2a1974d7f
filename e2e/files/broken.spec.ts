import { readFileSync } from "node:fs";
import { later } from "../../test/kit/jfr/later.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { drop, expect, expectTotals, fromDisk, tabCounts, test } from "../kit/page.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const GOOD = readFileSync(fixture("shop.jfr"));
const TWO = readFileSync(fixture("shop-chunks.jfr"));
/** Size of a chunk, from its header. */
const firstChunk = Number(new DataView(TWO.buffer, TWO.byteOffset).getBigInt64(8));
const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 2654435761) >>> 13);

const FOREIGN: [bytes: Uint8Array, says: RegExp][] = [
  [utf8("GET /checkout 200 in 12 ms\n"), /notes\.bin is plain text, not a recording/],
  [new Uint8Array(), /notes\.bin is empty, not a recording/],
  [utf8('{"events": []}'), /notes\.bin is JSON/],
  [utf8('{"traceEvents": []}'), /notes\.bin is a Chrome trace, not a recording: save the CPU profile/],
  [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), /notes\.bin is a PNG image, not a recording/],
  [noise, /notes\.bin is of an unknown format, not a recording/],
  [utf8("JAVA PROFILE 1.0.2\0"), /a Java heap dump/],
];

test("what is no recording is called what it is, and a good file opens after it", async ({ page }) => {
  await page.goto("./#view=flame");
  const message = page.getByTestId("message");
  for (const [bytes, says] of FOREIGN) {
    await drop(page, { name: "notes.bin", bytes });
    await expect(message).toHaveText(says);
    await expect(message).toHaveAttribute("data-code", "source.foreign");
    await expect(page.getByTestId("open-sample")).toBeVisible();
  }
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(message).toHaveCount(0);
  // The view that the link asks for.
  await expect(page.getByTestId("flame")).toBeVisible();
});

test("M19: half a recording says that it ends early, where, and the page goes on", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "half.jfr", bytes: GOOD.subarray(0, GOOD.length / 2) });
  const message = page.getByTestId("message");
  await expect(message).toContainText("The recording is cut off: ");
  await expect(message).toContainText("Dump the recording with `jcmd PID JFR.dump`");
  await expect(message.locator("details")).not.toHaveAttribute("open");
  await message.getByText("Details").click();
  await expect(message).toContainText("half.jfr");
  await expect(message).toContainText(`the header gives the chunk ${GOOD.length} bytes, and the file has fewer`);
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
});

test("a recording cut in its second chunk keeps the first, and lists what was wrong", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "cut.jfr", bytes: TWO.subarray(0, firstChunk) });
  await expect(page.getByTestId("total-samples")).toBeVisible();
  const first = await tabCounts(page);
  await expect(page.getByTestId("message")).toHaveCount(0);
  await drop(page, { name: "cut.jfr", bytes: TWO.subarray(0, firstChunk + 20_000) });
  const message = page.getByTestId("message");
  const second = Number(new DataView(TWO.buffer, TWO.byteOffset + firstChunk).getBigInt64(8));
  const share = ((100 * (firstChunk + 20_000)) / (firstChunk + second)).toFixed(1);
  await expect(message).toContainText(`The recording is cut off: ${share} % of it could be read, `);
  await expect(page.getByText(`chunk 1, offset ${firstChunk + 8}`)).toBeHidden();
  await page.getByTestId("message-details").press("Enter");
  await expect(page.getByText(`chunk 1, offset ${firstChunk + 8}`).first()).toBeVisible();
  await expect(message).toContainText("jfr.chunk.truncated");
  // However many messages there are, the page stays below them.
  const box = await page.getByRole("region", { name: "Messages" }).boundingBox();
  expect(box?.height).toBeLessThanOrEqual(0.31 * 720);
  const kept = await tabCounts(page);
  for (const [type, samples] of Object.entries(first)) expect(kept[type]).toBeGreaterThanOrEqual(samples);
});

test("of a good and a bad file the good one is shown, and the bad one named", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "notes.txt", bytes: utf8("hello") }, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(page.getByTestId("message")).toContainText(/1 error/);
  await expect(page.getByTestId("message")).toContainText("notes.txt is plain text, not a recording");
});

test("noise between chunks is stepped over and told", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, { name: "noisy.jfr", bytes: Buffer.concat([GOOD, noise, later(GOOD)]) });
  const { samples, value } = profileOf(SHOP, "cpu");
  await expectTotals(page, { samples: 2 * samples, value: 2 * value });
  const place = ((100 * GOOD.length) / (2 * GOOD.length + noise.length)).toFixed(1);
  await expect(page.getByTestId("message")).toContainText(
    `The bytes at ${place} % are not a recording and were skipped`,
  );
  await page.getByTestId("message-details").click();
  await expect(page.getByTestId("message")).toContainText(`5000 bytes at offset ${GOOD.length}`);
});

test("a JFR file without samples says what it holds and what would record them", async ({ page }) => {
  // Renamed in place: the metadata knows the events by another name of the same length.
  const bytes = Buffer.from(GOOD);
  for (const name of ["datadog.ExecutionSample", "datadog.MethodSample", "datadog.ObjectSample", "jdk.JavaMonitor"]) {
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name)) bytes.write("X", at);
  }
  await page.goto("./#view=flame");
  await drop(page, { name: "nothing.jfr", bytes });
  const nothing = page.getByTestId("nothing");
  await expect(nothing).toContainText("No samples to show");
  await expect(nothing.getByRole("row", { name: "Xatadog.ExecutionSample" })).toContainText("150");
  await expect(nothing).toContainText("cpu=10ms");
});

test("a recording of JDK 7 or 8 is called so", async ({ page }) => {
  const bytes = Buffer.from(GOOD);
  bytes.writeUInt16BE(0, 4);
  bytes.writeUInt16BE(9, 6);
  await page.goto("./#view=flame");
  await drop(page, { name: "old.jfr", bytes });
  const message = page.getByTestId("message");
  await expect(message).toContainText("Recorded by JDK 7 or 8 (JFR 0.9); JDK 9+ is supported");
  await expect(message.getByText("offset 0")).toBeHidden();
});
