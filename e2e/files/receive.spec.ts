/** `spanflame receive`: what arrives while the page is open joins it, and an open request keeps its place. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { startReceiver } from "../../src/cli/receive/receiver.ts";
import { serveViewer } from "../../src/cli/serve/server.ts";
import { Watching } from "../../src/cli/serve/watching.ts";
import { inputsOf } from "../../src/node/inputs.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { expect, test } from "../kit/page.ts";

const SITE_DIR = fileURLToPath(new URL("../../dist", import.meta.url));
const fixture = (name: string) => readFileSync(new URL(`../../fixtures/traces/${name}`, import.meta.url));
const TRACE = gunzipSync(fixture("apctx-jdk17.whole.otlp.json.gz"));
const PROFILES = fixture("../received/ap46.otlp.pb");

test("profiles join the traces of an open page, whose request stays", async ({ page, receivers }) => {
  const receiver = await startReceiver({ siteDir: SITE_DIR, port: 0, tell: () => {} });
  const { origin } = new URL(receiver.url);
  receivers.add(origin);
  const send = (path: string, type: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(`${origin}${path}`, { method: "POST", headers: { "content-type": type }, body });
  try {
    await page.goto(receiver.url);
    await expect(page.getByTestId("waiting")).toContainText(`-f ${origin} PID`);
    await expectNothingByAxe(page);
    expect((await send("/v1/traces", "application/json", new Uint8Array(TRACE))).status).toBe(200);
    await page.getByTestId("traces-row").filter({ hasText: "GET /search" }).first().click();
    await expect(page.getByTestId("spans-row")).toHaveCount(4);
    await expect(page).toHaveURL(/&trace=/);
    const selected = new URL(page.url()).hash;
    expect((await send("/v1development/profiles", "application/x-protobuf", new Uint8Array(PROFILES))).status).toBe(
      200,
    );
    await expect(page.getByTestId("view-overview")).toBeVisible();
    await expect(page.getByTestId("spans-row")).toHaveCount(4);
    expect(new URL(page.url()).hash).toBe(selected);
    // Both are in the table of files, and open again when the page is loaded again.
    await expect(page.getByTestId("file-table")).toBeVisible();
    await page.reload();
    await expect(page.getByTestId("view-overview")).toBeVisible();
    await expect(page.getByTestId("spans-row")).toHaveCount(4);
  } finally {
    await receiver.close();
  }
});

test("recordings that appear and grow in a folder open on the page, whose view stays", async ({ page, receivers }) => {
  const folder = mkdtempSync(join(tmpdir(), "spanflame-watched-"));
  const watching = new Watching(
    () => inputsOf([folder]),
    () => {},
  );
  const { list, more } = watching;
  const viewer = await serveViewer({ siteDir: SITE_DIR, files: [], list, more, isFolder: true });
  receivers.add(new URL(viewer.url).origin);
  const shop = fixture("../shop-chunks.jfr");
  const first = Number(shop.readBigInt64BE(8));
  try {
    watching.look();
    await page.goto(`${viewer.url}#view=flame`);
    await expect(page.getByTestId("waiting")).toContainText("Waiting for recordings in the folder");
    await expectNothingByAxe(page);
    // The second chunk is being written.
    const file = join(folder, "shop.jfr");
    writeFileSync(file, shop.subarray(0, first + 1000));
    watching.look();
    await expect(page.getByTestId("view-flame")).toBeVisible();
    const total = page.getByTestId("total-samples");
    const before = (await total.getAttribute("data-exact")) ?? "";
    writeFileSync(file, shop);
    watching.look();
    watching.look();
    await expect(total).not.toHaveAttribute("data-exact", before);
    await expect(page).toHaveURL(/#view=flame/);
    writeFileSync(join(folder, "other.pb"), PROFILES);
    watching.look();
    watching.look();
    await page.getByTestId("file-table").click();
    await expect(page.getByText("other.pb").first()).toBeVisible();
  } finally {
    await viewer.close();
    rmSync(folder, { recursive: true });
  }
});
