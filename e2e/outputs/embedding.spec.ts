/** The custom element `<span-flame>` in the example page, from the built package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type Page, test as plainTest } from "@playwright/test";
import { MESSAGES } from "../../test/kit/formats.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { type Element, embedded, listenTo, openEmbedded } from "../kit/embedded.ts";
import { fixture, heaviest, profileOf, RECORDED, SHOP } from "../kit/expected.ts";
import { byPath, clickBox, drawnFrames, expectProportions, expectTree, hoverBox, treeOf } from "../kit/flame.ts";
import { drop, expect, expectTotals, fromDisk, tab } from "../kit/page.ts";

const test = embedded();
const CPU = profileOf(SHOP, "cpu");
const SEARCH = "shop.Shop$Front.search";
const TO_SEARCH = ["java.lang.Thread.run", "shop.Shop$Worker.run", "shop.Shop$Front.handle", SEARCH];
const REAL = "recorded/dd122-jdk17-all.jfr";

for (const type of ["cpu", "wall"]) {
  test(`the frames of ${type} are those of its stacks, as wide as their values`, async ({ page }) => {
    const element = await openEmbedded(page);
    await element.evaluate((target: Element, wanted) => {
      target.type = wanted;
    }, type);
    await expectTotals(page, profileOf(SHOP, type));
    await expectTree(page, treeOf(profileOf(SHOP, type).stacks));
    expectProportions(await drawnFrames(page));
  });
}

/** Of the drawing: where there is no minimap, its place stays free. */
async function drawnWidth(page: Page): Promise<number> {
  return await page
    .getByTestId("flame")
    .locator("canvas")
    .evaluate((canvas) => canvas.clientWidth);
}

/** Leaves the second element of the example alone on the page, with a file. */
async function openAlone(page: Page, path: string): Promise<void> {
  await page.goto("./");
  await page.locator("#recording").evaluate((element) => element.remove());
  await page.locator("#file").setInputFiles(path);
  await expect(page.locator("#data g.frame").first()).toBeVisible();
}

// Of the second one most frames are too narrow to be drawn.
for (const [file, type, samples] of [
  [REAL, "wall", RECORDED[REAL]?.wall ?? 0],
  ["shop.jfr", "alloc-samples", profileOf(SHOP, "alloc-samples").samples],
] as const) {
  test(`in the same width it draws the same boxes of ${type} as the page, and hides as many`, async ({
    page,
    context,
  }) => {
    const own = await context.newPage();
    await own.goto(`${process.env.SPANFLAME_SITE}#view=flame`);
    await drop(own, fromDisk(fixture(file)));
    await tab(own, type).click();
    await expect(own.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
    const width = await drawnWidth(own);
    await openAlone(page, fixture(file));
    await page.locator("#data").evaluate(
      (element: Element, [wide, wanted]) => {
        element.type = wanted;
        // The place of the minimap is beside the graph.
        element.style.boxSizing = "content-box";
        element.style.width = `${wide + 16}px`;
      },
      [width, type] as const,
    );
    await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
    await expect.poll(() => drawnWidth(page)).toBe(width);
    const wanted = await drawnFrames(own);
    await expectTree(page, byPath(wanted));
    expect(await drawnFrames(page)).toHaveLength(wanted.length);
    const hidden = (await own.getByTestId("folded").getAttribute("data-exact")) ?? "";
    await expect(page.getByTestId("folded")).toHaveAttribute("data-exact", hidden);
  });
}

test("conditions select samples, and an id that is none is an error in the element", async ({ page }) => {
  const element = await openEmbedded(page);
  const errors = await listenTo(element, "error");
  const [[id, cell] = ["", { samples: 0, value: 0 }]] = heaviest(SHOP.localRoots, "cpu");
  await element.evaluate((target: Element, root) => target.setAttribute("local-root", root), id);
  await expectTotals(page, cell);
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await element.evaluate((target: Element) => target.setAttribute("local-root", "nonsense!"));
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "option.id");
  expect(await errors()).toMatchObject([{ code: "option.id" }]);
  await element.evaluate((target: Element) => {
    target.removeAttribute("local-root");
    target.filter = { spann: 1n } as NonNullable<Element["filter"]>;
  });
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "option.unknown");
  await element.evaluate((target: Element) => {
    target.filter = { frame: "Pricing" };
  });
  const pricing = CPU.stacks.filter(({ frames }) => frames.some((name) => name.includes("Pricing")));
  await expectTotals(page, {
    samples: pricing.reduce((sum, { samples }) => sum + samples, 0),
    value: pricing.reduce((sum, { value }) => sum + value, 0),
  });
  await element.evaluate((target: Element) => {
    target.filter = undefined;
    target.type = "nothing";
  });
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "option.type");
  await element.evaluate((target: Element) => {
    target.type = "cpu";
    target.measure = "bytes";
  });
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "option.measure");
  await element.evaluate((target: Element) => target.removeAttribute("measure"));
  await expectTotals(page, CPU);
  await expect(element.getByTestId("message")).toHaveCount(0);
});

test("a bad pattern is an error until the filter is another one, and its user can clear it", async ({ page }) => {
  const element = await openEmbedded(page);
  const frames = await drawnFrames(page);
  const filterBy = (frame?: string) =>
    element.evaluate((target: Element, pattern) => {
      target.filter = pattern === undefined ? {} : { frame: pattern };
    }, frame);
  const expectAll = async () => {
    await expect(element.getByTestId("message")).toHaveCount(0);
    await expectTotals(page, CPU);
    expect(await drawnFrames(page)).toEqual(frames);
  };
  const expectRefused = () => expect(element.getByTestId("message")).toHaveAttribute("data-code", "filter.pattern");
  await filterBy("(");
  await expectRefused();
  await filterBy();
  await expectAll();
  await filterBy("(");
  await expectRefused();
  await element.getByRole("button", { name: "Clear" }).click();
  await expectAll();
  await element.evaluate((target: Element) => target.setAttribute("view", "sandwich"));
  await expect(element.getByTestId("callers-of").locator("g.frame").first()).toBeVisible();
});

test("elements share a recording: one worker, one download, each its own conditions", async ({ page }) => {
  const downloads: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("recording.jfr")) downloads.push(request.url());
  });
  const first = await openEmbedded(page);
  const second = page.locator("#data");
  const samplesOf = (element: typeof first, { samples }: { samples: number }) =>
    expect(element.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples));
  await second.evaluate((target: Element) => {
    target.type = "wall";
    target.recording = document.querySelector<Element>("#recording")?.recording;
  });
  await samplesOf(second, profileOf(SHOP, "wall"));
  await second.evaluate((target: Element) => {
    target.filter = { frame: "(" };
  });
  await expect(second.getByTestId("message")).toHaveAttribute("data-code", "filter.pattern");
  await first.evaluate((target: Element) => target.setAttribute("view", "sandwich"));
  await expect(first.getByTestId("callers-of").locator("g.frame").first()).toBeVisible();
  await samplesOf(first, CPU);
  await expect(first.getByTestId("message")).toHaveCount(0);
  expect([page.workers().length, downloads.length]).toEqual([1, 1]);
  await first.evaluate((target: Element) => target.remove());
  await second.evaluate((target: Element) => {
    target.filter = undefined;
    target.type = "alloc-samples";
  });
  await samplesOf(second, profileOf(SHOP, "alloc-samples"));
  const [worker] = page.workers();
  const closed = new Promise((resolve) => worker?.once("close", resolve));
  await second.evaluate((target: Element) => target.remove());
  await closed;
});

test("a recording of the library's worker is shown by elements, also after its program has closed it", async ({
  page,
}) => {
  await openEmbedded(page);
  await page.evaluate(async () => {
    const { openInWorker } = await import(new URL("./spanflame/worker.js", location.href).href);
    const recording = await openInWorker(new URL("./recording.jfr", location.href));
    const elements = document.querySelectorAll<Element>("span-flame");
    for (const element of elements) element.recording = recording;
    elements[1]?.setAttribute("type", "wall");
    await new Promise((resolve) => elements[1]?.addEventListener("ready", resolve, { once: true }));
    recording.close();
    elements[0]?.setAttribute("type", "alloc-samples");
  });
  const samples = (element: string) => page.locator(element).getByTestId("total-samples");
  await expect(samples("#data")).toHaveAttribute("data-exact", String(profileOf(SHOP, "wall").samples));
  const { samples: allocated } = profileOf(SHOP, "alloc-samples");
  await expect(samples("#recording")).toHaveAttribute("data-exact", String(allocated));
  await expect(page.locator("#recording g.frame").first()).toBeVisible();
  await expect.poll(() => page.workers().length).toBe(1);
  await page.evaluate(() => document.querySelector("main")?.replaceChildren());
  await expect.poll(() => page.workers().length).toBe(0);
});

test("a missing file and one that is no recording are errors in the element", async ({ page, tolerated }) => {
  tolerated.add("404");
  await page.goto("./");
  const element = page.locator("#recording");
  await element.evaluate((target: Element) => {
    target.src = "./missing.jfr";
  });
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "src.status");
  await element.evaluate((target: Element) => {
    target.data = new Blob(["hello"]);
  });
  await expect(element.getByRole("alert")).toContainText("could not be read");
});

test("a worker that cannot be loaded is an error in the element", async ({ page, tolerated }) => {
  tolerated.add("ERR_FAILED");
  await page.route("**/viewer-worker.js", (route) => route.abort());
  await page.goto("./");
  await expect(page.locator("#recording").getByTestId("message")).toHaveAttribute("data-code", "worker.failed");
});

test("a click zooms in, the trail and Escape lead out, and events tell of both", async ({ page }) => {
  const element = await openEmbedded(page);
  const [zooms, selects] = [await listenTo(element, "zoom"), await listenTo(element, "select")];
  await clickBox(page, SEARCH);
  await expect(page.getByTestId("breadcrumb").getByRole("listitem")).toHaveCount(5);
  const value = treeOf(CPU.stacks)[["all", ...TO_SEARCH].join(" → ")];
  expect(await selects()).toMatchObject([
    { name: SEARCH, path: TO_SEARCH, value, total: CPU.value, unit: "samples", direction: "callees" },
  ]);
  await expect.poll(zooms).toEqual([{ path: TO_SEARCH, direction: "callees" }]);
  await page.getByTestId("flame").focus();
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("breadcrumb")).toHaveCount(0);
  await expect.poll(zooms).toHaveLength(2);
  expect((await zooms())[1]).toEqual({ path: [], direction: "callees" });
});

test("keys move through the frames, and the line and the tree say which is current", async ({ page }) => {
  await openEmbedded(page);
  const flame = page.getByTestId("flame");
  await page.locator("#recording").getByTestId("search").focus();
  // The tools, then the graph.
  await page.keyboard.press("Tab");
  await expect(flame).toBeFocused();
  for (const name of TO_SEARCH) {
    await page.keyboard.press("ArrowDown");
    await expect(page.getByTestId("frame-detail").locator("bdi")).toHaveText(name);
  }
  const id = await flame.locator("g[data-current]").getAttribute("id");
  expect(await flame.getAttribute("aria-activedescendant")).toBe(id);
  await page.keyboard.press("Shift+F10");
  await expect(page.getByTestId("frame-menu")).toBeVisible();
  await expect(page.getByRole("menuitem", { name: "Source links…" })).toHaveCount(0);
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Focus on this function" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(flame).toBeFocused();
  await page.keyboard.press("h");
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await page.getByTestId("undo").click();
  await expectTotals(page, CPU);
});

test("a search highlights frames; its key works inside of the element only", async ({ page }) => {
  const element = await openEmbedded(page);
  await page.locator("#tree").focus();
  await page.keyboard.press("/");
  await expect(page.locator("#tree")).toBeFocused();
  await page.getByTestId("flame").focus();
  await page.keyboard.press("/");
  await expect(page.getByTestId("search")).toBeFocused();
  // A slash is typed like any letter, and no letter is a shortcut of the page.
  const heard = await page.evaluateHandle(() => {
    const keys: string[] = [];
    addEventListener("keydown", ({ key }) => keys.push(key));
    return keys;
  });
  await page.keyboard.type("Front/");
  await expect(page.getByTestId("search")).toHaveValue("Front/");
  await page.keyboard.press("ArrowLeft");
  expect(await heard.jsonValue()).toEqual(["ArrowLeft"]);
  await page.getByTestId("search").fill("Front");
  await expect(page.getByTestId("search-found")).toContainText("%");
  const matches = treeOf(CPU.stacks);
  const wanted = Object.keys(matches).filter((path) => /Front[^→]*$/.test(path)).length;
  await expect(page.getByTestId("flame").locator("[data-match]:not([hidden])")).toHaveCount(wanted);
  await element.evaluate((target: Element) => {
    target.search = "Pricing";
  });
  await expect(page.getByTestId("search")).toHaveValue("Pricing");
});

test("the sandwich has callers and callees, and the view can be chosen from outside", async ({ page }) => {
  const element = await openEmbedded(page);
  await element.evaluate((target: Element) => {
    target.function = "shop.Shop$Pricing.compute";
    target.view = "sandwich";
  });
  const total = CPU.stacks
    .filter(({ frames }) => frames.includes("shop.Shop$Pricing.compute"))
    .reduce((sum, { value }) => sum + value, 0);
  await expect(page.getByTestId("callers-of")).toHaveAttribute("data-total", String(total));
  await expect(page.getByTestId("callees-of")).toHaveAttribute("data-total", String(total));
  await page.getByTestId("view").getByText("Flame").click();
  await expectTree(page, treeOf(CPU.stacks));
  await element.evaluate((target: Element) => {
    target.view = "reversed";
  });
  await expect
    .poll(async () => (await drawnFrames(page)).find(({ depth }) => depth === 1)?.name)
    .toBe(Object.entries(CPU.self).sort(([, a], [, b]) => b.value - a.value)[0]?.[0]);
});

test("a tooltip follows the pointer, with the styles of the element", async ({ page }) => {
  await openEmbedded(page);
  await hoverBox(page, SEARCH);
  const tip = page.locator("#recording").getByTestId("frame-tip");
  await expect(tip).toContainText(SEARCH);
  await expect(tip).toHaveCSS("position", "fixed");
});

test("buttons with an icon have a tooltip", async ({ page }) => {
  const element = await openEmbedded(page);
  await element.getByTestId("frame-drawer-open").hover();
  await expect(element.getByTestId("tip")).toHaveText("Callers, callees and actions of the frame (P)");
  await page.mouse.move(0, 0);
  await expect(element.getByTestId("tip")).toBeHidden();
});

test("it is light and dark as the page is, and as its theme says", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  const element = await openEmbedded(page);
  const fill = () => element.locator(`g.frame[aria-label="${SEARCH}"] rect`).getAttribute("fill");
  const light = await fill();
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(fill).not.toBe(light);
  await element.evaluate((target: Element) => {
    target.theme = "light";
  });
  await expect.poll(fill).toBe(light);
});

test("styles of the page come in by variables and parts only, and those of the element do not get out", async ({
  page,
}) => {
  const element = await openEmbedded(page);
  // The example sets a font by a variable, and slanted figures by a part.
  await expect(page.getByTestId("flame")).toHaveCSS("font-family", /^Georgia/);
  await expect(page.getByTestId("total-samples")).toHaveCSS("font-style", "italic");
  await expect(page.getByTestId("frame-detail")).toHaveCSS("font-style", "normal");
  const [before, after] = await page.evaluate(() => {
    const button = document.querySelector("#tree") ?? document.body;
    const { height, borderRadius } = getComputedStyle(button);
    document.querySelector("#recording")?.remove();
    const alone = getComputedStyle(button);
    return [`${height} ${borderRadius}`, `${alone.height} ${alone.borderRadius}`];
  });
  expect(before).toBe(after);
  await expect(element).toHaveCount(0);
  await expect(page.locator("#data")).toHaveCSS("font-size", "13px");
});

test("it follows its size, keeps its recording when moved, and ends its worker when removed", async ({ page }) => {
  const element = await openEmbedded(page);
  const width = () => page.getByTestId("flame").evaluate((host) => host.clientWidth);
  const wide = await width();
  await element.evaluate((target: Element) => {
    target.style.width = "50%";
  });
  await expect.poll(width).toBeLessThan(wide * 0.6);
  await expectTree(page, treeOf(CPU.stacks));
  const ready = await listenTo(element, "ready");
  await element.evaluate((target: Element) => document.querySelector("main")?.prepend(target));
  await expectTree(page, treeOf(CPU.stacks));
  expect(await ready()).toEqual([]);
  const [worker] = page.workers();
  const closed = new Promise((resolve) => worker?.once("close", resolve));
  await element.evaluate((target: Element) => target.remove());
  await closed;
});

test("a prepared tree is drawn by its values, with its unit", async ({ page }) => {
  await page.goto("./");
  await page.locator("#recording").evaluate((element) => element.remove());
  const element = page.locator("#data");
  const ready = await listenTo(element, "ready");
  await page.locator("#tree").click();
  await expectTree(page, {
    all: 1000,
    "all → parse": 700,
    "all → parse → readText": 300,
    "all → parse → readNumber": 250,
    "all → render": 300,
    "all → render → layOut": 120,
  });
  await expect(page.getByTestId("frame-detail")).toContainText("1,000 B");
  expect(await ready()).toMatchObject([{ type: "samples", unit: "bytes", value: "1000" }]);
  await element.evaluate((target: Element) => {
    target.data = { name: "all", children: [{ name: "half", value: 0.5 }] };
  });
  await expect(element.getByTestId("message")).toHaveAttribute("data-code", "data.tree");
});

test("hostile names in a prepared tree stay text", async ({ page }) => {
  await page.goto("./");
  const markup = `<img src=x onerror="document.title='owned'">`;
  await page.locator("#data").evaluate(
    (target: Element, names) => {
      target.data = { name: "all", children: names.map((name) => ({ name, value: 10 })) };
    },
    [markup, "total\u202egnp.elif", "Long".repeat(50_000), "line\nbreak\u0000", "__proto__"],
  );
  const frames = page.locator("#data g.frame");
  await expect(frames).toHaveCount(6);
  for (const frame of await frames.all()) await frame.hover();
  await expect(page.locator("img")).toHaveCount(0);
  await expect(page).toHaveTitle("A flame graph in a page");
  const seen = await page.locator("#data").evaluate((element: Element) => element.shadowRoot?.textContent ?? "");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
  expect(seen).not.toMatch(/[\u0000\u202e]/);
});

test("messages of OTLP and pprof are drawn like the recording that they are of", async ({ page }) => {
  await openAlone(page, fixture("shop.jfr"));
  const messages = await page.evaluate(async (formats) => {
    const { open } = await import("/spanflame/index.js" as string);
    const bytes = await (await fetch("./recording.jfr")).arrayBuffer();
    const cpu = (await open(new Uint8Array(bytes))).select("cpu");
    return formats.map((format) => [...cpu.write(format).bytes]);
  }, MESSAGES);
  for (const bytes of messages) {
    await page.locator("#data").evaluate((target: Element, plain) => {
      target.data = new Uint8Array(plain);
    }, bytes);
    await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", String(CPU.value));
    await expectTree(page, treeOf(CPU.stacks));
  }
});

const OTHER = { light: "dark", dark: "light" } as const;

for (const theme of ["light", "dark"] as const) {
  test(`axe finds nothing in graph, search and sandwich, ${theme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    const element = await openEmbedded(page);
    await page.getByTestId("search").fill("Front");
    await expect(page.getByTestId("search-found")).toContainText("%");
    await expectNothingByAxe(page);
    await element.evaluate((target: Element) => {
      target.view = "sandwich";
    });
    await expect(page.getByTestId("callees-of").locator("g.frame").first()).toBeVisible();
    await expectNothingByAxe(page, { without: [GRAPH] });
  });

  test(`axe finds nothing in the element without samples, while it loads and after an error, ${theme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme: theme });
    const element = await openEmbedded(page);
    await element.evaluate((target: Element) => target.setAttribute("local-root", "1"));
    await expect(page.getByTestId("no-samples")).toBeVisible();
    await expectNothingByAxe(page);
    await element.evaluate((target: Element) => {
      target.data = new Blob(["hello"]);
    });
    await expect(element.getByRole("alert")).toBeVisible();
    await expectNothingByAxe(page);
    // Colours of the element, on a page of the other scheme.
    await element.evaluate((target: Element, other) => target.setAttribute("theme", other), OTHER[theme]);
    await expect(element.getByRole("alert")).toBeVisible();
    await expectNothingByAxe(page);
    await page.route("**/recording.jfr*", () => {});
    await page.reload();
    await expect(element.getByRole("status")).toBeVisible();
    await expectNothingByAxe(page);
  });
}

plainTest("the first picture costs what the guide says", async () => {
  const guide = readFileSync(pathOf("../../docs/embedding.md"), "utf8");
  const packed = pathOf("../../dist-lib/");
  const sizes = {
    "`spanflame/viewer/element`": bytesOf(packed, "viewer-element.js"),
    "`spanflame/viewer`, without React": bytesOf(packed, "viewer.js"),
    worker: bytesOf(packed, "viewer-worker.js"),
    "decoder (`core.wasm`)": bytesOf(packed, "core.wasm"),
  };
  for (const [name, bytes] of Object.entries(sizes)) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
    const said = Number(/\| (\d+) \|/.exec(row)?.[1]);
    expect(Math.abs(bytes / 1000 - said), `${name}: ${bytes} bytes, and the guide says ${said} KB`).toBeLessThan(
      said * 0.05,
    );
  }
});

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Of a script with all that it imports at once, as a server would pack them. */
function bytesOf(folder: string, name: string, seen = new Set<string>()): number {
  if (seen.has(name)) return 0;
  seen.add(name);
  const file = readFileSync(join(folder, name));
  const imports = name.endsWith(".js")
    ? file.toString().matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    : [];
  let bytes = gzipSync(file, { level: 9 }).length;
  for (const [, imported = ""] of imports) bytes += bytesOf(folder, imported, seen);
  return bytes;
}
