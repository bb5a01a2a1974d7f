/** Symbols for native frames: before and after the recording, in folders and archives, wrong, hostile, and removed. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { zipSync } from "fflate";
import { findings } from "./axe.ts";
import { type Dropped, drop, expect, fromDisk, test } from "./page.ts";

const recorded = (name: string) => fileURLToPath(new URL(`../fixtures/recorded/${name}`, import.meta.url));
const other = (name: string) => fileURLToPath(new URL(`../fixtures/elf/${name}`, import.meta.url));
const RECORDING = recorded("dd152-jdk17-remotesym.jfr");
const DEBUG = recorded("elf/libdemonative.so.debug");
const BUILD_ID = "2de3e4d4dae7292d136b6084ae66bc9683bf98cb";

const notice = (page: Page) => page.getByTestId("symbols-notice");
const rowOf = (page: Page, name: string) => page.getByTestId("top-row").filter({ hasText: name });
/** A function of the library, inlined into others. */
const named = (page: Page) => rowOf(page, "mixInl<").first();
const library = (page: Page, name: string): Locator => page.getByTestId("symbols-library").filter({ hasText: name });

async function openRecording(page: Page, hash = "#view=top"): Promise<void> {
  await page.goto(`./${hash}`);
  await drop(page, fromDisk(RECORDING));
  await expect(page.getByTestId("top-row").first()).toBeVisible();
}

test("a recording without symbols says so once, with what to drop; its debug file then names the frames", async ({
  page,
}) => {
  await openRecording(page);
  await expect(notice(page)).toContainText("libjvm.so");
  await expect(rowOf(page, "libdemonative.so+0x").first()).toBeVisible();
  await drop(page, fromDisk(DEBUG));
  await expect(named(page)).toBeVisible();
  await expect(rowOf(page, "libdemonative.so+0x")).toHaveCount(0);
  await expect(page.getByTestId("join-dialog")).toBeHidden();
  await page.getByTestId("symbols-dismiss").click();
  await expect(notice(page)).toBeHidden();
});

test("a debug file waits for its recording", async ({ page }) => {
  await page.goto("./#view=top");
  await drop(page, fromDisk(DEBUG));
  await expect(page.getByTestId("symbols-waiting")).toContainText("libdemonative.so.debug");
  await drop(page, fromDisk(RECORDING));
  await expect(named(page)).toBeVisible();
  await expect(page.getByTestId("symbols-waiting")).toBeHidden();
});
