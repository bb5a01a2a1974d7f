/** Two recordings side by side: the selection is compared with a second file. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { later } from "../../test/kit/jfr/later.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { drawnFrames, hoverBox } from "../kit/flame.ts";
import { type Dropped, drop, expect, fromDisk, openFixture, test } from "../kit/page.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));
const SHOP = fixture("shop.jfr");
const CHUNKS = fixture("shop-chunks.jfr");

test("another file is chosen in the comparison, and each side has its own sums", async ({ page }) => {
  const [own, base] = await Promise.all([coreOf([SHOP]), coreOf([CHUNKS])]);
  const ofOwn = own.select(profileIn(own, "cpu").id, {});
  const ofBase = base.select(profileIn(base, "cpu").id, {});
  await openFixture(page, SHOP, "#type=cpu");
  await page.getByTestId("view-diff").click();
  await page.getByTestId("compare-input").setInputFiles(CHUNKS);
  await expect(page.getByTestId("diff-base")).toHaveAttribute("data-exact", ofBase.value.toString());
  await expect(page.getByTestId("diff-own")).toHaveAttribute("data-exact", ofOwn.value.toString());
  await expect(page.getByTestId("baseline")).toHaveValue("file:shop-chunks.jfr");
  await expect(page.getByTestId("chip")).toHaveText("fileshop.jfr");
  await expect(page).toHaveURL(/#.*baseline=file%3Ashop-chunks\.jfr/);

  // The functions of both, as the core adds them up for each file alone.
  await page.getByTestId("diff-shape").getByText("functions").click();
  const first = page.getByTestId("changed-row").first();
  await expect(first).toHaveAttribute("data-id", /./);
  const name = (await first.getAttribute("data-id")) ?? "";
  const share = (core: typeof own, whole: bigint) => {
    const row = core.views.top("self", 0, 1e5).rows.find((each) => each.name === name);
    return `${((100 * Number(row?.self ?? 0n)) / Number(whole)).toFixed(1)}`;
  };
  const cells = await first.getByRole("gridcell").allInnerTexts();
  expect([cells[0], cells[1]].map((text) => Number.parseFloat(text ?? "").toFixed(1))).toEqual([
    share(own, ofOwn.value),
    share(base, ofBase.value),
  ]);
  await page.getByTestId("changed").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-sandwich")).toHaveAttribute("aria-selected", "true");
});

test("one of several files is looked at alone, and its chip goes like any other", async ({ page }) => {
  const core = await coreOf([SHOP]);
  const { samples } = core.select(profileIn(core, "cpu").id, {});
  await page.goto("./#type=cpu&view=flame");
  const again = { ...fromDisk(SHOP), bytes: later(readFileSync(SHOP)) };
  await drop(page, fromDisk(SHOP), fromDisk(CHUNKS), again);
  await page.getByTestId("files-merge").click();
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await page.getByTestId("files").click();
  await page.getByRole("button", { name: "Show only shop.jfr (2)" }).click();
  await expect(page.getByTestId("chip")).toHaveText("fileshop.jfr (2)");
  await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", samples.toString());
  await page.getByTestId("chip").getByRole("button").click();
  await expect(page.getByTestId("chip")).toHaveCount(0);
});

/** Opens one run, then the comparison with another one. */
async function compareRuns(page: Page, own: Dropped, base: Dropped): Promise<void> {
  await page.goto("./#type=cpu&view=diff");
  await drop(page, own);
  await page.getByTestId("compare-input").setInputFiles({
    name: base.name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(base.bytes),
  });
  await expect(page.getByTestId("baseline")).toHaveValue(`file:${base.name}`);
  await expect(page.getByTestId("diff-legend")).toBeAttached();
}

const detail = (page: Page) => page.getByTestId("frame-detail");

test("B5: lambdas of two runs of an application are the same functions in their comparison", async ({ page }) => {
  const [one, other] = ["recorded/dd152-jdk17-all.jfr", "recorded/dd152-jdk17-remotesym.jfr"].map(fixture);
  const lambda = "demo.Shop$$Lambda.run";
  const shareIn = async (path: string) => {
    const core = await coreOf([path]);
    const { id, value } = profileIn(core, "cpu");
    core.select(id, {});
    const row = core.views.top("total", 0, 1e5).rows.find(({ name }) => name === lambda);
    return Number(row?.total ?? 0n) / Number(value);
  };
  const [own, base] = [await shareIn(one!), await shareIn(other!)];
  expect(Math.min(own, base)).toBeGreaterThan(0.1);
  await compareRuns(page, fromDisk(one!), fromDisk(other!));

  // One box below each caller, and it has samples of both runs.
  const boxes = async () => (await drawnFrames(page)).filter(({ name }) => name === lambda);
  await expect.poll(async () => (await boxes()).length).toBeGreaterThan(0);
  const paths = (await boxes()).map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  await hoverBox(page, lambda);
  await expect(detail(page)).toContainText(/selection [1-9].* baseline [1-9]/);

  // With names as recorded nothing below a lambda can be compared.
  await page.getByTestId("view-menu").click();
  await page.getByTestId("raw-names").check();
  await page.keyboard.press("Escape");
  const raw = async () => (await drawnFrames(page)).map(({ name }) => name).find((name) => name.includes("$$Lambda$"));
  await expect.poll(raw).toBeDefined();
  await hoverBox(page, (await raw()) ?? "");
  await expect(detail(page)).toContainText(/selection 0 %|baseline 0 %/);
});

test("B5: proxies, hidden classes and accessors of two runs are the same functions, too", async ({ page }) => {
  const run = (name: string, numbers: [proxy: number, accessor: number, hidden: string]): Dropped => {
    const [proxy, accessor, hidden] = numbers;
    const frames = [
      { className: "shop/Prices", method: "of" },
      { className: `jdk/proxy2/$Proxy${proxy}`, method: "find" },
      { className: `jdk/internal/reflect/GeneratedMethodAccessor${accessor}`, method: "invoke" },
      { className: `shop/Cart$$Lambda/${hidden}`, method: "run" },
      { className: "shop/Main", method: "main" },
    ];
    const samples = Array.from({ length: 40 }, (_, i) => ({ at: BigInt(i) * 1_000_000n, stack: { frames } }));
    return { name, bytes: buildChunk(cpuChunk(samples)).bytes };
  };
  await compareRuns(
    page,
    run("monday.jfr", [47, 12, "0x00007f0f5c004220"]),
    run("tuesday.jfr", [51, 9, "0x00007efde0006870"]),
  );
  const names = async () => (await drawnFrames(page)).map(({ name }) => name);
  const generated = [
    "shop.Cart$$Lambda.run",
    "jdk.internal.reflect.GeneratedMethodAccessor.invoke",
    "jdk.proxy.$Proxy.find",
  ];
  await expect.poll(names).toEqual(["all", "shop.Main.main", ...generated, "shop.Prices.of"]);
  for (const name of generated) {
    await hoverBox(page, name);
    await expect(detail(page)).toContainText(/selection 100 % .*baseline 100 % /);
  }
});

test("lambdas that a build renumbered are the same functions, with the former name in their details", async ({
  page,
}) => {
  const run = (name: string, numbers: [parse: number, draw: number]): Dropped => {
    const callees = ["parse", "draw"];
    const samples = Array.from({ length: 40 }, (_, i) => {
      const frames = [
        { className: "shop/Prices", method: callees[i % 2]! },
        { className: "shop/Main", method: `lambda$main$${numbers[i % 2]}` },
        { className: "shop/Main", method: "main" },
      ];
      return { at: BigInt(i) * 1_000_000n, stack: { frames } };
    });
    return { name, bytes: buildChunk(cpuChunk(samples)).bytes };
  };
  await compareRuns(page, run("new.jfr", [2, 3]), run("old.jfr", [1, 2]));
  const lambdas = async () =>
    (await drawnFrames(page)).map(({ name }) => name).filter((name) => name.includes("lambda"));
  await expect
    .poll(async () => (await lambdas()).sort())
    .toEqual(["shop.Main.lambda$main$2", "shop.Main.lambda$main$3"]);
  await hoverBox(page, "shop.Main.lambda$main$3");
  await expect(detail(page)).toContainText(/selection 50\.0 % .*baseline 50\.0 % .*, as shop\.Main\.lambda\$main\$2/);

  await page.getByTestId("diff-shape").getByText("functions").click();
  const row = page.getByTestId("changed-row").filter({ hasText: "baseline: shop.Main.lambda$main$1" });
  await expect(row).toHaveAttribute("data-id", "shop.Main.lambda$main$2 shop.Main.lambda$main$1");
});
