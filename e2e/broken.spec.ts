import { readFileSync } from "node:fs";
import { fixture, profileOf, SHOP } from "./expected.ts";
import { drop, expect, expectTotals, fromDisk, tabCounts, test } from "./page.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const GOOD = readFileSync(fixture("shop.jfr"));
const TWO = readFileSync(fixture("shop-chunks.jfr"));
/** Size of a chunk, from its header. */
const firstChunk = Number(new DataView(TWO.buffer, TWO.byteOffset).getBigInt64(8));
const noise = Uint8Array.from({ length: 5000 }, (_, i) => (i * 2654435761) >>> 13);

const FOREIGN: [what: string, bytes: Uint8Array, says: RegExp][] = [
  ["a text", utf8("GET /checkout 200 in 12 ms\n"), /notes\.bin.*not a JFR recording: the file is plain text, 27 bytes/],
  ["an empty file", new Uint8Array(), /not a JFR recording: the file is empty/],
  ["a JSON file", utf8('{"traceEvents": []}'), /the file is JSON/],
  ["a PNG", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0), /the file is a PNG picture/],
  ["noise", noise, /not a JFR recording: the file is of no format that is known here, 5000 bytes/],
  ["a heap dump", utf8("JAVA PROFILE 1.0.2\0"), /a Java heap dump/],
];

for (const [what, bytes, says] of FOREIGN) {
  test(`${what} is called what it is, and a good file opens after it`, async ({ page }) => {
    await page.goto("./");
    await drop(page, { name: "notes.bin", bytes });
    const message = page.getByTestId("message");
    await expect(message).toHaveText(says);
    await expect(message).toHaveAttribute("data-code", "source.foreign");
    await expect(page.getByTestId("open-sample")).toBeVisible();
    await drop(page, fromDisk(fixture("shop.jfr")));
    await expectTotals(page, profileOf(SHOP, "cpu"));
    await expect(message).toHaveCount(0);
  });
}

test("half a recording says that it ends early, where, and the page goes on", async ({ page }) => {
  await page.goto("./");
  await drop(page, { name: "half.jfr", bytes: GOOD.subarray(0, GOOD.length / 2) });
  const message = page.getByTestId("message");
  await expect(message).toContainText("half.jfr");
  await expect(message).toContainText(`the header gives the chunk ${GOOD.length} bytes, which the file does not have`);
  await page.getByTestId("file-input").setInputFiles(fixture("shop.jfr"));
  await expectTotals(page, profileOf(SHOP, "cpu"));
});

test("a recording cut in its second chunk keeps the first, and lists what was wrong", async ({ page }) => {
  await page.goto("./");
  await drop(page, { name: "cut.jfr", bytes: TWO.subarray(0, firstChunk) });
  await expect(page.getByTestId("total-samples")).toBeVisible();
  const first = await tabCounts(page);
  await expect(page.getByTestId("message")).toHaveCount(0);
  await drop(page, { name: "cut.jfr", bytes: TWO.subarray(0, firstChunk + 20_000) });
  const message = page.getByTestId("message");
  await expect(message).toContainText(/error/);
  await expect(message).toContainText(`which the file does not have`);
  await expect(message).toContainText(`chunk 1, offset ${firstChunk + 8}`);
  const kept = await tabCounts(page);
  for (const [type, samples] of Object.entries(first)) expect(kept[type]).toBeGreaterThanOrEqual(samples);
});

test("of a good and a bad file the good one is shown, and the bad one named", async ({ page }) => {
  await page.goto("./");
  await drop(page, { name: "notes.txt", bytes: utf8("hello") }, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(page.getByTestId("message")).toContainText(/1 error/);
  await expect(page.getByTestId("message")).toContainText(/notes\.txt not a JFR recording: the file is plain text/);
});

test("noise between chunks is stepped over and told", async ({ page }) => {
  await page.goto("./");
  await drop(page, { name: "noisy.jfr", bytes: Buffer.concat([GOOD, noise, GOOD]) });
  const { samples, value } = profileOf(SHOP, "cpu");
  await expectTotals(page, { samples: 2 * samples, value: 2 * value });
  await expect(page.getByTestId("message")).toContainText(`5000 bytes at offset ${GOOD.length}`);
});

test("a JFR file without samples says what it holds and what would record them", async ({ page }) => {
  // Renamed in place: the metadata knows the events by another name of the same length.
  const bytes = Buffer.from(GOOD);
  for (const name of ["datadog.ExecutionSample", "datadog.MethodSample", "datadog.ObjectSample", "jdk.JavaMonitor"]) {
    for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name)) bytes.write("X", at);
  }
  await page.goto("./");
  await drop(page, { name: "nothing.jfr", bytes });
  const nothing = page.getByTestId("nothing");
  await expect(nothing).toContainText("No samples to show");
  await expect(nothing.getByRole("row", { name: "Xatadog.ExecutionSample" })).toContainText("150");
  await expect(nothing).toContainText("cpu=10ms");
});
