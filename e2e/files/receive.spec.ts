/** `spanflame receive`: what arrives while the page is open joins it, and an open request keeps its place. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { startReceiver } from "../../src/cli/receive/receiver.ts";
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
