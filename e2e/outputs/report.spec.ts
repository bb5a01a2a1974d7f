/** The report, exported from the page and opened from disk in a browser without a network. */
import { mkdtemp, readFile, rm, writeFile as save } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Locator, Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { answersOf } from "../../test/kit/page-answers.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import { dialog, exportFile, openExport, writeFile } from "../kit/export.ts";
import { allShown, drop, expect, openFixture, tabTo, test } from "../kit/page.ts";

const SAMPLE = new URL("../../public/sample.jfr", import.meta.url).pathname;
const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const WORKER = { attributes: [{ key: "thread.name", value: "worker-1" }] };
const HASH = "#type=cpu&attr=thread.name%3Dworker-1";

interface Opened {
  report: Page;
  /** Requests, messages and breaches of its policy: the list must be empty. */
  faults: string[];
}

/** The file as a recipient of a mail opens it. */
async function opened(
  browser: Browser,
  bytes: Uint8Array,
  use: (opened: Opened) => Promise<void>,
  colorScheme: "light" | "dark" = "light",
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "spanflame-report-"));
  const context = await browser.newContext({ offline: true, colorScheme });
  try {
    const path = join(folder, "report.html");
    await save(path, bytes);
    const report = await context.newPage();
    const faults: string[] = [];
    report.on("console", (message) => faults.push(message.text()));
    report.on("pageerror", (error) => faults.push(String(error)));
    report.on("request", (request) => {
      if (request.url() !== pathToFileURL(path).href) faults.push(`request to ${request.url()}`);
    });
    await report.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => console.error(event.violatedDirective));
    });
    await report.goto(pathToFileURL(path).href);
    await use({ report, faults });
    expect(faults).toEqual([]);
  } finally {
    await context.close();
    await rm(folder, { recursive: true });
  }
}

const boxes = (report: Page) => report.locator("#flame .box");
/** Its name leads the words for assistive technology. */
const box = (report: Page, name: string) => report.locator(`#flame .box[aria-label^="${name},"]`).first();

test("the report of what is filtered opens from disk: totals, filters, zoom, search, keys", async ({
  page,
  browser,
}) => {
  const core = await coreOf([AGENT]);
  const { id, value: whole } = profileIn(core, "cpu");
  const { samples, value } = core.select(id, WORKER);
  const { frames } = core.views.frames({ focus: 0, width: 1e9 });
  const pricing = core.views.search("Pricing");
  const top = core.views.top("self", 0, 3).rows;

  await openFixture(page, AGENT, HASH);
  const { name, bytes, said } = await exportFile(page, "format-html");
  expect(name).toBe("ddagent-jdk17.cpu.thread.name-worker-1.html");
  expect(said).toContain(`${samples} samples, ${frames.node.length} frames`);

  await opened(browser, bytes, async ({ report }) => {
    await expect(report).toHaveTitle("cpu · ddagent-jdk17.jfr");
    const totals = report.locator("#totals");
    await expect(totals).toHaveAttribute("data-samples", String(samples));
    await expect(totals).toHaveAttribute("data-value", String(value));
    await expect(totals).toContainText(`${((100 * Number(value)) / Number(whole)).toFixed(1)} % of the profile`);
    await expect(report.getByLabel("Active filters")).toHaveText("thread.name = worker-1");
    await expect(report.getByText(`${frames.node.length} frames, all shown`)).toBeVisible();
    await expect(boxes(report)).toHaveCount(frames.node.length);
    for (const [i, row] of top.entries()) {
      await expect(report.locator("#top tbody th").nth(i)).toHaveText(row.name);
    }

    // Search: the same share as the core's, nested frames counted once. Folded runs may have more.
    await report.keyboard.press("/");
    await report.keyboard.type("pricing");
    const share = ((100 * Number(pricing.value)) / Number(value)).toFixed(1);
    await expect(report.locator("#found")).toHaveText(`${pricing.frames} matches · at least ${share} % of total`);
    await expect(report.locator("[data-match]")).toHaveCount(pricing.frames);
    await report.keyboard.press("Enter");
    await expect(report.locator("#frame")).toContainText("Pricing");
    await report.locator("#search").fill("(");
    await expect(report.locator("#found")).toContainText("0 matches");
    await report.locator("#search").press("Escape");
    await expect(report.locator("#found")).toBeEmpty();

    // Zoom by pointer, and out by key.
    await expect(report.locator("#out")).toBeDisabled();
    await box(report, "demo.Shop.search").click();
    await expect(report.locator("#path [aria-current]")).toHaveText("demo.Shop.search");
    await expect(boxes(report).first()).toHaveAttribute("aria-label", /^demo\.Shop\.search,/);
    await tabTo(report, report.locator("#flame"));
    await report.keyboard.press("Escape");
    await expect(boxes(report)).toHaveCount(frames.node.length);
    await report.keyboard.press("Home");
    await report.keyboard.press("ArrowDown");
    await report.keyboard.press("Enter");
    await expect(report.locator("#path")).toBeVisible();
    await report.keyboard.press("Backspace");
    await expect(report.locator("#path")).toBeHidden();
    await expect(report.locator("[aria-selected=true]")).toHaveCount(1);
  });
});

test("M20: Share saves the report of the whole trace: extent, pauses, a graph for each of its profiles", async ({
  page,
  browser,
}) => {
  const core = await coreOf([AGENT]);
  const cpu = profileIn(core, "cpu");
  core.select(cpu.id, {});
  const [root] = core.views.rank({ kind: "local-root" }, 0, 1, { about: ["trace endpoint"] }).rows;
  const filter = { localRoot: root?.id ?? 0n };
  const counts = core.profiles().flatMap(({ id, type }) => {
    const { samples } = core.select(id, filter);
    return samples === 0 ? [] : [[type, samples] as const];
  });
  counts.sort(([one], [other]) => Number(other === "cpu") - Number(one === "cpu"));
  expect(counts.length).toBeGreaterThan(2);
  core.views.choose(null, filter, 0);
  const { pauses } = core.views.pauseCover(core.views.marks());
  const { spans } = await answersOf(AGENT, null, true);
  const time = await spans.ask("choiceTime", [{}, filter]);

  await openFixture(page, AGENT, `#type=cpu&root=${filter.localRoot}&view=overview`);
  const sentence = page.getByTestId("why-sentence");
  await expect(sentence).toHaveAttribute("aria-busy", "false");
  const told = (await sentence.textContent()) ?? "";
  const parts = (await page.getByTestId("request-bars").getByRole("listitem").allTextContents()).map((each) =>
    each.trim(),
  );
  await openExport(page, "all");
  await page.getByTestId("format-html").check({ force: true });
  const exported = (await writeFile(page)).bytes.toString();
  await page.getByTestId("export-close").click();
  await page.getByTestId("share").click();
  const waiting = page.waitForEvent("download");
  await page.getByTestId("share-report").click();
  const bytes = await readFile(await (await waiting).path());
  const undated = (html: string) => html.replace(/(Written by Spanflame \S+) on [^.]*/, "$1");
  expect(undated(bytes.toString())).toBe(undated(exported));
  await opened(browser, bytes, async ({ report }) => {
    await expect(report.locator("main h2").first()).toHaveText("Overview");
    await expect(report.locator("#sentence")).toHaveText(told);
    await expect(report.locator("#parts li")).toHaveText(parts);
    await expect(report.locator("h1")).toHaveText(`${root?.about} · ddagent-jdk17.jfr`);
    await expect(report.locator("table.profiles tbody tr")).toHaveCount(counts.length);
    const shown = report.locator(".totals");
    for (const [i, [type, samples]] of counts.entries()) {
      await expect(report.locator("table.profiles tbody th").nth(i)).toHaveText(new RegExp(`^${type}`));
      await expect(shown.nth(i)).toHaveAttribute("data-samples", String(samples));
      const flame = report.locator(i === 0 ? "#flame" : `#flame-${i + 1}`);
      await expect(flame.locator(".box").first()).toHaveAttribute("aria-label", /^all,/);
    }
    const fact = (name: string) => report.getByText(name, { exact: true }).locator("xpath=following-sibling::dd");
    await expect(fact("Duration")).toContainText(`${Math.round(Number(time?.duration) / 1e6)} ms`);
    await expect(fact("GC pauses")).toHaveText(pauses === 0 ? "none" : new RegExp(`^${pauses} pause`));
    // Each graph has a separate search.
    await report.locator("#search-2").fill("java");
    await expect(report.locator("#found-2")).toContainText("match");
    await expect(report.locator("#found")).toBeEmpty();
    await report.locator("#flame-2").press("Escape");
    await report.keyboard.press("/");
    await expect(report.locator("#search-2")).toBeFocused();
    await expectNothingByAxe(report);
  });
});

for (const [of, file, hash] of [
  ["a recording", SAMPLE, ""],
  ["a recording without ids", fixture("recorded/jdk17-profile.jfr"), ""],
  ["a request", AGENT, "request"],
] as const)
  test(`a report of ${of} begins with the words of its Overview`, async ({ page, browser }) => {
    let link = "#view=overview";
    if (hash === "request") {
      const core = await coreOf([file]);
      core.select(profileIn(core, "cpu").id, {});
      const [root] = core.views.rank({ kind: "local-root" }, 0, 1).rows;
      link += `&type=cpu&root=${root?.id}`;
    }
    await openFixture(page, file, link);
    const sentence = page.getByTestId("why-sentence");
    await expect(sentence).toHaveAttribute("aria-busy", "false");
    await expect(page.getByTestId("why-top")).toBeVisible();
    const texts = async (within: Locator) => (await within.allTextContents()).map((each) => each.trim());
    const told = {
      sentence: await texts(sentence),
      headline: await texts(page.getByTestId("why-headline")),
      bar: await texts(page.getByTestId("request-bars").getByRole("listitem")),
      pools: await texts(page.getByTestId("thread-pool").locator("> span:first-child")),
      findings: await texts(page.getByTestId("finding").locator("strong")),
      advice: await texts(page.getByTestId("finding").locator("div > p:last-child")),
      slowest: await page.getByTestId("slow-request").evaluateAll((rows) => rows.map((row) => row.dataset.id)),
      endpoints: await page.getByTestId("overview-endpoint").evaluateAll((rows) => rows.map((row) => row.dataset.id)),
    };
    const headings = await texts(page.getByTestId("why").getByRole("heading"));
    const { bytes } = await exportFile(page, "format-html");
    await opened(browser, bytes, async ({ report }) => {
      const words = {
        sentence: await texts(report.locator("#sentence")),
        headline: await texts(report.locator("#headline")),
        bar: await texts(report.locator("#parts li")),
        pools: await texts(report.locator("#pools tbody th")),
        findings: await texts(report.locator("#findings strong")),
        advice: await texts(report.locator("#findings p")),
        slowest: (await texts(report.locator("#slowest tbody td:last-child"))).map((id) => String(BigInt(`0x${id}`))),
        endpoints: await texts(report.locator("#endpoints tbody th")),
      };
      expect(words).toEqual(told);
      const shared = (await texts(report.getByRole("heading", { level: 2 }))).filter((each) => headings.includes(each));
      expect(shared).toEqual(headings.filter((each) => shared.includes(each)));
      expect(shared).toContain("Findings");
      await expectNothingByAxe(report);
    });
  });

const SERVED = ["java.lang.Thread.run", "org.apache.tomcat.Worker.run", "jakarta.servlet.http.HttpServlet.service"];
const PREFIX = "Thread pool › Web server · 3";

test("a prefix is one frame in report and picture, and a click or Enter opens it in the report", async ({
  page,
  browser,
}) => {
  await page.goto("./#view=flame");
  const stacks = `${[...SERVED, "shop.Orders.get"].join(";")} 10\nC2Compiler::compile_method 90\n`;
  await drop(page, { name: "calls.folded", bytes: Buffer.from(stacks) });
  await expect(page.getByTestId("flame").locator("g.frame")).toHaveCount(4);
  expect((await exportFile(page, "format-svg")).bytes.toString()).toContain(`<title>${PREFIX} · `);
  const { bytes } = await exportFile(page, "format-html");
  await opened(browser, bytes, async ({ report }) => {
    const labels = async () =>
      (await boxes(report).evaluateAll((all) => all.map((each) => each.ariaLabel?.split(",")[0]))).toSorted();
    const folded = ["C2Compiler::compile_method", PREFIX, "all", "shop.Orders.get"];
    await expect.poll(labels).toEqual(folded);
    await report.locator("#search").fill("HttpServlet");
    await expect(report.locator("[data-match]")).toHaveAttribute("aria-label", new RegExp(`^${PREFIX}`));
    await report.locator("#search").fill("");
    await box(report, PREFIX).click();
    await expect.poll(labels).toEqual([...SERVED, "shop.Orders.get"].toSorted());
    await tabTo(report, report.locator("#flame"));
    await report.keyboard.press("Backspace");
    await expect.poll(labels).toEqual(folded);
    await report.keyboard.press("Enter");
    await expect.poll(labels).toEqual([...SERVED, "shop.Orders.get"].toSorted());
    await box(report, "shop.Orders.get").click();
    await expect(report.locator("#path button")).toHaveText(["all", PREFIX]);
    await expectNothingByAxe(report);
  });
});

test("report and picture have the colours, the legend and the direction of the page", async ({ page, browser }) => {
  await openFixture(page, AGENT, `${HASH}&colour=origin&own=demo.&up=true`);
  const legend = page.getByTestId("legend").locator("button");
  await expect(legend.first()).toContainText("Application");
  const told = (await legend.allTextContents()).map((text) => text.replace(/(\D)([\d.]+ %)/, "$1 $2"));
  const ownColour = await page
    .getByTestId("flame")
    .locator('g.frame[aria-label="demo.Shop.search"] rect')
    .first()
    .evaluate((rect) => getComputedStyle(rect).fill);

  const { bytes } = await exportFile(page, "format-html");
  await opened(browser, bytes, async ({ report }) => {
    await expect(report.getByText("Coloured by origin of the code (application: demo.)")).toBeVisible();
    const rows = report.locator(".legend li");
    for (const words of told) await expect(rows.filter({ hasText: words })).toHaveCount(1);
    const swatch = rows.first().locator("rect");
    expect(await swatch.evaluate((rect) => getComputedStyle(rect).fill)).toBe(ownColour);
    const search = box(report, "demo.Shop.search");
    await expect(search).toHaveCSS("background-color", ownColour);
    // The root at the bottom, and Up away from it.
    const top = async (name: string) => (await box(report, name).boundingBox())?.y ?? 0;
    expect(await top("all")).toBeGreaterThan(await top("demo.Shop.search"));
    await tabTo(report, report.locator("#flame"));
    await report.keyboard.press("Home");
    await report.keyboard.press("ArrowUp");
    await expect(report.locator("[aria-selected=true]")).toHaveAttribute("aria-level", "2");
    await expectNothingByAxe(report);
  });

  const svg = (await exportFile(page, "format-svg")).bytes.toString("utf8");
  for (const words of told) expect(svg).toContain(`>${words}</text>`);
  const y = (name: string) => Number(new RegExp(`<title>${name} · .*?<rect x="[\\d.]+" y="([\\d.]+)"`).exec(svg)?.[1]);
  expect(y("all")).toBeGreaterThan(y("demo.Shop.search"));
});

test("a report of another grouping and of nothing found in it stays honest", async ({ page, browser }) => {
  await openFixture(page, AGENT, "#type=cpu&grouping=callers");
  const { bytes } = await exportFile(page, "format-html");
  await opened(browser, bytes, async ({ report }) => {
    await expect(report.getByText("callers, from the functions on top of the stacks")).toBeVisible();
    await report.locator("#search").fill("nothing is called this");
    await expect(report.locator("#found")).toContainText("0 matches");
    await expect(report.locator("#found")).toContainText("0 % of total");
  });
});

const EVIL = [
  "</script><script>document.title='owned'</script>",
  `<img src=x onerror="document.title='owned'">`,
  "<!--<script>",
  "a\u2028b\u202ec\u0000d",
];

test("names of a hostile recording are only ever text in it", async ({ page, browser }) => {
  const samples = EVIL.map((name, i) => ({
    stack: { frames: [{ className: "", method: name }] },
    thread: { javaName: name, javaId: BigInt(i + 1), osName: name, osId: BigInt(i + 1) },
    weight: 10n,
    span: BigInt(i + 1),
    root: BigInt(i + 1),
  }));
  await page.goto("./#view=flame");
  await drop(page, { name: `${EVIL[1]}.jfr`, bytes: buildChunk(cpuChunk(samples, {}, [])).bytes });
  await expect(page.getByTestId("flame").locator("g.frame")).toHaveCount(5);
  const { bytes } = await exportFile(page, "format-html");
  await opened(browser, bytes, async ({ report }) => {
    await expect(report).toHaveTitle(/^cpu · /);
    await expect(boxes(report)).toHaveCount(5);
    await expect(report.locator("script")).toHaveCount(2);
    await expect(report.locator("img, iframe")).toHaveCount(0);
    for (let i = 1; i < 5; i++) {
      await boxes(report).nth(i).click();
      await report.locator("#out").click();
    }
    await expect(report).toHaveTitle(/^cpu · /);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is the point
    expect(await report.evaluate(() => document.body.textContent)).not.toMatch(/[\u0000\u2028\u202e]/);
  });
});

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing in a report, ${scheme}`, async ({ page, browser }) => {
    await openFixture(page, AGENT, HASH);
    const { bytes } = await exportFile(page, "format-html");
    await opened(
      browser,
      bytes,
      async ({ report }) => {
        await box(report, "demo.Shop.search").click();
        await report.locator("#search").fill("Rank");
        await expect(report.locator("[data-match]").first()).toBeVisible();
        await expectNothingByAxe(report);
        for (const width of [360, 800]) {
          await report.setViewportSize({ width, height: 700 });
          const wide = await report.evaluate(() => document.documentElement.scrollWidth);
          expect(wide).toBeLessThanOrEqual(width);
        }
      },
      scheme,
    );
  });
}

test("the picture is well-formed, weighs what the core says, and follows the zoom", async ({ page }) => {
  const core = await coreOf([AGENT]);
  core.select(profileIn(core, "cpu").id, WORKER);
  const { frames } = core.views.frames({ focus: 0, width: 1568 });
  await openFixture(page, AGENT, HASH);
  const { name, bytes } = await exportFile(page, "format-svg");
  expect(name).toBe("ddagent-jdk17.cpu.thread.name-worker-1.svg");

  const read = (svg: Buffer) =>
    page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
      const drawn = [...parsed.querySelectorAll("g[data-value]")];
      return {
        errors: parsed.querySelectorAll("parsererror").length,
        values: drawn.map((element) => Number(element.getAttribute("data-value"))),
        tops: drawn.map((element) => Number(element.querySelector("rect")?.getAttribute("y"))),
        text: parsed.documentElement.textContent ?? "",
      };
    }, svg.toString("utf8"));
  const whole = await read(bytes);
  expect(whole.errors).toBe(0);
  expect([...whole.values].sort((a, b) => b - a)).toEqual([...frames.total].sort((a, b) => b - a));
  // Each level is part of the one above.
  const levels = [...new Set(whole.tops)].map((y) =>
    whole.values.reduce((sum, value, i) => sum + (whole.tops[i] === y ? value : 0), 0),
  );
  expect(levels[0]).toBe(frames.total[0]);
  for (const [i, level] of levels.entries()) if (i > 0) expect(level).toBeLessThanOrEqual(levels[i - 1] ?? 0);
  expect(whole.text).toContain("filtered: thread.name = worker-1");

  await page.getByTestId("flame").locator('g.frame[aria-label="demo.Shop.search"]').first().click();
  await expect(page.getByTestId("breadcrumb")).toBeVisible();
  const zoomed = await read((await exportFile(page, "format-svg")).bytes);
  expect(zoomed.text).toContain("zoomed to demo.Shop.search");
  expect(zoomed.values[0]).toBeLessThan(frames.total[0] ?? 0);
});

test("the PNG has twice the picture's size, in both colours", async ({ page }) => {
  await openFixture(page, AGENT, HASH);
  const svg = (await exportFile(page, "format-svg")).bytes.toString("utf8");
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg)?.map(Number) ?? [];
  const { name, bytes, said } = await exportFile(page, "format-png", "colours-dark");
  expect(name).toMatch(/\.png$/);
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([2 * (width ?? 0), 2 * (height ?? 0)]);
  expect(said).toContain(`${2 * (width ?? 0)} × ${2 * (height ?? 0)} pixels`);
  // Not an empty sheet: night at the edge, the frames inside.
  const colours = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? new Uint8ClampedArray();
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
    return { first: [...data.slice(0, 3)], seen: seen.size };
  }, bytes.toString("base64"));
  expect(colours.first).toEqual([20, 23, 27]);
  expect(colours.seen).toBeGreaterThan(20);
});

test("the dialog offers them by keyboard, and puts away what they have no place for", async ({ page }) => {
  await openFixture(page, AGENT, HASH);
  await openExport(page);
  await page.getByTestId("scope-all").check();
  await page.getByTestId("format-firefox").focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("format-html")).toBeChecked();
  await expect(page.getByTestId("scope-all")).toBeChecked();
  await expect(page.getByTestId("export-gzip")).toHaveCount(0);
  await expect(dialog(page).getByText("think before you share it")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByTestId("format-svg")).toBeChecked();
  await expect(page.getByTestId("scope-one")).toBeChecked();
  await expect(page.getByTestId("scope-all")).toBeDisabled();
  await expect(page.getByTestId("export-command")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  // No command writes a PNG, so there is none to copy.
  await expect(page.getByTestId("format-png")).toBeChecked();
  await expect(page.getByTestId("export-command")).toHaveCount(0);
  await page.keyboard.press("ArrowUp");
  await tabTo(page, page.getByTestId("colours-light"));
  await tabTo(page, page.getByTestId("export-download"));
  expect((await writeFile(page)).name).toMatch(/\.svg$/);
  await page.getByTestId("target-receiver").check();
  await expect(page.getByTestId("format-html")).toHaveCount(0);
  await expect(page.getByTestId("format-otlp")).toBeChecked();
});

test("a recording of many frames makes a report of a few megabytes", async ({ page, browser }) => {
  const samples = Array.from({ length: 25_000 }, (_, i) => ({
    stack: {
      frames: [
        { className: "deep", method: `leaf${i}` },
        { className: "deep", method: `root${i % 50}` },
      ],
    },
    thread: { javaName: "t", javaId: 1n, osName: "t", osId: 1n },
    weight: BigInt(1 + (i % 7)),
    span: 1n,
    root: 1n,
  }));
  const total = samples.reduce((sum, { weight }) => sum + Number(weight), 0);
  await page.goto("./#view=flame");
  await drop(page, { name: "wide.jfr", bytes: buildChunk(cpuChunk(samples, {}, [])).bytes });
  await allShown(page);
  const { bytes } = await exportFile(page, "format-html");
  expect(bytes.length).toBeLessThan(3_000_000);
  await opened(browser, bytes, async ({ report }) => {
    await expect(report.locator("#totals")).toHaveAttribute("data-value", String(total));
    await expect(report.getByText("20,000 of 25,051 frames")).toBeVisible();
    await report.locator("#search").fill("leaf");
    await expect(report.locator("#found")).toContainText("at least");
    expect(await boxes(report).count()).toBeLessThan(1200);
  });
});

test("report and picture draw every frame that is at least half a pixel wide", async ({ page, browser }) => {
  const samples = Array.from({ length: 1500 }, (_, i) => ({
    stack: {
      frames: [
        { className: "narrow", method: `leaf${i}` },
        { className: "wide", method: `root${i % 5}` },
      ],
    },
    weight: BigInt(1 + (i % 7)),
  }));
  const total = samples.reduce((sum, { weight }) => sum + Number(weight), 0);
  /** The root of the tree, the five roots, and the leaves. */
  const shownAt = (width: number) => 6 + samples.filter(({ weight }) => Number(weight) >= total / (2 * width)).length;
  await page.goto("./#view=flame");
  await drop(page, { name: "narrow.jfr", bytes: buildChunk(cpuChunk(samples)).bytes });
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", "1500");

  const svg = (await exportFile(page, "format-svg")).bytes.toString("utf8");
  expect(svg.split('<g data-kind="frame"').length - 1).toBe(shownAt(1568));

  const { bytes } = await exportFile(page, "format-html");
  await opened(browser, bytes, async ({ report }) => {
    const graph = report.locator("#flame");
    const width = await graph.evaluate((tree) => tree.clientWidth);
    const parts = await graph
      .locator("path")
      .evaluateAll((paths) => paths.reduce((n, path) => n + (path.getAttribute("d") ?? "").split("M").length - 1, 0));
    const markers = await graph.locator(".marker").count();
    expect(shownAt(width)).toBeGreaterThan(500);
    expect(parts + (await boxes(report).count()) - markers).toBe(shownAt(width));

    // The pointer and the keys reach a box that is part of a path.
    await report.locator("#flame").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await report.keyboard.press(key);
    const current = report.locator("#flame [aria-selected=true]");
    await expect(current).toHaveAttribute("aria-label", /^narrow\.leaf\d+, 7 samples by weight/);
    const place = await current.boundingBox();
    await report.keyboard.press("ArrowRight");
    await report.mouse.click((place?.x ?? 0) + (place?.width ?? 0) / 2, (place?.y ?? 0) + 5);
    await expect(report.locator("#path [aria-current]")).toHaveText(/^narrow\.leaf/);
    await expectNothingByAxe(report);
  });
});
