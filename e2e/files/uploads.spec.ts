/** Uploads of Datadog's profilers as files: in a folder that is dropped, chosen or served, and dropped together. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page, TestInfo } from "@playwright/test";
import { serveViewer } from "../../src/cli/serve/server.ts";
import { inputsOf } from "../../src/node/inputs.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { drop, expect, test } from "../kit/page.ts";

const SITE_DIR = fileURLToPath(new URL("../../dist", import.meta.url));
const SITE = "/app/lib/python3.12/site-packages";
const PPROF = pprofOf({
  types: [["cpu-time", "nanoseconds"]],
  samples: [
    {
      stack: ["send", "checkout"],
      values: [5_000_000],
      labels: { "local root span id": 7, "trace endpoint": "GET /cart" },
    },
  ],
  files: { send: `${SITE}/requests/sessions.py`, checkout: "/srv/shop/app.py" },
});
const RECORDING = readFileSync(new URL("../../fixtures/shop-chunks.jfr", import.meta.url));
const JDK = readFileSync(new URL("../../fixtures/recorded/jdk17-profile.jfr", import.meta.url));
const EVENT = JSON.stringify({
  attachments: ["auto", "gone.jfr", "code-provenance.json"],
  tags_profiler: "service:till,env:prod,host:h1",
  endpoint_counts: { "GET /cart": 40 },
});
const LIBRARIES = JSON.stringify({
  v1: [{ kind: "library", name: "requests", version: "2.31.0", paths: [`${SITE}/requests`] }],
});
const UPLOAD: Record<string, string | Uint8Array> = {
  "event.json": EVENT,
  auto: PPROF,
  "code-provenance.json": LIBRARIES,
  "metrics.json": JSON.stringify([["go_num_goroutine", 12]]),
};

function onDisk(info: TestInfo, files: Record<string, string | Uint8Array>): void {
  for (const [name, bytes] of Object.entries(files)) {
    const path = info.outputPath(name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

const inFolder = (folder: string) =>
  Object.fromEntries(Object.entries(UPLOAD).map(([name, of]) => [`${folder}/${name}`, of]));

/** Drops files or folders of the disk, as a file manager does. */
async function dropFromDisk(page: Page, ...files: string[]) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
}

/** One file, the facts of its process, the missing attachment, and the library of a frame. */
async function expectUpload(page: Page, name: string) {
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expect(page.getByTestId("files")).toHaveText(name);
  await expect(page.getByTestId("damage")).toContainText(`The attachment "gone.jfr" of event.json is not there`);
  await page.locator('[data-testid=flame] g.frame[aria-label*="send"]').hover({ force: true });
  await expect(page.getByTestId("frame-detail")).toContainText("sessions.py:10 · requests 2.31.0");
  await expect(page.getByTestId("frame-tip")).toContainText("requests 2.31.0");
  await page.locator('[data-testid=flame] g.frame[aria-label*="checkout"]').hover({ force: true });
  await expect(page.getByTestId("frame-detail")).toContainText("app.py:10");
  await expect(page.getByTestId("frame-detail")).not.toContainText("requests 2");
  await page.getByTestId("about").click();
  await expect(page.getByTestId("about-facts")).toContainText("till");
  await page.getByTestId("about-more").click();
  await expect(page.getByTestId("process-table")).toContainText("deployment.environment.nameprod");
  await expect(page.getByTestId("figures-table")).toContainText("go_num_goroutine12");
  await page.keyboard.press("Escape");
}

test("an endpoint has the requests that event.json counts, and the part of the value for each", async ({
  page,
}, info) => {
  onDisk(info, inFolder("upload"));
  await page.goto("./#by=endpoint&view=flame");
  await dropFromDisk(page, info.outputPath("upload"));
  const row = page.getByTestId("rank-row").first();
  await expect(row.getByTestId("rank-requests")).toContainText("1 of 40 requests");
  expect(await row.getAttribute("title")).toContain("125 µs for each request");
});

test("a dropped folder is read by its event.json: attachments under any name, tags, libraries", async ({
  page,
}, info) => {
  onDisk(info, inFolder("upload"));
  await page.goto("./#view=flame");
  await dropFromDisk(page, info.outputPath("upload"));
  await expectUpload(page, "upload/auto");
});

test("libraries have a list, and root frames", async ({ page }, info) => {
  onDisk(info, inFolder("upload"));
  await page.goto("./#by=library&root-by=library&view=flame");
  await dropFromDisk(page, info.outputPath("upload"));
  await expect(page.getByTestId("rank-row").first()).toContainText("requests");
  await expect(page.locator('[data-testid=flame] g.frame[aria-label^="requests"]')).toBeVisible();
});

test("modules of a recording are libraries, too", async ({ page }) => {
  await page.goto("./#type=native&by=library&root-by=library&view=flame");
  await drop(page, { name: "jdk.jfr", bytes: JDK });
  await expect(page.getByTestId("rank-row").first()).toContainText("java.base");
  await expect(page.locator('[data-testid=flame] g.frame[aria-label^="java.base"]')).toBeVisible();
});

test("functions that a list of libraries has are libraries in the legend and their colours; the other code is not", async ({
  page,
}) => {
  // The line below the graph has room for the legend.
  await page.setViewportSize({ width: 1800, height: 900 });
  await page.goto("./#view=flame");
  await drop(
    page,
    { name: "event.json", bytes: Buffer.from(EVENT) },
    { name: "auto", bytes: Buffer.from(PPROF) },
    { name: "code-provenance.json", bytes: Buffer.from(LIBRARIES) },
  );
  // All self time is in requests' send, below the application's checkout.
  const libraries = page.getByTestId("legend").getByRole("button", { name: /^Libraries/ });
  await expect(libraries).toContainText("100 %");
  await libraries.click();
  const fill = (name: string) =>
    page.locator(`[data-testid=flame] g.frame[aria-label*="${name}"] rect`).first().getAttribute("fill");
  expect(await fill("send")).not.toBe(await fill("checkout"));
});

test("so is a folder that is chosen", async ({ page }, info) => {
  onDisk(info, inFolder("upload"));
  await page.goto("./#view=flame");
  await page.getByTestId("folder-input").setInputFiles(info.outputPath("upload"));
  await expectUpload(page, "upload/auto");
});

test("so is a folder that the command line serves, without the attachment that is missing", async ({
  page,
  receivers,
}, info) => {
  onDisk(info, inFolder("upload"));
  const files = inputsOf([info.outputPath("upload")]).filter(({ fault }) => fault === undefined);
  const server = await serveViewer({ siteDir: SITE_DIR, files });
  receivers.add(new URL(server.url).origin);
  try {
    await page.goto(`${server.url}#view=flame`);
    await expectUpload(page, "upload/auto");
  } finally {
    await server.close();
  }
});

test("so are files that are dropped or chosen together", async ({ page }, info) => {
  onDisk(info, UPLOAD);
  const paths = Object.keys(UPLOAD).map((name) => join(info.outputDir, name));
  await page.goto("./#view=flame");
  await dropFromDisk(page, ...paths);
  await expectUpload(page, "auto");
  await page.goto("about:blank");
  await page.goto("./#view=flame");
  await page.getByTestId("file-input").setInputFiles(paths);
  await expectUpload(page, "auto");
});

test("tags are of their attachments alone, and stay when files are added", async ({ page }) => {
  const event = JSON.stringify({ attachments: ["main.jfr"], tags_profiler: "service:till" });
  await page.goto("./#view=flame");
  await drop(
    page,
    { name: "event.json", bytes: Buffer.from(event) },
    { name: "main.jfr", bytes: RECORDING },
    { name: "auto.pprof", bytes: PPROF },
  );
  await page.getByTestId("files").click();
  await expect(page.getByTestId("file")).toHaveCount(2);
  await page.keyboard.press("Escape");
  await page.getByTestId("about").click();
  const facts = page.getByTestId("about-facts");
  await expect(facts.filter({ hasText: "till" })).toHaveCount(1);
});

test("uploads of three processes are a row each, in the order of their times", async ({ page }) => {
  const files = [1, 2, 3].flatMap((process) => {
    const start = `2026-01-01T00:0${4 - process}:00Z`;
    const event = { attachments: ["main.jfr"], tags_profiler: `service:till,runtime-id:p${process}`, start };
    return [
      { name: `upload${process}/main.jfr`, bytes: RECORDING },
      { name: `upload${process}/event.json`, bytes: Buffer.from(JSON.stringify(event)) },
    ];
  });
  await page.goto("./#view=flame");
  await drop(page, ...files);
  const rows = page.getByTestId("collection-row");
  await expect(rows).toHaveCount(3);
  for (const [i, name] of ["p3", "p2", "p1"].entries()) await expect(rows.nth(i)).toContainText(name);
});

test("a damaged list of libraries is reported, and the rest is read", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(
    page,
    { name: "event.json", bytes: Buffer.from(JSON.stringify({ attachments: ["auto"] })) },
    { name: "auto", bytes: PPROF },
    { name: "code-provenance.json", bytes: Buffer.from('{"v1": [') },
  );
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expect(page.getByText(/code-provenance\.json was not read/)).toBeAttached();
});
