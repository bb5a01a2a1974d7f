/** What the export dialog offers beside formats: presets, Resource, compression, the recording itself. */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { type FlatProfile, flatten, readOtlp, readOtlpJson } from "../../test/kit/otlp/otlp-schema.ts";
import { readPprof, total } from "../../test/kit/otlp/pprof-schema.ts";
import { findingsOf } from "../../test/kit/otlp/valid.ts";
import { readCollapsed, readFirefox, readSpeedscope, sum, type Track } from "../../test/kit/shown-formats.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import { dialog, exportFile, openExport, writeFile } from "../kit/export.ts";
import { expect, findOnCpu, openFixture, tab, tabTo, test } from "../kit/page.ts";

const [ROOT, ROOT_CELL] = heaviest(SHOP.localRoots, "cpu")[0] ?? ["", { samples: 0, value: 0 }];
const SERVICE = fixture("recorded/dd152-jdk17-all.jfr");
const AGENT = fixture("recorded/ddagent-jdk17.jfr");

const sumOf = ({ samples }: FlatProfile) =>
  Number(samples.flatMap(({ values }) => values).reduce((sum, value) => sum + value, 0n));

function resourceOf(bytes: Uint8Array): Record<string, unknown> {
  const attributes = readOtlp(bytes).resourceProfiles[0]?.resource?.attributes ?? [];
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value ?? {})[0]]));
}

test("a preset says the samples in its own way, and the dialog says what that is", async ({ page }) => {
  const core = await coreOf([AGENT]);
  await openFixture(page, AGENT, "#type=alloc-samples");
  await openExport(page);
  for (const text of [
    "every sample with its timestamp",
    "one value for each stack",
    "the form that Pyroscope accepts",
  ]) {
    await expect(dialog(page).getByText(text).first()).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();

  const [bytes, objects] = profileIn(core, "alloc-samples").measures.map(({ value }) => Number(value));
  const otel = flatten(readOtlp((await exportFile(page, "preset-otel")).bytes));
  expect(otel.map((profile) => [profile.type, profile.unit, sumOf(profile)])).toEqual([
    ["allocated_space", "bytes", bytes],
    ["allocated_objects", "count", objects],
  ]);
  const aggregated = flatten(readOtlp((await exportFile(page, "preset-aggregated")).bytes));
  expect(aggregated.map((profile) => [profile.type, sumOf(profile)])).toEqual([["alloc-samples", bytes]]);
  for (const { values, timestamps } of aggregated.flatMap(({ samples }) => samples)) {
    expect([values.length, timestamps.length]).toEqual([1, 0]);
  }
});

test("the Resource comes from the recording, and can be changed, added to and taken from", async ({ page }) => {
  const core = await coreOf([SERVICE]);
  const { resource: said = {} } = core.files()[0] ?? {};
  expect(said).toMatchObject({ "service.name": "demo-shop", "os.description": expect.any(String) });
  await openFixture(page, SERVICE);
  expect(resourceOf((await exportFile(page)).bytes)).toMatchObject({
    "service.name": said["service.name"],
    "process.pid": BigInt(said["process.pid"] ?? ""),
  });

  await openExport(page);
  await page.getByTestId("attributes").getByText("service.name = demo-shop and ").click();
  await expect(dialog(page).getByLabel("Value of service.name")).toHaveValue(said["service.name"] ?? "");
  await dialog(page).getByLabel("Value of service.name").fill("checkout");
  await dialog(page).getByRole("button", { name: "Remove attribute os.description" }).click();
  await expect(page.getByTestId("attribute-add")).toBeFocused();
  await page.getByTestId("attribute-add").click();
  const added = page.getByTestId("attribute").last().getByRole("textbox");
  await added.first().fill("deployment.environment.name");
  await added.last().fill("staging");
  const { bytes } = await writeFile(page);
  const resource = resourceOf(bytes);
  expect(resource).toMatchObject({ "service.name": "checkout", "deployment.environment.name": "staging" });
  expect(resource["process.pid"]).toBe(BigInt(said["process.pid"] ?? ""));
  expect(resource).not.toHaveProperty(["os.description"]);
  expect(findingsOf(bytes, "protobuf")).toEqual([]);
});

test("gzip packs the same bytes; what was written is said", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await findOnCpu(page, ROOT);
  await openExport(page);
  await expect(page.getByTestId("export-filter")).toContainText(`Filtered: request ${ROOT}`);
  const plain = await writeFile(page);
  await page.getByTestId("export-gzip").check();
  await expect(page.getByTestId("export-said")).toHaveText(`shop.cpu.root-${ROOT}.pb.gz`);
  const packed = await writeFile(page);
  expect(packed.name).toBe(`${plain.name}.gz`);
  expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  expect(plain.said).toContain(`${ROOT_CELL.samples} samples in 1 profile (`);
  expect(packed.said).toMatch(/\([\d.]+ KiB, [\d.]+ KiB compressed\)$/);
});

test("JSON is indented where that is asked for, and says the same", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const dense = await exportFile(page, "format-otlp-json");
  const pretty = await exportFile(page, "export-pretty");
  expect(pretty.bytes.toString("utf8")).toContain('\n  "');
  expect(JSON.parse(pretty.bytes.toString("utf8"))).toEqual(JSON.parse(dense.bytes.toString("utf8")));
  expect(flatten(readOtlpJson(pretty.bytes.toString("utf8"))).map(sumOf)).toEqual([profileOf(SHOP, "cpu").value]);
  await openExport(page);
  await expect(page.getByTestId("export-recording")).toHaveCount(0);
  await page.getByTestId("format-otlp").check({ force: true });
  await expect(page.getByTestId("export-pretty")).toHaveCount(0);
});

test("other formats hold the same samples, each under the name that its readers look for", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await findOnCpu(page, ROOT);
  const { samples, value } = ROOT_CELL;
  const written = async (format: string, ...checked: string[]) => {
    const { name, bytes } = await exportFile(page, `format-${format}`, ...checked);
    return { name: name.replace(`shop.cpu.root-${ROOT}.`, ""), bytes };
  };
  const sumOfTracks = (tracks: Track[]) => tracks.reduce((all, { weights }) => all + sum(weights), 0);

  const pprof = await written("pprof");
  expect(pprof.name).toBe("pb.gz");
  expect(total(readPprof(gunzipSync(pprof.bytes)), 0)).toBe(BigInt(value));
  const timed = readPprof(gunzipSync((await written("pprof", "export-timestamps")).bytes));
  expect([timed.samples.length, total(timed, 0)]).toEqual([samples, BigInt(value)]);

  const collapsed = await written("collapsed");
  expect(collapsed.name).toBe("collapsed");
  expect(sum(readCollapsed(collapsed.bytes.toString("utf8")).weights)).toBe(value);
  const speedscope = await written("speedscope");
  expect(speedscope.name).toBe("speedscope.json");
  expect(sumOfTracks(readSpeedscope(speedscope.bytes.toString("utf8")))).toBe(value);
  const firefox = await written("firefox");
  expect(firefox.name).toBe("firefox.json");
  expect(sumOfTracks(readFirefox(firefox.bytes.toString("utf8")))).toBe(value);

  // What a format does not have cannot be chosen for it.
  await openExport(page);
  await page.getByTestId("format-collapsed").check({ force: true });
  await expect(page.getByTestId("scope-all")).toBeDisabled();
  for (const id of ["preset-otel", "attributes", "export-recording", "export-timestamps"]) {
    await expect(page.getByTestId(id)).toHaveCount(0);
  }
  await page.getByTestId("format-pprof").check({ force: true });
  await expect(page.getByTestId("export-gzip")).toBeDisabled();
});

test("the recording goes along byte by byte, after a warning of what it holds", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await findOnCpu(page, ROOT);
  await openExport(page);
  await expect(page.getByTestId("recording-warning")).toHaveCount(0);
  await page.getByTestId("export-recording").check();
  await expect(page.getByTestId("recording-warning")).toContainText("environment variables");
  await expect(page.getByTestId("recording-warning")).toBeInViewport({ ratio: 1 });
  const { bytes } = await writeFile(page);
  expect(bytes.includes(readFileSync(fixture("shop.jfr")))).toBe(true);
  expect(findingsOf(bytes, "protobuf")).toEqual([]);

  // What was written opens again as the recording it came from.
  await page.reload();
  const back = await coreOf([fixture("shop.jfr")]);
  await page.getByTestId("file-input").setInputFiles({ name: "back.pb", mimeType: "", buffer: bytes });
  await expect(tab(page, "cpu")).toContainText(String(profileIn(back, "cpu").samples));
  await openExport(page);
  await expect(page.getByTestId("export-recording")).toBeDisabled();
  await expect(dialog(page).getByText("only uncompressed recordings can be attached")).toBeVisible();
});

test("the focus stays in the dialog, and Escape gives it back", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await tabTo(page, page.getByTestId("export"));
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("format-otlp")).toBeFocused();
  const outside = () =>
    page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && activeElement?.closest("[role=dialog]") === null;
    });
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    await expect.poll(outside).toBe(false);
  }
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByTestId("export")).toBeFocused();
});

test("M22: the dialog says what will be written, and the command that writes the same", async ({
  page,
  context,
}, info) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  copyFileSync(fixture("shop.jfr"), info.outputPath("shop.jfr"));
  await openFixture(page, fixture("shop.jfr"));
  await findOnCpu(page, ROOT);
  await openExport(page);
  await expect(page.getByTestId("export-card")).toHaveText([/^OTLP profile/, /^Other tools/, /^Report and picture/]);
  const summary = page.getByTestId("export-summary");
  const size = async () => /≈\s(.+)$/.exec((await summary.textContent()) ?? "")?.[1]?.replaceAll("\u00a0", " ") ?? "";
  await expect(summary).toHaveText(new RegExp(`^${ROOT_CELL.samples} samples of .*, ≈\\s[\\d.]+\\sKiB$`));
  for (const checked of ["format-otlp", "scope-all", "preset-aggregated", "export-gzip", "format-speedscope"]) {
    await page.getByTestId(checked).check({ force: true });
    await expect.poll(size).not.toBe("");
    const written = await writeFile(page);
    expect(written.said).toContain(await size());
    const command = page.getByTestId("export-command");
    await command.click();
    await expect(page.getByTestId("export-command-said")).toHaveText("Copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`--local-root 0x${BigInt(ROOT).toString(16)}`);
    const cli = fileURLToPath(new URL("../../dist-node/cli.js", import.meta.url));
    execFileSync("sh", ["-c", copied.replace("spanflame", `"${process.execPath}" "${cli}"`)], {
      cwd: info.outputDir,
      stdio: "ignore",
    });
    const file = readFileSync(info.outputPath(written.name));
    const plain = (bytes: Buffer) => (written.name.endsWith(".gz") ? gunzipSync(bytes) : bytes);
    expect(plain(file).equals(plain(written.bytes))).toBe(true);
  }
});

test("a service without a name is asked for in sight", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("export").click();
  await expect(page.getByTestId("attributes")).toBeHidden();
  await page.getByTestId("export-service").fill("checkout");
  expect(resourceOf((await writeFile(page)).bytes)).toMatchObject({ "service.name": "checkout" });
});
