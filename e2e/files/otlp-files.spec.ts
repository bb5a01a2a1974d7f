/** OTLP files of other producers, dropped on the page. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { logsJson } from "../../test/kit/otlp/logs-writer.ts";
import { delimited, lightweight } from "../../test/kit/otlp/otlp-message.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { coreOf } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { drop, expect, tabCounts, test } from "../kit/page.ts";

const SHOP = fixture("shop.jfr");

const FILES: [string, (recording: Uint8Array) => Promise<Uint8Array>][] = [
  ["Datadog's lightweight message opens as the recording inside", async (recording) => lightweight(recording)],
  [
    "a file of Jeffrey's opens as its messages",
    async () => delimited([(await coreOf([SHOP])).write(null, {}, { format: "otlp" }).bytes]),
  ],
];

for (const [title, make] of FILES) {
  test(title, async ({ page }) => {
    const core = await coreOf([SHOP]);
    await page.goto("./#view=flame");
    await drop(page, { name: "upload.bin", bytes: await make(await readFile(SHOP)) });
    const counts = Object.fromEntries(core.profiles().map(({ type, samples }) => [type, samples]));
    await expect.poll(() => tabCounts(page)).toEqual(counts);
  });
}

test("OTLP logs open as the profiles in them", async ({ page }) => {
  const labels = { "source.event.time": 1_700_000_000_000 };
  const pprof = pprofOf({ types: [], samples: [{ stack: ["work", "main"], values: [], labels }] });
  await page.goto("./#view=flame");
  const bytes = logsJson({ records: [{ pprof }, { pprof }] });
  await drop(page, { name: "logs.json", bytes });
  await expect.poll(() => tabCounts(page)).toEqual({ cpu: 2 });
});

test("OTLP as JSON in a folder is read, and other JSON is not", async ({ page }, info) => {
  const core = await coreOf([SHOP]);
  await mkdir(info.outputPath("run"));
  await writeFile(info.outputPath("run/profiles.json"), core.write(null, {}, { format: "otlp-json" }).bytes);
  await writeFile(info.outputPath("run/package.json"), "{}");
  await page.goto("./#view=flame");
  await page.getByTestId("folder-input").setInputFiles(info.outputPath("run"));
  await expect
    .poll(() => tabCounts(page))
    .toEqual(Object.fromEntries(core.profiles().map(({ type, samples }) => [type, samples])));
  await expect(page.getByTestId("files")).toHaveText("run/profiles.json");
});
