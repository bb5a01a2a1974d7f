/** Folders of dumps, dropped and chosen; reading of frames, its end and the page afterwards. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileChooser, Locator, Page, TestInfo } from "@playwright/test";
import { serveViewer } from "../../src/cli/serve/server.ts";
import { inputsOf } from "../../src/node/inputs.ts";
import { asFolder, asStreamFiles, type WrittenCall, writeStreams } from "../../test/kit/cdt/cdt-writer.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { drop, expect, showProfile, showView, test } from "../kit/page.ts";
import { eachView } from "../kit/views.ts";

const SITE_DIR = fileURLToPath(new URL("../../dist", import.meta.url));
const START = Date.UTC(2024, 1, 3);
const CALLS = 300;

/** Call `i` takes 10 + i ms in a method and 2 ms in a second one. */
const calls = Array.from({ length: CALLS }, (_, i): WrittenCall => {
  const child = { method: "void shop.Tax.rate() (Tax.java:3) [shop.jar]", before: 0, after: 2, children: [] };
  return {
    threadId: 1,
    thread: "http-1",
    at: START + 2000 * i,
    root: { method: "void shop.Cart.run() (Cart.java:7) [shop.jar]", before: 0, after: 10 + i, children: [child] },
    isRecorded: true,
    reactive: 0,
    params: { "profiler.title": [`GET /orders/${i}`] },
  };
});
// Many trace files, between which a reading can be ended.
const { streams } = writeStreams({ calls, start: START, eventsPerBlock: 20, blocksPerFile: 2 });
/** Of all calls, each of 12 + i ms. */
const ALL_NANOS = String(1e6 * calls.reduce((sum, _, i) => sum + 12 + i, 0));

/** Writes files below the folder of the test, and gives the path of the first part of their names. */
function onDisk(info: TestInfo, files: Record<string, Uint8Array>): string {
  for (const [name, bytes] of Object.entries(files)) {
    const path = info.outputPath(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  return info.outputPath(Object.keys(files)[0]!.split("/")[0]!);
}

const TEXT = new TextEncoder().encode("GET /checkout 200 in 12 ms\n");
const dump = (info: TestInfo) => onDisk(info, asFolder(streams, "nightly/web1/2024/02/03/1706918400000"));
const rows = (page: Page) => page.getByTestId("calls-row");
const value = (page: Page) => page.getByTestId("total-value");

/** Drops a file or folder of the disk, as a file manager does. */
async function dropFromDisk(page: Page, path: string) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
}

async function expectNightly(page: Page) {
  await expect(page.getByTestId("calls-total")).toHaveText(/^300 calls/, { timeout: 60_000 });
  await expect(page.getByTestId("files")).toHaveText("nightly");
  await expect(page.getByText(/sample|span id carr|may be chance/i)).toHaveCount(0);
}

test("a folder that an agent still writes has what was added when the page is loaded again", async ({
  page,
  receivers,
}, info) => {
  // The files of 100 calls, with the end of one not yet written; then all of them, and another run.
  const early = writeStreams({ calls: calls.slice(0, 100), start: START, eventsPerBlock: 20, blocksPerFile: 2 });
  const parts = asFolder(early.streams, "nightly/web1/2024/02/03/1706918400000");
  const suspended = Object.keys(parts).find((name) => name.includes("/suspend/"))!;
  const folder = onDisk(info, { ...parts, [suspended]: parts[suspended]!.subarray(0, 12) });
  const list = () => inputsOf([folder]);
  const server = await serveViewer({ siteDir: SITE_DIR, files: list(), list });
  receivers.add(new URL(server.url).origin);
  try {
    await page.goto(`${server.url}#view=calls`);
    await expect(page.getByTestId("calls-total")).toHaveText(/^100 calls/, { timeout: 60_000 });
    dump(info);
    onDisk(info, asFolder(early.streams, "nightly/web2/2024/02/03/1706918400001"));
    await page.reload();
    await expect(page.getByTestId("calls-total")).toHaveText(/^400 calls/, { timeout: 60_000 });
  } finally {
    await server.close();
  }
});

test("archives of a dump are libraries of its methods", async ({ page }, info) => {
  await page.goto("./#view=flame&by=library&root-by=library");
  await dropFromDisk(page, dump(info));
  await expect(page.locator('[data-testid=flame] g.frame[aria-label^="shop"]').first()).toBeVisible({
    timeout: 60_000,
  });
});

test("texts beside a dump take one line, and the details have what each is", async ({ page }) => {
  const files = { ...asStreamFiles(streams, "svc"), "calls.txt": TEXT, "a-long-name-of-sql.txt": TEXT };
  const named = Object.entries(files).map(([name, bytes]) => ({ name, bytes }));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("./#view=calls");
  await drop(page, ...named);
  const facts = page.getByTestId("damage");
  await expect(facts).toHaveText(["2 files are not recordings: calls.txt, a-long-name-of-sql.txt"], {
    timeout: 60_000,
  });
  const [height, line] = await facts.locator("p").evaluate((p) => [p.clientHeight, getComputedStyle(p).lineHeight]);
  expect(`${height}px`).toBe(line);
  await page.getByTestId("message-details").click();
  for (const name of ["calls.txt", "a-long-name-of-sql.txt"])
    await expect(page.getByTestId("message").locator("bdi", { hasText: name }).last()).toBeVisible();
  await expect(page.getByTestId("message")).toContainText("the file is plain text");
});

test("a dropped folder is one dump, named as the folder", async ({ page }, info) => {
  await page.goto("./#view=calls");
  await dropFromDisk(page, dump(info));
  await expectNightly(page);
  await page.getByTestId("files").click();
  await expect(page.getByTestId("file")).toHaveCount(1);
  await expect(page.getByTestId("file")).not.toContainText(/\b0 B/);
});

/** The dialogue that Enter on a button opens. A browser that is not ready to hand it over gets the key once more. */
async function chooserBy(page: Page, button: Locator): Promise<FileChooser> {
  const found: FileChooser[] = [];
  page.on("filechooser", (chooser) => found.push(chooser));
  await expect(async () => {
    await button.press("Enter");
    await expect.poll(() => found.length, { timeout: 3000 }).toBeGreaterThan(0);
  }).toPass();
  return found[0] as FileChooser;
}

test("a folder is chosen by keys, at first and beside an open dump", async ({ page }, info) => {
  await page.goto("./#view=calls");
  const button = page.getByRole("button", { name: "Open a folder…" });
  await (await chooserBy(page, button)).setFiles(dump(info));
  await expectNightly(page);
  await page.getByTestId("files").focus();
  await page.keyboard.press("Enter");
  await expectNothingByAxe(page);
  await (await chooserBy(page, button)).setFiles(
    onDisk(info, asFolder(streams, "weekly/web2/2024/02/04/1707004800000")),
  );
  await page.getByTestId("join-add").click();
  await expect(page.getByTestId("calls-total")).toHaveText(/^600 calls/);
});

test("a folder without a recording is refused, and the page stays", async ({ page }, info) => {
  await page.goto("./#view=calls");
  await page.getByTestId("folder-input").setInputFiles(onDisk(info, { "src/readme.txt": Buffer.from("text") }));
  await expect(page.getByTestId("toast")).toContainText("The folder contains no recording");
  await page.getByTestId("folder-input").setInputFiles(dump(info));
  await expectNightly(page);
});

test("stream files beside each other have one name", async ({ page }, info) => {
  const files = asStreamFiles(streams, "web1");
  onDisk(info, files);
  await page.goto("./#view=calls");
  await page.getByTestId("file-input").setInputFiles(Object.keys(files).map((name) => join(info.outputDir, name)));
  await expect(page.getByTestId("calls-total")).toHaveText(/^300 calls/);
  await expect(page.getByTestId("files")).toHaveText("web1");
  await expect(page).toHaveTitle(/^web1 — /);
});

test("values of calls are measured: no view speaks of samples or of chance", async ({ page }, info) => {
  await page.goto("./#view=calls");
  await page.getByTestId("folder-input").setInputFiles(dump(info));
  await expectNightly(page);
  await page.getByTestId("calls-slowest").click();
  await expect(page.getByTestId("diff-own")).toHaveText("selection: 4.56 s");
  await expect(page.getByTestId("diff-legend")).toBeAttached();
  await showProfile(page, "invocations");
  await expect(page.getByTestId("diff-own")).toHaveText("selection: 30 invocations");
  await expect(value(page)).toHaveText("30 invocations");
  await eachView(page, async () => {
    const list = page.getByTestId("list-toggle");
    if ((await list.getAttribute("aria-expanded")) === "false") await list.click();
    await expect(page.getByTestId("rank-row").first()).toContainText("http-1");
    await expect(page.getByText(/sample|carries a span id|may be chance|not significant/i)).toHaveCount(0);
  });
});

/** Holds the reading of files in the worker back, after so many reads. */
async function holdReads(page: Page, after: number) {
  for (const worker of page.workers())
    await worker.evaluate((count) => {
      const { arrayBuffer } = Blob.prototype;
      const scope = self as typeof self & { release?: () => void };
      const released = new Promise<void>((resolve) => {
        scope.release = resolve;
      });
      let reads = 0;
      Blob.prototype.arrayBuffer = async function (this: Blob) {
        if (++reads > count) await released;
        return arrayBuffer.call(this);
      };
    }, after);
}

async function releaseReads(page: Page) {
  for (const worker of page.workers())
    await worker.evaluate(() => (self as typeof self & { release?: () => void }).release?.());
}

test("the reading of frames shows its progress; after Cancel the page goes on with the calls of before", async ({
  page,
}, info) => {
  await page.goto("./#view=calls");
  await page.getByTestId("folder-input").setInputFiles(dump(info));
  await expectNightly(page);
  await rows(page).first().click();
  await page.getByTestId("view-flame").click();
  await expect(value(page)).toHaveAttribute("data-exact", "311000000");
  await holdReads(page, 2);
  const place = () => page.getByTestId("view-flame").boundingBox();
  const before = await place();
  await page.getByTestId("clear").click();
  const reading = page.getByTestId("frames-reading");
  await expect(reading).toContainText("Reading the frames of 300 calls");
  // What is below a pointer stays there: somebody may be selecting more calls.
  expect(await place()).toEqual(before);
  await expect(page.getByRole("progressbar", { name: "Reading of frames" })).toHaveAttribute("max", /^[1-9]/);
  await expectNothingByAxe(page);
  await page.getByTestId("frames-cancel").focus();
  await page.keyboard.press("Enter");
  await releaseReads(page);
  await expect(reading).toHaveCount(0);
  await expect(page.getByTestId("chip")).toHaveText(/^callweb1/);
  await expect(value(page)).toHaveAttribute("data-exact", "311000000");
  await expect(page.locator("[data-testid=flame] g.frame").first()).toBeVisible();
  await page.getByTestId("clear").click();
  await expect(value(page)).toHaveAttribute("data-exact", ALL_NANOS);
  await expect(page.getByTestId("message")).toHaveCount(0);
});

test("a reloaded page has the selected calls again, when the folder is opened again", async ({ page }, info) => {
  const folder = dump(info);
  await page.goto("./#view=calls");
  await page.getByTestId("folder-input").setInputFiles(folder);
  await expectNightly(page);
  await rows(page).nth(1).click();
  await rows(page)
    .nth(3)
    .click({ modifiers: ["ControlOrMeta"] });
  await showView(page, "top");
  await expect(value(page)).toHaveAttribute("data-exact", String(1e6 * (310 + 308)));
  await expect(page).toHaveURL(/view=top/);
  await page.reload();
  await page.getByTestId("folder-input").setInputFiles(folder);
  await expect(page.getByTestId("view-top")).toHaveAttribute("aria-selected", "true");
  await expect(value(page)).toHaveAttribute("data-exact", String(1e6 * (310 + 308)));
  await page.getByTestId("view-calls").click();
  await expect(page.getByTestId("calls-selected")).toHaveText(/^2 calls are selected/);
  const selected = page.locator("[data-testid=calls-row][aria-selected=true]");
  await expect(selected).toHaveCount(2);
  await expect(selected.first()).toContainText("GET /orders/298");
});
