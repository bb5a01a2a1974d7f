/**
 * What must be there before the page can take a file: its scripts, the worker's, and the core, as a server would pack
 * them.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import {
  allScripts,
  assetPath,
  assetText,
  built,
  coreParts,
  packed,
  scriptParts,
  sumOf,
  whoTookWhat,
  withImports,
} from "../kit/first-load.ts";
import { allShown, drop, test as pageTest } from "../kit/page.ts";

const SHOP = fileURLToPath(new URL("../../fixtures/shop.jfr", import.meta.url));
const PLAIN = fileURLToPath(new URL("../../fixtures/recorded/jdk17-profile.jfr", import.meta.url));
const AGENT = fileURLToPath(new URL("../../fixtures/recorded/ddagent-jdk17.jfr", import.meta.url));
/** What each part had when its limit was set: written by `--update-snapshots`. */
const THEN = fileURLToPath(new URL("./first-load.json", import.meta.url));
const KIB = 1024;
const MOST = { scripts: 140 * KIB, core: 56 * KIB };

const mainScripts = () => [...withImports(built("main", ".js"))];
const workerScripts = () => [...withImports(built("worker", ".js"))];

test("the engine for patterns is not in the first load, but in one file for page and worker", () => {
  const has = (name: string) => assetText(name).includes("error parsing regexp");
  expect([...mainScripts(), ...workerScripts()].filter(has)).toEqual([]);
  const [engine = "", ...others] = allScripts().filter(has);
  expect(others).toEqual([]);
  const names = (name: string) => assetText(name).includes(`./${engine}`);
  expect(allScripts().filter(names)).toHaveLength(2);
});

test("the walks over OTLP are not in the first load, but in a file of the worker, one of facts, one of the validator and one of data sets", () => {
  // A field of the schema that the detection of OTLP does not name.
  const has = (name: string) => assetText(name).includes("dropped_attributes_count");
  expect([...mainScripts(), ...workerScripts()].filter(has)).toEqual([]);
  expect(allScripts().filter(has)).toHaveLength(4);
});

test("the catalogue of events is in the worker's first script, and comes to the page with the view of a recording", () => {
  const has = (name: string) => assetText(name).includes("datadog.NativeSocketEvent");
  expect(mainScripts().filter(has)).toEqual([]);
  expect(workerScripts().filter(has)).toHaveLength(1);
  expect([...withImports(built("recording", ".js"))].filter(has)).toHaveLength(1);
});

test("the first load stays within 140 KiB of scripts and 56 KiB of wasm", async () => {
  const { config } = test.info();
  const scripts = scriptParts();
  expect(scripts["main: react-dom"]).toBeGreaterThan(50 * KIB);
  const core = packed(readFileSync(assetPath(built("core-first", ".wasm"))));
  const isWithin = sumOf(scripts) <= MOST.scripts && core <= MOST.core;
  const isWanted = config.updateSnapshots === "changed" || config.updateSnapshots === "all";
  if (isWithin && !isWanted) return;
  // The core is compiled.
  test.setTimeout(600_000);
  const now = { scripts, core: await coreParts() };
  if (isWithin) return writeFileSync(THEN, `${JSON.stringify(now, rounded, 2)}\n`);
  const then = JSON.parse(readFileSync(THEN, "utf8")) as typeof now;
  const tables = (["scripts", "core"] as const).map((load) => {
    const sum = Math.round(sumOf(now[load]));
    return `${load}: ${sum} bytes, at most ${MOST[load]}\n${whoTookWhat(now[load], then[load])}`;
  });
  throw new Error(tables.join("\n\n"));
});

const rounded = (_: string, value: unknown) => (typeof value === "number" ? Math.round(value) : value);

pageTest("a recording is open after few requests, and all that is fetched ahead takes few more", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => void fetched.push(new URL(request.url()).pathname));
  await page.goto("./#view=flame");
  await drop(page, { name: "shop.jfr", bytes: readFileSync(SHOP) });
  await allShown(page);
  await expect.poll(() => fetched.filter((path) => path.includes("/dialogs-")).length).toBe(2);
  expect(fetched.length).toBeLessThanOrEqual(27);
});

pageTest("the rest of the core is fetched with the first message, not before", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => void fetched.push(new URL(request.url()).pathname));
  const times = (part: string) => fetched.filter((path) => path.includes(part)).length;
  await page.goto("./#view=flame");
  // It states no context that is to be inferred.
  await drop(page, { name: "jdk.jfr", bytes: readFileSync(PLAIN) });
  await expect(page.getByTestId("flame")).toBeVisible();
  expect([times("/core-first-"), times("/core-rest-")]).toEqual([1, 0]);
  await page.goto("about:blank");
  await page.goto("./#view=flame");
  await drop(page, { name: "stacks.folded", bytes: Buffer.from("main;work 3\n") });
  await expect(page.getByTestId("flame")).toBeVisible();
  expect(times("/core-rest-")).toBe(1);
});

const RECORDING_SCRIPT = /\/recording-[^/]*\.js$/;

pageTest("files are read before the script that shows them is there, as the address says", async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(RECORDING_SCRIPT, (route) => released.then(() => route.continue()));
  await page.goto("./#event=jdk.ThreadStart&type=jdk.ThreadStart&view=top");
  await drop(page, { name: "agent.jfr", bytes: readFileSync(AGENT) });
  // The bar names the files once they are read.
  await expect(page.getByRole("banner").getByRole("button", { name: "agent.jfr" })).toBeVisible();
  await expect(page.getByTestId("progress")).toBeVisible();
  release();
  await expect(page.getByTestId("view-top")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("tab-jdk.ThreadStart")).toHaveAttribute("aria-selected", "true");
  await expect(page).toHaveURL(/#type=jdk.ThreadStart&event=jdk.ThreadStart&view=top$/);
});

pageTest("a page without the script that shows recordings says so", async ({ page, tolerated }) => {
  tolerated.add("Failed to load resource");
  await page.route(RECORDING_SCRIPT, (route) => route.abort());
  await page.goto("./#view=flame");
  await drop(page, { name: "shop.jfr", bytes: readFileSync(SHOP) });
  await expect(page.getByText("A part of the page could not be loaded")).toBeVisible();
});
