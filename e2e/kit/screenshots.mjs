#!/usr/bin/env node
/**
 * The pictures of the README and of docs/tour.md, of the built page: `node e2e/kit/screenshots.mjs [NAME…]`. The sample
 * with its slow checkout selected, in each view; deep stacks are collapsed stacks made here, and calls are those of a
 * dump (shop-dump.mjs).
 */
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";
import { shopDump } from "./shop-dump.mjs";
import { openViewer } from "./viewer.mjs";

const LISTS = fileURLToPath(new URL("view-lists.ts", import.meta.url));
const { OTHER_FORMS, VIEW_PICTURES } = (await runnerImport(LISTS)).module;

const LIMIT = 350_000;
/** Pictures of the tour are smaller, because there are many. */
const ROOM = { width: 1160, height: 700 };
const WIDE = { width: 1440, height: 900 };
const LEVELS = 1000;
const ROOT = "[data-testid=rank-row][data-id]";
/** The frame line is about a frame of the application. */
const pointed = (page) =>
  page.locator('[data-testid=flame] g.frame[aria-label*="CouponMatcher"]').first().hover({ force: true });
/** The forms of the flame graph share a tab. */
const view = (name) => async (page) => {
  if (OTHER_FORMS.includes(name)) await page.getByTestId("view-flame").click();
  await page.getByTestId(`view-${name}`).click();
  // The tabs move where the list closes: another one would show its tip.
  if (name === "overview") await page.mouse.move(0, 0);
};
/** Opens or closes the list. */
const list = (page) => page.keyboard.press("e");
const click = (id) => (page) => page.getByTestId(id).first().click();
const framed = (name) => (page) =>
  page.locator(`[data-testid=flame] g.frame[aria-label*="${name}"]`).first().waitFor({ state: "attached" });

/** A recording and a trace of the same run. */
const TRACED = ["traces/ddctx-jdk17.jfr", "traces/ddctx-jdk17.captured.datadog.json.gz"];

const MANY = ["shop.jfr", "shop-chunks.jfr", "traces/ddctx-jdk17.jfr"].concat(
  ["ap46-jdk17-all", "dd152-jdk17-all", "ddagent-jdk17", "jdk17-profile", "jdk25-cputime"].map(
    (name) => `recorded/${name}.jfr`,
  ),
);

const TRACE = "344b698dac86d8c5";

/**
 * The place in docs; `steps` lead there from the slow checkout on Wall. `hash` opens another state of the sample,
 * without a selection; `?`: the welcome page. `files` of fixtures/ are opened in place of the sample.
 */
const PICTURES = [
  { name: "screenshot.png", steps: [pointed], viewport: WIDE },
  { name: "screenshot-dark.png", steps: [view("overview")], viewport: WIDE, colorScheme: "dark" },
  {
    name: "symbols.png",
    files: ["recorded/dd152-jdk17-remotesym.jfr", "recorded/elf/libdemonative.so.debug"],
    hash: "#view=flame",
    steps: [framed("mixInl"), click("symbols-open")],
  },
  { name: "tour/welcome.png", hash: "?", steps: [] },
  { name: "tour/endpoints.png", hash: "#", steps: [list] },
  { name: "tour/search.png", hash: "#", steps: [(page) => page.keyboard.press("Control+k"), typed("checkout")] },
  { name: "tour/slowest.png", hash: "#", steps: [view("overview")] },
  {
    name: "tour/changed.png",
    steps: [view("diff"), (page) => page.getByTestId("diff-shape").getByText("functions").click()],
  },
  { name: "tour/sandwich.png", steps: [view("sandwich")], colorScheme: "dark" },
  {
    name: "tour/threads.png",
    hash: "#type=wall&jvm=yes&timeline=threads",
    steps: [],
    viewport: { width: 1160, height: 900 },
  },
  {
    name: "tour/heat-map.png",
    hash: "#type=wall",
    steps: [(page) => page.getByTestId("timeline").hover(), click("heat-toggle")],
  },
  { name: "tour/colours.png", hash: "#", steps: [click("view-menu")] },
  { name: "tour/root-frames.png", hash: "#root-by=endpoint&collapse=jdk", steps: [] },
  { name: "tour/deep.png", deep: true, steps: [] },
  { name: "tour/calls.png", dump: true, steps: [(page) => page.getByTestId("calls-row").nth(1).click()] },
  {
    name: "tour/chart.png",
    dump: true,
    steps: [view("chart"), (page) => page.getByTestId("chart-rows").focus(), queried],
  },
  { name: "tour/trace.png", files: TRACED, steps: [found(TRACE), view("trace"), click("spans")] },
  { name: "tour/root-chart.png", files: TRACED, steps: [found(TRACE), view("chart"), charted] },
  {
    name: "tour/collection.png",
    files: MANY,
    steps: [(page) => page.getByTestId("collection-row").nth(5).waitFor(), read],
  },
  { name: "tour/export.png", steps: [click("export")] },
  { name: "tour/narrow.png", steps: [(page) => page.mouse.move(0, 0)], viewport: { width: 390, height: 844 } },
];
/** Pictures of views that need nothing but the tab. */
const OF_VIEWS = Object.entries(VIEW_PICTURES)
  .filter(([name]) => !PICTURES.some((picture) => picture.name === name))
  .map(([name, id]) => ({ name, steps: [view(id)] }));

/** A query is the current frame, and its detail is open. */
async function queried(page) {
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
}

/** The trace of an id that is pasted into the search. */
function found(id) {
  return async (page) => {
    await page.getByTestId("traces-row").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.keyboard.press("Enter");
    await page.locator("[data-testid=chip]").waitFor();
  };
}

/** The facts of all files are read. */
function read(page) {
  return page.getByTestId("collection-cancel").waitFor({ state: "detached" });
}

async function charted(page) {
  await page.getByTestId("chart-current").waitFor();
  await page.getByTestId("chart-rows").focus();
  for (const key of ["ArrowDown", "ArrowDown"]) await page.keyboard.press(key);
}

function typed(text) {
  return (page) => page.keyboard.type(text);
}

/** Forty stacks of up to a thousand levels. */
function deepStacks() {
  const stack = (i) =>
    Array.from({ length: LEVELS - 20 * i }, (_, d) => `com.acme.rules.Rule${(d * (1 + (i % 3))) % 97}.apply`);
  return Array.from({ length: 40 }, (_, i) => `${stack(i).join(";")} ${100 - 2 * i}`).join("\n");
}

async function open(page, { hash, deep = false, dump = false, files }) {
  if (files !== undefined) {
    await page.goto(`${viewer.url}${hash ?? "#view=trace"}`);
    const paths = files.map((name) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url)));
    await page.getByTestId("file-input").setInputFiles(paths);
    return;
  }
  const graph = `#view=flame&${(hash ?? "#by=root&type=wall").slice(1)}`;
  const empty = dump ? "#view=calls" : "#view=flame";
  const of = dump || deep ? empty : `?sample${graph}`;
  await page.goto(`${viewer.url}${hash === "?" ? "" : of}`);
  if (deep) {
    const buffer = Buffer.from(deepStacks());
    await page.getByTestId("file-input").setInputFiles({ name: "rules.collapsed", mimeType: "text/plain", buffer });
  }
  if (dump) {
    await page.getByTestId("file-input").setInputFiles(await shopDump());
    await page.getByTestId("calls-row").first().waitFor();
  }
  if (hash === "?" || dump) return;
  await page.getByTestId("flame").waitFor();
  if (hash !== undefined || deep) return;
  await list(page);
  await page.locator(ROOT).first().click();
  await page.locator("[data-testid=chip]").waitFor();
  const samples = await page.getByTestId("rank-samples").first().getAttribute("data-exact");
  await page.locator(`[data-testid=total-samples][data-exact="${samples}"]`).waitFor();
  await list(page);
}

const viewer = await openViewer();
try {
  const wanted = argv.slice(2);
  for (const picture of [...PICTURES, ...OF_VIEWS].filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  )) {
    const { name, steps, colorScheme = "light", viewport = ROOM } = picture;
    const page = await viewer.browser.newPage({ viewport: WIDE, colorScheme });
    await open(page, picture);
    await page.setViewportSize(viewport);
    for (const step of steps) await step(page);
    await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
    // No event reports that everything is painted, so wait.
    await page.waitForTimeout(700);
    const path = fileURLToPath(new URL(`../../docs/${name}`, import.meta.url));
    await mkdir(dirname(path), { recursive: true });
    await page.screenshot({ path });
    const { size } = await stat(path);
    if (size > LIMIT) throw new Error(`${name} has ${size} bytes; ${LIMIT} are allowed`);
    console.log(`docs/${name}: ${size} bytes`);
    await page.close();
  }
} finally {
  await viewer.close();
}
