import type { Page } from "@playwright/test";
import { coreOf, profileIn, rootsBy } from "../kit/core.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import { drawnFrames } from "../kit/flame.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  openFixture,
  rankBy,
  rankRow,
  showProfile,
  tab,
  test,
  valueRow,
} from "../kit/page.ts";

const CPU = profileOf(SHOP, "cpu");
const ROOTS = heaviest(SHOP.localRoots, "cpu");
const [ROOT, ROOT_CELL] = ROOTS[0] ?? ["", { samples: 0, value: 0 }];
/** A pasted trace opens on Wall. */
const ROOT_WALL = SHOP.localRoots[ROOT]?.wall ?? { samples: 0, value: 0 };

/** What `Class.getName()` says, as it is written in Java. */
const JAVA_NAMES: Record<string, string> = {
  "[B": "byte[]",
  "[I": "int[]",
  "[Ljava.lang.Object;": "java.lang.Object[]",
};

const open = (page: Page) => openFixture(page, fixture("shop.jfr"), "#by=root&sort=weight");

/** The total of the graph: the value of its topmost frame. */
async function expectGraphTotal(page: Page, words: string): Promise<void> {
  await expect(page.getByTestId("frame-detail")).toContainText(`all${words} · self`);
}

test("each local root leaves exactly its samples, in every profile", async ({ page }) => {
  await open(page);
  for (const type of ["cpu", "wall", "alloc-samples"]) {
    await showProfile(page, type);
    const roots = heaviest(SHOP.localRoots, type);
    await expect(page.getByText(`${roots.length} requests`)).toBeVisible();
    for (const [id, cell] of roots) {
      await rankRow(page, id).click();
      await expectTotals(page, cell);
    }
    await page.getByTestId("clear").click();
    await expectTotals(page, profileOf(SHOP, type));
  }
});

test("roots stand heaviest first, with samples, weight and share", async ({ page }) => {
  await open(page);
  const rows = page.getByTestId("rank-row");
  await expect(rows).toHaveCount(ROOTS.length);
  for (const [index, [id, { samples, value }]] of ROOTS.entries()) {
    await expect(rows.nth(index)).toHaveAttribute("data-id", id);
    const row = rows.nth(index);
    await expect(row.getByTestId("rank-samples")).toHaveAttribute("data-exact", String(samples));
    await expect(row.getByTestId("rank-value")).toHaveText(String(value));
  }
});

test("the graph's total is the root's, and a second click lets go of it", async ({ page }) => {
  await open(page);
  await expectGraphTotal(page, `${CPU.value} samples by weight`);
  await rankRow(page, ROOT).click();
  await expectTotals(page, ROOT_CELL);
  await expectGraphTotal(page, `${ROOT_CELL.value} samples by weight`);
  await expect(rankRow(page, ROOT)).toHaveAttribute("aria-selected", "true");
  await rankRow(page, ROOT).click();
  await expectTotals(page, CPU);
});

test("the span picker lists the spans of the root, and each leaves its own samples", async ({ page }) => {
  await open(page);
  await rankRow(page, ROOT).click();
  await page.getByRole("tab", { name: "Spans" }).click();
  const spans = heaviest(SHOP.spans, "cpu").filter(([id]) => SHOP.spans[id]?.root === ROOT);
  await expect(page.getByTestId("rank-row")).toHaveCount(spans.length);
  for (const [id, cell] of spans) {
    await rankRow(page, id).click();
    await expectTotals(page, cell);
  }
  await expect(chips(page)).toHaveCount(2);
});

test("every span of the recording can be pasted, also one without a root", async ({ page }) => {
  await open(page);
  const roots = new Set(Object.keys(SHOP.localRoots));
  for (const [id, cell] of heaviest(SHOP.spans, "cpu").filter(([span]) => !roots.has(span))) {
    await find(page, id);
    await expectTotals(page, SHOP.spans[id]?.wall ?? cell);
    await expect(chips(page)).toHaveText([`span${id}`]);
  }
});

test("ids are taken in decimal, 0x-hex and hex with letters; digits alone are decimal", async ({ page }) => {
  await open(page);
  const hex = BigInt(ROOT).toString(16);
  for (const text of [ROOT, `0x${hex}`, `0x${hex.toUpperCase()}`, hex.padStart(16, "0"), `  ${hex} `]) {
    await find(page, text);
    await expect(chips(page)).toHaveText([`request${ROOT}`]);
    await expectTotals(page, ROOT_WALL);
    await page.getByTestId("clear").click();
    await expectTotals(page, profileOf(SHOP, "wall"));
  }
  await find(page, "1234567890123456");
  await expect(chips(page)).toHaveText(["span1234567890123456"]);
});

test("a pasted id needs no Enter", async ({ page }) => {
  await open(page);
  await page.getByTestId("id-input").focus();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, ROOT);
  await expectTotals(page, ROOT_WALL);
});

test("what is no id is refused with the reason, and changes nothing", async ({ page }) => {
  await open(page);
  for (const [text, reason] of [
    ["not an id", /^No trace, endpoint, function or command matches "not an id"$/],
    ["18446744073709551616", /matches "18446744073709551616"$/],
  ] as const) {
    await find(page, text);
    await expect(page.getByRole("alert")).toHaveText(reason);
    await expectTotals(page, CPU);
  }
  await page.getByTestId("id-input").press("Escape");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByTestId("id-input")).toHaveValue("");
});

test("an unknown id says so and offers the way out", async ({ page }) => {
  await open(page);
  await find(page, "0xdeadbeefdeadbeef");
  await expect(page.getByTestId("no-samples")).toContainText("The recording does not have this span id");
  await expectTotals(page, { samples: 0, value: 0 });
  await expect(page.getByTestId("no-samples")).toContainText("No sample carries the id");
  await page.getByRole("button", { name: "Clear the filters" }).click();
  await expectTotals(page, CPU);
});

test("a span without samples in this profile says where it has some", async ({ page }) => {
  await open(page);
  const [id, span] = Object.entries(SHOP.spans).find(([, s]) => s.cpu === undefined && s.wall !== undefined) ?? [];
  if (id === undefined || span?.wall === undefined) throw new Error("no such span in the shop");
  await find(page, id);
  await expectTotals(page, span.wall);
  await showProfile(page, "cpu");
  await expect(page.getByTestId("no-samples")).toBeVisible();
  await page.getByRole("button", { name: `Wall: ${span.wall.samples} samples` }).click();
  await expectTotals(page, span.wall);
  await showProfile(page, "lock-contention");
  await expect(page.getByTestId("no-samples")).toContainText("No Locks samples in this span");
});

test("Locks of a thread that only waits for signals says that these are no contention", async ({ page }) => {
  await page.goto("./#type=lock-contention&view=flame&attr=thread.name=heartbeat");
  await drop(page, fromDisk(fixture("planted/jfr-monitor.jfr.gz")));
  const empty = page.getByTestId("no-samples");
  await expect(empty).toContainText(/Not contention: \d+ calls of Object\.wait/);
  await expect(empty).not.toContainText("No such event was recorded");
  await expect(empty.getByRole("button", { name: /^Locks/ })).toHaveCount(0);
});

test("shares of Locks are of contention, in the list of threads and of all of it", async ({ page }) => {
  await page.goto("./#type=lock-contention&view=flame");
  await drop(page, fromDisk(fixture("recorded/jdk17-profile.jfr")));
  await expect(page.getByRole("status").filter({ hasText: "of the profile" })).toContainText("100 % of the profile");
  const shares = async () => {
    const texts = await page.getByTestId("rank-share").allTextContents();
    return texts.reduce((sum, text) => sum + Number.parseFloat(text), 0);
  };
  await expect.poll(shares).toBeGreaterThan(99);
  expect(await shares()).toBeLessThan(101);
});

test("each value of each attribute leaves its samples", async ({ page }) => {
  await open(page);
  for (const [key, values] of Object.entries(CPU.attributes)) {
    await rankBy(page, key);
    // A number that is 0 is no attribute.
    for (const [value, cell] of Object.entries(values).filter(([text]) => text !== "0")) {
      await valueRow(page, value).click();
      await expectTotals(page, cell);
    }
    await page.getByTestId("clear").click();
    await expectTotals(page, CPU);
  }
});

test("samples without a span are a filter, chosen and removed with the keyboard", async ({ page }) => {
  const cell = CPU.withoutIds;
  await open(page);
  await page.getByTestId("coverage").press("Enter");
  const choice = page.getByTestId("no-span");
  await expect(choice).toHaveText(new RegExp(`^Only samples without a span: ${cell.samples}, `));
  await page.keyboard.press("Tab");
  await expect(choice).toBeFocused();
  await page.keyboard.press("Enter");
  await expectTotals(page, cell);
  await expect(choice).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(chips(page)).toHaveText(/^withoutspan/);
  await expect(page).toHaveURL(/#.*no-span=yes/);

  // The list still has all roots, and one of them takes the filter's place.
  await rankRow(page, ROOT).click();
  await expectTotals(page, ROOT_CELL);
  await page.keyboard.press("Control+z");
  await expectTotals(page, cell);
  await page.getByTestId("chip").getByRole("button").press("Delete");
  await expectTotals(page, CPU);
});

test("a link to a span and to samples without one tells why nothing is left", async ({ page }) => {
  await page.goto(`./#root=${ROOT}&no-span=yes`);
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expect(page.getByTestId("no-samples")).toContainText("is without a span");
  await expect(page.getByTestId("no-samples")).toContainText("these filters exclude each other");
  await expect(page.getByTestId("chip")).toHaveCount(2);
});

test("only attributes that the profile has are offered", async ({ page }) => {
  await open(page);
  const keys = page.getByTestId("attribute-key").locator("option");
  await expect(keys.filter({ hasText: "tenant" })).toHaveCount(1);
  await expect(keys.filter({ hasText: "alloc.class" })).toHaveCount(0);
  await showProfile(page, "alloc-samples");
  await expect(keys.filter({ hasText: "alloc.class" })).toHaveCount(1);
  await rankBy(page, "alloc.class");
  for (const [name, cell] of Object.entries(profileOf(SHOP, "alloc-samples").objectClasses ?? {})) {
    await valueRow(page, JAVA_NAMES[name] ?? name).click();
    await expectTotals(page, cell);
  }
});

test("chips add up, and each can be removed", async ({ page }) => {
  await open(page);
  await find(page, "operation=rank.score");
  const ofOperation = CPU.attributes.operation?.["rank.score"] ?? ROOT_CELL;
  await expectTotals(page, ofOperation);
  const tenant = "東京書店";
  await find(page, `tenant=${tenant}`);
  await expect(chips(page)).toHaveText(["operation =rank.score", `tenant =${tenant}`]);
  await expect(page.getByTestId("total-samples")).not.toHaveAttribute("data-exact", String(ofOperation.samples));
  const both = Number(await page.getByTestId("total-samples").getAttribute("data-exact"));
  // The spans that rank for this tenant, one by one, are what both filters leave.
  await page.getByRole("tab", { name: "Spans" }).click();
  const spans = async () => {
    const rows = page.getByTestId("rank-row");
    const ids = await rows.evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.id ?? ""));
    return ids.map((id) => SHOP.spans[id]);
  };
  await expect.poll(async () => (await spans()).reduce((sum, span) => sum + (span?.cpu?.samples ?? 0), 0)).toBe(both);
  for (const span of await spans()) expect(span?.operation).toBe("rank.score");
  await page.getByRole("button", { name: "Remove operation = rank.score" }).click();
  await expectTotals(page, CPU.attributes.tenant?.[tenant] ?? ROOT_CELL);
  await page.getByTestId("clear").click();
  await expectTotals(page, CPU);
});

test("a change of profile keeps the filters; Back and Forward undo and redo", async ({ page }) => {
  await open(page);
  await rankRow(page, ROOT).click();
  await expectTotals(page, ROOT_CELL);
  const wall = SHOP.localRoots[ROOT]?.wall ?? ROOT_CELL;
  await showProfile(page, "wall");
  await expectTotals(page, wall);
  await expect(chips(page)).toHaveText([`request${ROOT}`]);
  await expect(page).toHaveURL(/type=wall/);
  await page.goBack();
  await expectTotals(page, ROOT_CELL);
  await page.goBack();
  await expectTotals(page, CPU);
  await page.goForward();
  await page.goForward();
  await expectTotals(page, wall);
});

test("the address keeps profile, filters and zoom over a reload", async ({ page }) => {
  await page.goto("./?sample#view=flame");
  await showProfile(page, "wall");
  const totals = page.getByTestId("total-samples");
  const whole = (await totals.getAttribute("data-exact")) ?? "";
  await page.getByTestId("rank-row").first().click();
  await expect(chips(page)).toHaveCount(1);
  // The graph of the row, not the one before.
  await expect(totals).not.toHaveAttribute("data-exact", whole);
  await page.getByTestId("flame").locator("g.frame").nth(3).click();
  await expect(page.getByTestId("breadcrumb")).toBeVisible();
  const state = async () => ({
    samples: await totals.getAttribute("data-exact"),
    chips: await chips(page).allInnerTexts(),
    trail: await page.getByTestId("breadcrumb").textContent(),
    frames: (await drawnFrames(page)).length,
  });
  const before = await state();
  await expect(page).toHaveURL(/focus=/);
  await page.reload();
  await expect(page.getByTestId("breadcrumb")).toBeVisible();
  await expect.poll(state).toEqual(before);
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
});

test("the chip of a request has both ends of its id and its button in view at every width", async ({ page }) => {
  await openFixture(page, fixture("traces/ddctx-jdk17.jfr"), "#root=309392735852943735");
  const chip = page.getByTestId("chip");
  await expect(chip).toContainText("309392735852943735");
  for (const width of [390, 1024, 1160, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const end = chip.getByText("52943735", { exact: true });
    await expect(end).toBeInViewport({ ratio: 1 });
    await expect(chip.getByRole("button")).toBeInViewport({ ratio: 1 });
    const isCut = () =>
      chip.evaluate((element) => {
        const list = element.parentElement!.getBoundingClientRect();
        const head = element.querySelector("bdi > span")!.getBoundingClientRect();
        return element.getBoundingClientRect().right > list.right || head.width < 16;
      });
    await expect.poll(isCut, `at ${width} px`).toBe(false);
  }
});

test("a link may have more requests than the first part of the core selects by", async ({ page }) => {
  const path = fixture("recorded/ddagent-jdk17.jfr");
  const core = await coreOf([path]);
  const localRoot = rootsBy(core, "cpu", 0)
    .slice(0, 6)
    .map(({ id }) => id);
  const totals = core.select(profileIn(core, "cpu").id, { localRoot });
  await openFixture(page, path, `#type=cpu&view=flame&${localRoot.map((id) => `root=${id}`).join("&")}`);
  await expect(chips(page)).toHaveCount(localRoot.length);
  await expectTotals(page, totals);
});
