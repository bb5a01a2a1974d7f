/** Collapsed runs of frames: presets, the user's rule, opening by click and by key, the address, undo. */
import type { Page } from "@playwright/test";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { byPath, drawnFrames } from "../kit/flame.ts";
import { chips, drop, expect, expectTotals, inFlame, openFixture, showView, test } from "../kit/page.ts";

const CPU = profileOf(SHOP, "cpu");
const names = async (page: Page) => (await drawnFrames(page)).map(({ name }) => name);
const frameNamed = (page: Page, name: string) => page.getByTestId("flame").locator(`g.frame[aria-label="${name}"]`);
const current = (page: Page) => page.getByTestId("frame-detail").locator("bdi");

test("a preset and a rule make one frame of a run; Enter and a click open it", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("view-menu").click();
  await page.getByTestId("collapse-jdk").check();
  await expect.poll(() => names(page)).toContain("JDK · 1");
  await page.getByTestId("collapse-carrier").check();
  await expect(chips(page)).toHaveText(["collapsedJDK", "withoutCarrier"]);
  await expect(page).toHaveURL(/collapse=jdk&collapse=carrier/);
  await page.getByTestId("collapse-carrier").uncheck();
  await expect(chips(page)).toHaveText(["collapsedJDK"]);
  await page.getByTestId("rule-name").fill("Shop");
  await page.getByTestId("rule-pattern").fill("^shop\\.");
  await page.getByTestId("rule-pattern-do").click();
  await expect(chips(page)).toHaveText(["collapsedJDK", "collapsedShop"]);
  await expect.poll(async () => (await names(page)).filter((name) => /^Shop · \d+$/.test(name)).length).toBe(2);
  await expectTotals(page, CPU);
  await expect(page).toHaveURL(/collapse=jdk&collapse=Shop%3D/);
  await page.keyboard.press("Escape");

  // The rule's run below JDK opens by key; the one below [truncated] stays.
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(current(page)).toHaveText(/^Shop · \d+$/);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await names(page)).filter((name) => /^Shop · \d+$/.test(name)).length).toBe(1);
  await expect(page).toHaveURL(/opened=Shop%3DJDK/);
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await openFixture(page, fixture("shop.jfr"), hash);
  await expect.poll(async () => (await names(page)).filter((name) => /^Shop · \d+$/.test(name)).length).toBe(1);
});

test("a click opens a run, undo closes it, and without its chips the tree is whole", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await expect.poll(() => names(page)).toContain("java.lang.Thread.run");
  const whole = byPath(await drawnFrames(page));
  await page.getByTestId("view-menu").click();
  await page.getByTestId("collapse-jdk").check();
  await page.keyboard.press("Escape");
  const run = page.getByTestId("flame").getByRole("treeitem", { name: "JDK · 1", exact: true });
  await run.first().click();
  await expect.poll(() => names(page)).toContain("java.lang.Thread.run");
  await page.keyboard.press("Control+z");
  await expect.poll(() => names(page)).not.toContain("java.lang.Thread.run");
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Show its frames" }).click();
  await expect.poll(() => names(page)).toContain("java.lang.Thread.run");
  await chips(page).first().getByRole("button").click();
  await expect.poll(async () => byPath(await drawnFrames(page))).toEqual(whole);
});

test("a run opens in the tree by Enter and by a click, and in Top its functions take its place", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"), "#type=cpu&collapse=jdk&collapse=Shop%3D%5Eshop%5C.");
  await showView(page, "tree");
  const rows = page.getByTestId("tree-row");
  const run = rows.filter({ hasText: /JDK · 1/ });
  await expect(run.first()).toBeVisible();
  await page.getByTestId("tree").focus();
  await page.keyboard.press("Home");
  await expect(run.first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(rows.first()).toContainText("java.lang.Thread.run");
  await expect(page).toHaveURL(/opened=JDK%3D/);
  // Its arrow opens the rows below a run, the name the run itself.
  const shop = rows.filter({ hasText: /Shop · \d+/ }).first();
  await shop.locator("[class*=name]").first().click();
  await expect(page).toHaveURL(/opened=Shop%3D/);
  await expect(rows.filter({ hasText: "shop.Shop" }).first()).toBeVisible();

  await showView(page, "top");
  const row = page.getByTestId("top-row").filter({ hasText: "collapsed run" }).filter({ hasText: "Shop" });
  await expect(row).toHaveCount(1);
  await row.dblclick();
  await expect(row).toHaveCount(0);
  await expect(chips(page)).toHaveText(["collapsedJDK"]);
});

test("findings see the functions inside collapsed runs", async ({ page }) => {
  await page.goto("./?sample#type=cpu&view=overview&inferred=no");
  const findings = page.getByTestId("finding").locator("strong");
  await expect(findings.first()).toBeVisible();
  const names = await findings.allInnerTexts();
  await page.goto("about:blank");
  await page.goto("./?sample#type=cpu&view=overview&collapse=jdk&inferred=no");
  await expect(chips(page)).toHaveText(["collapsedJDK"]);
  await expect(findings.first()).toBeVisible();
  await expect(findings).toHaveText(names);
});

test("truncated stacks are last, left out, or begin at the root", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  const tops = async () => (await drawnFrames(page)).filter(({ depth }) => depth === 1).map(({ name }) => name);
  await expect.poll(tops).toEqual(["java.lang.Thread.run", "[truncated]"]);
  const whole = CPU.stacks.filter(({ truncated }) => !truncated);
  const value = whole.reduce((sum, each) => sum + each.value, 0);
  const samples = whole.reduce((sum, each) => sum + each.samples, 0);
  const choose = async (label: string) => {
    await page.getByTestId("view-menu").click();
    await page.getByTestId("truncated").getByText(label, { exact: true }).click();
    await page.keyboard.press("Escape");
  };
  await choose("Exclude");
  await expectTotals(page, { samples, value });
  await expect.poll(tops).toEqual(["java.lang.Thread.run"]);
  await expect(chips(page)).toHaveText(["without[truncated]"]);
  await choose("At the root");
  await expectTotals(page, CPU);
  await expect.poll(tops).toEqual(["java.lang.Thread.run", "shop.Shop$Json.nest"]);
  await expect(chips(page)).toHaveText(["merged[truncated]"]);
  await choose("Separate");
  await expect(chips(page)).toHaveCount(0);
  await showView(page, "tree");
  await expect(page.getByTestId("tree-row").first()).toContainText("java.lang.Thread.run");
});

const SERVED = ["java.lang.Thread.run", "org.apache.tomcat.Worker.run", "jakarta.servlet.http.HttpServlet.service"];
const PREFIX = "Thread pool › Web server · 3";
const CALLS = `${[...SERVED, "shop.Orders.get"].join(";")} 90\n${[...SERVED, "shop.Carts.get;shop.Db.ask"].join(";")} 10\n`;

test("the frames of a server that all samples begin with are one frame, which a click or a key opens", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("./#view=flame");
  await drop(page, { name: "calls.folded", bytes: Buffer.from(CALLS) });
  const folded = ["all", PREFIX, "shop.Orders.get", "shop.Carts.get", "shop.Db.ask"];
  await expect.poll(() => names(page)).toEqual(folded);
  await expectTotals(page, { samples: 2, value: 100 });
  // A copied stack has the recorded frames.
  await page.getByTestId("flame").focus();
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
  await expect(current(page)).toHaveText("shop.Orders.get");
  await page.keyboard.press("c");
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(["shop.Orders.get", ...SERVED.toReversed()].join("\n"));
  // So is a frame that is searched for.
  await page.getByTestId("search").fill("HttpServlet");
  await expect(page.locator("g[data-match]")).toHaveAttribute("aria-label", PREFIX);
  await page.getByTestId("search").fill("");
  // By key, and out of it again.
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect.poll(() => names(page)).toEqual([...SERVED, ...folded.slice(2)]);
  await page.keyboard.press("Backspace");
  await expect.poll(() => names(page)).toEqual(folded);
  // Above a zoom the frames are one as well.
  await frameNamed(page, "shop.Carts.get").click();
  await expect.poll(() => names(page)).toEqual(["shop.Carts.get", "shop.Db.ask"]);
  await expect(page.getByTestId("breadcrumb")).toContainText(PREFIX);
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toEqual(folded);

  await page.getByTestId("view-menu").click();
  await page.getByTestId("folded-prefix").uncheck();
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toEqual(["all", ...SERVED, ...folded.slice(2)]);
  await expect(page).toHaveURL(/prefix=shown/);
  await expect(page.getByTestId("legend")).toContainText("Libraries100 % (self 0 %)");
});

test("the prefix has the runs of presets that the reader has collapsed", async ({ page }) => {
  await page.goto("./#view=flame&collapse=jdk");
  const jdk = CALLS.replaceAll("java.lang.Thread.run;", "java.lang.Thread.run;java.lang.Thread.runWith;");
  await drop(page, { name: "calls.folded", bytes: Buffer.from(jdk) });
  await expect
    .poll(() => names(page))
    .toEqual(["all", "Web server · 3", "shop.Orders.get", "shop.Carts.get", "shop.Db.ask"]);
  await page.getByTestId("flame").press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect
    .poll(() => names(page))
    .toEqual(["JDK · 2", ...SERVED.slice(1), "shop.Orders.get", "shop.Carts.get", "shop.Db.ask"]);
});

test("the tree and the comparison have the same frame, and the same setting shows what is in it", async ({ page }) => {
  await page.goto("./#search=servlet&view=tree");
  await drop(page, { name: "calls.folded", bytes: Buffer.from(CALLS) });
  const rows = page.getByTestId("tree-row");
  await expect(rows).toHaveText([`100100 %${PREFIX}`, /shop\.Orders\.get/, /shop\.Carts\.get/]);
  // A frame that is searched for is in it, and no step of the search leaves it.
  await expect(rows.first().locator("[data-match]")).toHaveCount(1);
  await page.getByTestId("tree").focus();
  await page.keyboard.press("n");
  await expect(rows.first()).toHaveAttribute("aria-selected", "true");
  // No function has its name.
  await page.keyboard.press("s");
  await page.keyboard.press("ArrowLeft");
  await expect(rows).toHaveCount(1);
  await page.keyboard.press("ArrowRight");
  await expect(rows).toHaveCount(3);
  await page.keyboard.press("Enter");
  await expect(rows).toHaveText([...SERVED, "shop.Orders.get", "shop.Carts.get"].map((name) => new RegExp(`${name}$`)));
  await expect(page).toHaveURL(/prefix=shown/);

  await page.getByTestId("search").fill("");
  await showView(page, "diff");
  await page.getByTestId("compare-input").setInputFiles({
    ...{ name: "other.folded", mimeType: "text/plain" },
    buffer: Buffer.from(CALLS.replace(" 90", " 30")),
  });
  await expect.poll(() => names(page)).toEqual(["all", ...SERVED, "shop.Orders.get", "shop.Carts.get", "shop.Db.ask"]);
  await page.getByTestId("view-menu").click();
  await page.getByTestId("folded-prefix").check();
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toEqual(["all", PREFIX, "shop.Orders.get", "shop.Carts.get", "shop.Db.ask"]);
  await page.getByTestId("flame").focus();
  await page.keyboard.press("ArrowDown");
  await expect(current(page)).toHaveText(PREFIX);
  await expect(page.getByTestId("frame-detail")).toContainText(/selection 100 %.*baseline 100 %.* 0\.0 pp/);
});

test("few samples have a prefix as well, in graph, callers, sandwich and tree", async ({ page }) => {
  const few = `${CALLS}C2Compiler::compile_method 900\n`;
  await page.goto("./#view=flame");
  await drop(page, { name: "calls.folded", bytes: Buffer.from(few) });
  const own = ["shop.Orders.get", "shop.Carts.get", "shop.Db.ask"];
  const compiler = "C2Compiler::compile_method";
  await expect.poll(() => names(page)).toEqual(["all", compiler, PREFIX, ...own]);
  await expectTotals(page, { samples: 3, value: 1000 });
  await page.getByTestId("grouping").getByText("Callers").click();
  const inverted = ["all", compiler, "shop.Orders.get", "shop.Db.ask", PREFIX, "shop.Carts.get", PREFIX];
  await expect.poll(() => names(page)).toEqual(inverted);
  await frameNamed(page, PREFIX).first().click();
  await expect.poll(() => names(page)).toEqual(SERVED.toReversed());
  await showView(page, "tree");
  const rows = page.getByTestId("tree-row");
  await expect(rows.nth(1)).toContainText(PREFIX);
  await page.getByTestId("tree").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect(rows).toHaveText([/compile_method$/, new RegExp(`${PREFIX}$`), /Orders.get$/, /Carts.get$/]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("s");
  const callers = page.getByTestId("callers-of").locator("g.frame");
  const labels = () => callers.evaluateAll((frames) => frames.map((frame) => frame.getAttribute("aria-label")));
  await expect.poll(labels).toEqual(["shop.Orders.get", PREFIX]);
  await expect(page.getByTestId("callers-of")).toHaveAttribute("data-total", "90");
  await callers.last().click();
  await expect.poll(labels).toEqual(["shop.Orders.get", ...SERVED.toReversed()]);
});

test("frames of profilers are one frame until the setting shows them, and the sums stay", async ({ page }) => {
  const stacks = [
    "main;com.acme.Cart.check;CTimer::signalHandler;Profiler::recordSample;memcpy 300",
    "main;com.acme.Cart.check 700",
  ];
  const bytes = Buffer.from(`${stacks.join("\n")}\n`);
  await page.goto("./#view=flame");
  await drop(page, { name: "self.collapsed", bytes });
  await expect.poll(() => names(page)).toContain("Profiler");
  expect(await names(page)).not.toContain("memcpy");
  await expect(page.getByTestId("legend")).toContainText("Profiler, folded");
  await showView(page, "tree");
  await showView(page, "flame");
  await page.getByTestId("view-menu").click();
  await expect(page.getByTestId("folded-profiler")).toBeChecked();
  await page.getByTestId("folded-profiler").uncheck();
  await page.keyboard.press("Escape");
  await expect.poll(() => names(page)).toContain("memcpy");
  expect(await names(page)).not.toContain("Profiler");
  await expect(page.getByTestId("legend")).not.toContainText("folded");
  await expect(page).toHaveURL(/profiler=shown/);
  const { hash } = new URL(page.url());
  await page.goto("about:blank");
  await page.goto(`./${inFlame(hash)}`);
  await drop(page, { name: "self.collapsed", bytes });
  await expect.poll(() => names(page)).toContain("CTimer::signalHandler");
  await page.getByTestId("view-menu").click();
  await page.getByTestId("folded-profiler").check();
  await page.keyboard.press("Escape");

  // A click opens one run; the table has the functions, those of the profiler last.
  await page.getByTestId("flame").getByRole("treeitem", { name: "Profiler", exact: true }).click();
  await expect.poll(() => names(page)).toContain("memcpy");
  await showView(page, "top");
  await expect(page.getByTestId("top-row").last()).toContainText(/signalHandler|recordSample/);
});
