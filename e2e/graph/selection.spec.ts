/** The header of the selection, and the samples of a trace in every profile's tab. */
import { answersOf } from "../../test/kit/page-answers.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import {
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  openFixture,
  rankRow,
  showProfile,
  showView,
  tab,
  test,
  valueRow,
} from "../kit/page.ts";

const SHOP_FILE = fixture("shop.jfr");
const DD = fixture("recorded/dd152-jdk17-all.jfr");
const [ROOT, CELLS] = Object.entries(SHOP.localRoots).find(([, cells]) => cells.wall && cells.cpu) ?? ["", {}];
const core = await coreOf([DD]);

const header = "selection";
/** More than the recording has. */
const ROOTS = 10_000;

test("M3: the tabs count the samples of the filters in every profile, and lose them with the filters", async ({
  page,
}) => {
  await openFixture(page, SHOP_FILE, "#type=cpu&by=root");
  await rankRow(page, ROOT).click();
  for (const type of ["cpu", "wall", "alloc-samples"]) {
    const { samples } = profileOf(SHOP, type);
    await expect(tab(page, type).locator("span").first()).toContainText(`${CELLS[type]?.samples ?? 0} / ${samples}`);
  }
  await page.getByTestId("clear").click();
  await expect(tab(page, "wall").locator("span").first()).not.toContainText("/");
});

test("M3: a pasted trace opens on Wall; a later click on a root does not change the profile", async ({ page }) => {
  await openFixture(page, SHOP_FILE, "#by=root");
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
  await find(page, ROOT);
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, CELLS.wall ?? { samples: -1, value: -1 });
  await page.getByTestId("list-toggle").click();
  await showProfile(page, "cpu");
  await expectTotals(page, CELLS.cpu ?? { samples: -1, value: -1 });
  const [other, cells] = heaviest(SHOP.localRoots, "cpu").find(([id]) => id !== ROOT) ?? ["", null];
  // Until then the list is that of the profile before.
  await expect(rankRow(page, other).getByTestId("rank-samples")).toHaveAttribute("data-exact", `${cells?.samples}`);
  await rankRow(page, other).click();
  await expectTotals(page, cells ?? { samples: -1, value: -1 });
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
});

test("a link to a trace opens on Wall unless it names a profile", async ({ page }) => {
  await openFixture(page, SHOP_FILE, `#by=root&root=${ROOT}`);
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
  await page.goto("about:blank");
  await openFixture(page, SHOP_FILE, `#type=cpu&by=root&root=${ROOT}`);
  await expect(page.getByTestId("split-wall")).toBeVisible();
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
});

test("M4: the header of a root: endpoint, extent over all profiles, threads, spans, ids, a bar each", async ({
  page,
}) => {
  const { id: cpu } = profileIn(core, "cpu");
  core.select(cpu, {});
  const how = { sort: "weight", about: ["trace endpoint"] } as const;
  const roots = core.views.rank({ kind: "local-root" }, 0, ROOTS, how).rows;
  // The first request of the page's list, so that the row is in view; its duration is that of the list.
  const { spans: answers } = await answersOf(DD, null, true);
  const requests = await answers.ask("regionSpans", [{ choice: {}, sort: "duration", reversed: false }, 0, ROOTS]);
  const longest = requests.rows.find(({ id }) => roots.some((each) => each.id === id));
  const root = roots.find(({ id }) => id === longest?.id);
  const filter = { localRoot: root!.id };
  core.select(null, filter);
  const spans = core.views.rank({ kind: "span" }, 0, 1).count;
  const counts = core.profiles().flatMap(({ id, type }) => {
    const { samples } = core.select(id, filter);
    return samples === 0 ? [] : [[type, samples] as const];
  });

  await openFixture(page, DD, "#type=cpu&by=root");
  await rankRow(page, String(root!.id)).click();
  await expect(page.getByTestId("selection-name")).toHaveText(root!.about);
  const length = String(longest!.duration);
  await expect(page.getByTestId("selection-extent")).toHaveAttribute("data-exact", length);
  const shown = page.getByTestId(header);
  await expect(shown.getByText("Spans").locator("xpath=following-sibling::dd")).toHaveText(String(spans));
  await expect(shown.locator("code")).toHaveText([String(root!.id), `0x${root!.id.toString(16).padStart(16, "0")}`]);
  for (const [type, samples] of counts) await expect(page.getByTestId(`split-${type}`)).toContainText(String(samples));
  await expect(shown.getByRole("list", { name: "Samples in each profile" }).getByRole("listitem")).toHaveCount(
    counts.length,
  );

  // The same on another profile, by its bar.
  const [other] = counts.find(([type]) => type !== "cpu") ?? [""];
  await page.getByTestId(`split-${other}`).click();
  await expect(tab(page, other)).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("selection-extent")).toHaveAttribute("data-exact", length);
});

test("M4: both forms of the id can be copied by key", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFixture(page, SHOP_FILE, `#type=cpu&by=root&root=${ROOT}`);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByTestId("copy-decimal-id").press("Enter");
  await expect.poll(copied).toBe(ROOT);
  await page.getByTestId("selection-more").press("Enter");
  await page.getByTestId("copy-hex-id").press("Enter");
  await expect.poll(copied).toBe(`0x${BigInt(ROOT).toString(16).padStart(16, "0")}`);
});

test("the header has the samples of a value, or of other filters in words, and is not there without a filter", async ({
  page,
}) => {
  await openFixture(page, SHOP_FILE, "#type=cpu&by=operation");
  const [value, cell] = Object.entries(profileOf(SHOP, "cpu").attributes.operation ?? {})[0] ?? ["", { samples: -1 }];
  await valueRow(page, value).click();
  await expect(page.getByTestId("selection-name")).toHaveText(value);
  await expect(page.getByTestId(header)).toContainText(`${cell.samples} of ${profileOf(SHOP, "cpu").samples}`);
  await page.getByTestId("clear").click();
  await expect(page.getByTestId(header)).toHaveCount(0);
  const shop = await coreOf([SHOP_FILE]);
  const { id, samples } = profileIn(shop, "cpu");
  shop.select(id, {});
  const pattern = shop.views.top("self", 0, 1).rows[0]!.name.split(".").at(-1)!;
  const found = shop.select(id, { frames: [{ pattern }] });
  expect(found.samples).toBeLessThan(samples);
  await find(page, `/${pattern}/`);
  await expect(page.getByTestId("selection-name")).toHaveText(`frame /${pattern}/`);
  await expect(page.getByTestId(header)).toContainText(`${found.samples} of ${samples}`);
});

test("a range of time has a header at every width, which leads to where its time went", async ({ page }) => {
  const [row] = (await coreOf([SHOP_FILE])).views.timeRows();
  const middle = (row!.from + row!.to) / 2n;
  await openFixture(page, SHOP_FILE, `#type=wall&view=flame&time=${middle}-${row!.to}`);
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await showView(page, "flame");
    await expect(page.getByTestId("selection-name")).toHaveText(/^time /);
    await expect(page.getByTestId(header)).toHaveAttribute("aria-busy", "false");
    await page.screenshot({ path: test.info().outputPath(`range-${width}.png`) });
    await page.getByTestId("selection-time").click();
    await expect(page.getByRole("heading", { name: "Where the time went: the selection" })).toBeVisible();
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(over, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test("two CPU profiles are named by their producer", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, fromDisk(DD), fromDisk(fixture("recorded/jdk17-profile.jfr")));
  await expect(page.getByRole("tab", { name: /^CPU · Datadog/ })).toBeVisible();
  await page.getByTestId("profiles-menu").click();
  await expect(page.getByRole("menuitemcheckbox", { name: /^CPU · JDK/ })).toBeVisible();
});
