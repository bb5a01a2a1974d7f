/** Symbols for native frames: before and after the recording, in folders and archives, wrong, hostile, and removed. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "@playwright/test";
import { zipSync } from "fflate";
import { answer, serve, type TestServer } from "../../test/kit/http/server.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { exportFile } from "../kit/export.ts";
import { clickBox, hoverBox } from "../kit/flame.ts";
import { allowHost, type Dropped, drop, expect, fromDisk, showProfile, showView, tab, test } from "../kit/page.ts";

const recorded = (name: string) => fileURLToPath(new URL(`../../fixtures/recorded/${name}`, import.meta.url));
const other = (name: string) => fileURLToPath(new URL(`../../fixtures/elf/${name}`, import.meta.url));
const RECORDING = recorded("dd152-jdk17-remotesym.jfr");
const DEBUG = recorded("elf/libdemonative.so.debug");
const BUILD_ID = "2de3e4d4dae7292d136b6084ae66bc9683bf98cb";

let server: TestServer | null = null;
test.afterEach(async () => {
  await server?.close();
  server = null;
});

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

test("the debug file of a macOS library is a file of symbols", async ({ page }) => {
  await page.goto("./#view=top");
  await drop(page, fromDisk(other("mach-o.dSYM")));
  await expect(page.getByTestId("symbols-waiting")).toContainText("1 file of symbols waits for a recording");
});

/** Drops a folder as if dragged there; a path has `/` between its parts. */
async function dropFolder(page: Page, name: string, files: Dropped[]): Promise<void> {
  const plain = files.map((file) => ({ path: file.name, base64: Buffer.from(file.bytes).toString("base64") }));
  await page.evaluate(
    ([folder, list]) => {
      type Tree = Map<string, Tree | File>;
      const top: Tree = new Map();
      for (const { path, base64 } of list) {
        const parts = path.split("/");
        let at = top;
        for (const part of parts.slice(0, -1)) {
          const below = at.get(part) ?? new Map();
          at.set(part, below);
          at = below as Tree;
        }
        const last = parts.at(-1) ?? "";
        at.set(last, new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], last));
      }
      const entryOf = (of: string, tree: Tree | File): unknown => {
        if (tree instanceof File)
          return { name: of, isFile: true, isDirectory: false, file: (then: (file: File) => void) => then(tree) };
        const createReader = () => {
          const left = [...tree].map(([child, below]) => entryOf(child, below));
          return { readEntries: (then: (some: unknown[]) => void) => then(left.splice(0, 100)) };
        };
        return { name: of, isFile: false, isDirectory: true, createReader };
      };
      const items = [{ webkitGetAsEntry: () => entryOf(folder, top) }];
      for (const type of ["dragenter", "dragover", "drop"]) {
        const event = new DragEvent(type, { bubbles: true, cancelable: true });
        Object.defineProperty(event, "dataTransfer", { value: { types: ["Files"], items, files: [] } });
        document.body.dispatchEvent(event);
      }
    },
    [name, plain] as const,
  );
}

async function openDialog(page: Page): Promise<Locator> {
  await page.getByTestId("symbols-open").click();
  const dialog = page.getByTestId("symbols-dialog");
  await expect(dialog).toBeVisible();
  return dialog;
}

test("a folder of 300 files gives the debug file in its tree of build ids", async ({ page }) => {
  await openRecording(page);
  const bytes = readFileSync(DEBUG);
  const libraries = ["gcc-dwarf4.so", "gcc-dwarf5.so", "stripped.so", "zstd.so"].map((name) =>
    readFileSync(other(name)),
  );
  const files = Array.from({ length: 299 }, (_, i) => {
    const library = libraries[i % 10];
    return library === undefined
      ? { name: `share/doc/${i}.txt`, bytes: Buffer.from(`text ${i}`) }
      : { name: `lib/${i}.so`, bytes: library };
  });
  await dropFolder(page, "debug", [
    ...files,
    { name: `.build-id/${BUILD_ID.slice(0, 2)}/${BUILD_ID.slice(2)}.debug`, bytes },
  ]);
  await expect(named(page)).toBeVisible();
  const dialog = await openDialog(page);
  await expect(library(page, "libdemonative.so")).toHaveAttribute("data-status", "resolved");
  await expect(dialog.getByTestId("symbols-unused").locator("li[data-status=not-needed]")).toHaveCount(100);
});

test("a folder without a recording and without symbols is refused", async ({ page }) => {
  await page.goto("./#view=flame");
  await dropFolder(page, "doc", [{ name: "readme.txt", bytes: Buffer.from("text") }]);
  await expect(page.getByRole("alert")).toContainText("no symbols");
});

test("a file of another build id names nothing, and both ids are shown", async ({ page }) => {
  await openRecording(page);
  await drop(page, { name: "libdemonative.so", bytes: readFileSync(other("gcc-dwarf5.so")) });
  await openDialog(page);
  const card = library(page, "libdemonative.so");
  await expect(card).toHaveAttribute("data-status", "mismatch");
  await expect(card).toContainText(BUILD_ID);
  await expect(page.getByTestId("symbols-unused").locator("li")).toHaveAttribute("data-status", "mismatch");
  await expect(named(page)).toHaveCount(0);
});

test("an archive has symbols, recordings, or both", async ({ page }) => {
  await page.goto("./#view=top");
  const zip = zipSync({ "lib/debug/libdemonative.so.debug": readFileSync(DEBUG), "notes.txt": Buffer.from("text") });
  await drop(page, { name: "symbols.zip", bytes: zip }, fromDisk(RECORDING));
  await expect(named(page)).toBeVisible();
  await openDialog(page);
  await expect(library(page, "libdemonative.so")).toContainText("symbols.zip!lib/debug/libdemonative.so.debug");
});

test("a removed file takes its names along, and the frame that is zoomed to stays", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, fromDisk(RECORDING));
  const focus = "Java_demo_Nat_crunch";
  const crumbs = page.getByTestId("breadcrumb");
  await drop(page, fromDisk(DEBUG));
  await clickBox(page, focus);
  await expect(crumbs).toContainText(focus);
  const dialog = await openDialog(page);
  await dialog.getByRole("button", { name: /^Remove libdemonative/ }).click();
  await expect(library(page, "libdemonative.so")).toHaveAttribute("data-status", "missing");
  await page.keyboard.press("Escape");
  await expect(crumbs).toContainText("libdemonative.so+0x");
  await drop(page, fromDisk(DEBUG));
  await expect(crumbs).toContainText(focus);
});

test("frames have file and line, and inlined ones are marked in the graph and in lists", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, fromDisk(RECORDING), fromDisk(DEBUG));
  await hoverBox(page, "acme::mixInl<long unsigned int>");
  await expect(page.getByTestId("frame-tip")).toContainText("inlined");
  await expect(page.getByTestId("frame-detail")).toContainText("native, inlined");
  await expect(page.getByTestId("frame-detail")).toContainText("native.cpp:");
  await hoverBox(page, "acme::Worker::leaf(unsigned long)");
  await expect(page.getByTestId("frame-detail")).not.toContainText("inlined");
  await showView(page, "top");
  await expect(named(page)).toContainText("inlined");
  await page.getByTestId("sort-total").click();
  await expect(rowOf(page, "acme::Worker::leaf").first()).not.toContainText("inlined");
});

test("search, filters and exports have the names", async ({ page }) => {
  await openRecording(page, "#view=top&search=mixInl");
  await drop(page, fromDisk(DEBUG));
  await expect(page.getByTestId("search-found")).toContainText("%");
  await page.getByTestId("search").click();
  await page.getByTestId("search-only").click();
  await expect(page.getByTestId("chip")).toContainText("mixInl");
  const { bytes } = await exportFile(page, "format-collapsed");
  expect(bytes.toString()).toContain("acme::Worker::leaf(unsigned long);acme::mixInl<long unsigned int> ");
});

test("a comparison has the names, and those of before without the file", async ({ page }) => {
  await page.goto("./#by=endpoint&view=flame");
  await drop(page, fromDisk(RECORDING), fromDisk(DEBUG));
  await page.getByTestId("rank-row").filter({ hasText: "/search" }).click();
  await page.getByTestId("view-diff").click();
  await page.getByTestId("diff-shape").getByText("functions").click();
  const changed = (name: string) => page.getByTestId("changed-row").filter({ hasText: name }).first();
  await expect(changed("acme::mixInl<")).toBeVisible();
  const dialog = await openDialog(page);
  await dialog.getByRole("button", { name: /^Remove libdemonative/ }).click();
  await page.keyboard.press("Escape");
  await expect(changed("libdemonative.so+0x")).toBeVisible();
  await expect(changed("acme::mixInl<")).toHaveCount(0);
});

test("the symbols are given again to a worker that has ended", async ({ page }) => {
  await openRecording(page);
  await drop(page, fromDisk(DEBUG));
  await expect(named(page)).toBeVisible();
  // With another event the recording is read again.
  await page.getByTestId("other-events").click();
  await page.getByTestId("other-events-panel").getByRole("radio").first().check();
  await page.getByTestId("other-show").click();
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "false");
  await showProfile(page, "cpu");
  await expect(named(page)).toBeVisible();
});

test("the dialog: keys, commands, a narrow window, and nothing for axe to find", async ({ page }) => {
  await openRecording(page);
  await page.getByTestId("symbols-open").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByTestId("symbols-dialog");
  await expect(dialog).toBeVisible();
  const card = library(page, "libdemonative.so");
  await card.getByTestId("symbols-commands").click();
  await expect(card).toContainText(`debuginfod-find debuginfo ${BUILD_ID}`);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.setViewportSize({ width: 390, height: 800 });
  const isWider = await dialog.evaluate((element) =>
    [...element.querySelectorAll("*")].some((each) => each.getBoundingClientRect().right > innerWidth + 1),
  );
  expect(isWider).toBe(false);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(page.getByTestId("symbols-open")).toBeFocused();
});

test("hostile names in a file are inert in page and report", async ({ page }) => {
  await page.goto("./#view=top");
  await drop(page, fromDisk(RECORDING));
  const name = "mixInl<long unsigned int>";
  const hostile = "<img src=x>\u001b[1m\u202eabcdefg";
  expect(Buffer.byteLength(hostile)).toBe(name.length);
  const bytes = readFileSync(DEBUG);
  const at = bytes.indexOf(name);
  bytes.set(Buffer.from(hostile), at);
  await drop(page, { name: "<img src=x>.debug", bytes });
  await expect(rowOf(page, "<img src=x>").first()).toBeVisible();
  await openDialog(page);
  await expect(page.locator("img")).toHaveCount(0);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  expect(await page.evaluate(() => document.body.textContent)).not.toMatch(/[\u001b\u202e]/);
  await page.keyboard.press("Escape");
  const report = (await exportFile(page, "format-html")).bytes.toString();
  expect(report).not.toContain("<img");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  expect(report).not.toMatch(/[\u001b\u202e]/);
});

test("a debuginfod server is asked only if the user enters one, for the build ids of libraries without symbols", async ({
  page,
  receivers,
}) => {
  server = await serve((response, received) => {
    const allowed = { "access-control-allow-origin": "*" };
    const isKnown = received.path === `/buildid/${BUILD_ID}/debuginfo`;
    (isKnown ? answer(200, readFileSync(DEBUG), allowed) : answer(404, "", allowed))(response, received);
  });
  receivers.add(server.url);
  await openRecording(page);
  await openDialog(page);
  const box = page.getByTestId("debuginfod");
  await box.locator("summary").click();
  await expect(box).toContainText("Fetch sends the build ids of 5 libraries to this server");
  await expect(box.getByTestId("debuginfod-fetch")).toBeDisabled();
  expect(server.received).toEqual([]);
  await box.getByTestId("debuginfod-server").fill(server.url);
  await box.getByTestId("debuginfod-fetch").click();
  await expect(page.getByTestId("consent")).toContainText("the build ids of 5 libraries");
  expect(server.received).toEqual([]);
  await allowHost(page, server.url);
  await expect(library(page, "libdemonative.so")).toHaveAttribute("data-status", "resolved");
  await expect(box.getByRole("listitem")).toHaveCount(5);
  await expectNothingByAxe(page, { without: [GRAPH] });
  const asked = new Set(server.received.map(({ path }) => path.split("/")[2]));
  expect(asked.size).toBe(5);
  expect(server.received.every(({ headers }) => headers.cookie === undefined && headers.referer === undefined)).toBe(
    true,
  );
  await page.keyboard.press("Escape");
  await expect(named(page)).toBeVisible();
});

test("reading that hangs is cancelled and done again, while the recording stays in use", async ({ page }) => {
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/demangle[^/]*\.gz$/, async (route) => {
    await answered;
    await route.continue().catch(() => {});
  });
  await openRecording(page);
  await drop(page, fromDisk(DEBUG));
  await expect(page.getByTestId("symbols-progress")).toContainText("Reading the symbols of libdemonative.so");
  await page.getByTestId("view-flame").click();
  await expect(page.getByTestId("flame")).toBeVisible();
  await page.getByTestId("symbols-cancel").click();
  await expect(page.getByTestId("symbols-progress")).toBeHidden();
  await openDialog(page);
  await expect(library(page, "libdemonative.so")).toHaveAttribute("data-status", "unread");
  answer();
  await library(page, "libdemonative.so").getByRole("button", { name: "Read again" }).click();
  await expect(library(page, "libdemonative.so")).toHaveAttribute("data-status", "resolved");
});

test("symbols beside the page are fetched where the recording needs them, with split units and supplements", async ({
  page,
}) => {
  const list = [
    { name: "other.so", buildId: "00112233" },
    { name: "libdemonative.so.debug", buildId: BUILD_ID, needs: "beef" },
    { name: "other.sup", buildId: "cafe", supplement: "cafe" },
    { name: "shared.sup", buildId: "beef" },
    { name: "units.dwp", split: "package" },
  ];
  const fetched: string[] = [];
  await page.route(/\/symbols(\.json|\/\d+)$/, (route) => {
    const path = new URL(route.request().url()).pathname;
    fetched.push(path.slice(path.lastIndexOf("/symbols") + 1));
    return path.endsWith(".json") ? route.fulfill({ json: list }) : route.fulfill({ body: readFileSync(DEBUG) });
  });
  await page.goto("./?symbols#view=top");
  await drop(page, fromDisk(RECORDING));
  await expect(named(page)).toBeVisible();
  expect(fetched.toSorted()).toEqual(["symbols.json", "symbols/1", "symbols/3", "symbols/4"]);
});

test("the function of Sandwich gets its name", async ({ page }) => {
  await openRecording(page, "#view=top");
  await rowOf(page, "libdemonative.so+0x1283").first().dblclick();
  await expect(page.getByTestId("sandwich-name")).toHaveText("libdemonative.so+0x1283");
  await drop(page, fromDisk(DEBUG));
  await expect(page.getByTestId("sandwich-name")).toHaveText(/^(acme::Worker|Java_demo|grab)/);
});
