/** The search box: ids in many forms, type-ahead by keyboard, commands. */
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, heaviest, profileOf, SHOP } from "../kit/expected.ts";
import { chips, expect, expectTotals, find, openFixture, tab, test } from "../kit/page.ts";

const SHOP_FILE = fixture("shop.jfr");
const DD = fixture("recorded/dd152-jdk17-all.jfr");
const [ROOT = ""] = heaviest(SHOP.localRoots, "cpu")[0] ?? [];
const HEX = BigInt(ROOT).toString(16).padStart(16, "0");
const [SPAN = ""] = Object.entries(SHOP.spans).find(([id, { root }]) => root === ROOT && id !== ROOT) ?? [];
const SPAN_HEX = BigInt(SPAN).toString(16).padStart(16, "0");
const CPU = profileOf(SHOP, "cpu");

const FORMS: [name: string, text: string][] = [
  ["traceparent", `00-6b00b70500000000${HEX}-${SPAN_HEX}-01`],
  ["tracestate", `tracestate: dd=s:1;p:${HEX};t.dm:-4`],
  ["Datadog headers", `x-datadog-trace-id: ${ROOT}\nx-datadog-parent-id: 12`],
  ["log line", `2026-11-22 12:58:12 INFO dd.service=shop dd.trace_id=6b00b70500000000${HEX} dd.span_id=${SPAN} paid`],
  ["JSON", `{"traceId":"6b00b70500000000${HEX}","spanId":"${SPAN_HEX}"}`],
  ["B3", `b3: 6b00b70500000000${HEX}-${SPAN_HEX}-1`],
  ["uber-trace-id", `uber-trace-id: ${HEX}:${SPAN_HEX}:0:1`],
  ["X-Ray", `Root=1-6b00b705-00000000${HEX};Parent=${SPAN_HEX};Sampled=1`],
  ["UUID", `6b00b705-0000-0000-${HEX.slice(0, 4)}-${HEX.slice(4)}`.toUpperCase()],
  ["address", `https://app.datadoghq.com/apm/trace/6b00b70500000000${HEX}?spanID=${SPAN}`],
  ["label", `local root span id: ${ROOT}`],
];

test("M10: an id that is pasted in any of its forms leads to the trace", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  for (const [name, text] of FORMS) {
    await test.step(name, async () => {
      await find(page, text);
      await expect(chips(page)).toHaveText([`request${ROOT}`]);
      await expectTotals(page, SHOP.localRoots[ROOT]?.wall ?? { samples: -1, value: -1 });
      await page.getByTestId("clear").click();
      await expect(chips(page)).toHaveCount(0);
    });
  }
});

test("M10: words find endpoints, operations and functions with counts; Enter takes the first", async ({ page }) => {
  const core = await coreOf([DD]);
  const key = "trace endpoint";
  core.select(null, {});
  const [endpoint] = core.views.rank({ kind: "attribute", key }, 0, 1, { sort: "samples" }).rows;
  const totals = core.select(profileIn(core, "cpu").id, { attributes: [{ key, value: endpoint!.label }] });

  await openFixture(page, DD, "#type=cpu");
  await page.keyboard.press("Control+k");
  const box = page.getByRole("combobox", { name: "Search traces, endpoints and functions" });
  await expect(box).toBeFocused();
  await page.keyboard.type(endpoint!.label.slice(-6).toUpperCase());
  const row = page.getByRole("group", { name: "Endpoints" }).getByRole("option").first();
  await expect(row).toContainText(endpoint!.label);
  await expect(row).toContainText(`${endpoint!.samples} samples`);
  await expect(row).toHaveAttribute("aria-selected", "true");
  await expect(box).toHaveAttribute("aria-activedescendant", (await row.getAttribute("id")) ?? "none");
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveText([`${key} =${endpoint!.label}`]);
  await expectTotals(page, totals);
  await expect(page.getByTestId("find-panel")).toHaveCount(0);
});

test("Enter waits for what is being looked up", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  const [operation = ""] = Object.keys(CPU.attributes.operation ?? {});
  await find(page, operation);
  await expect(chips(page)).toHaveText([`operation =${operation}`]);
});

test("arrows go through the rows, Escape clears, a function is highlighted in the graph", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  const box = page.getByTestId("id-input");
  const [name = ""] = Object.entries(CPU.self).sort(([, a], [, b]) => b.samples - a.samples)[0] ?? [];
  await box.fill(name);
  const row = page.getByRole("group", { name: "Functions" }).getByRole("option").first();
  await expect(row).toContainText(name);
  for (let i = 0; i < 100 && (await row.getAttribute("aria-selected")) !== "true"; i++) await box.press("ArrowDown");
  await expect(row).toHaveAttribute("aria-selected", "true");
  await box.press("ArrowUp");
  await box.press("ArrowDown");
  await box.press("Enter");
  await expect(page.getByTestId("search-found")).not.toHaveText("…");
  await expect(page.locator("g.frame[data-match]").first()).toBeAttached();
  await box.pressSequentially("half a na");
  await expect(page.getByTestId("find-panel")).toBeVisible();
  await box.press("Escape");
  await expect(page.getByTestId("find-panel")).toHaveCount(0);
  await expect(box).toHaveValue("");
  await expect(box).toBeFocused();
});

test("commands are found by their words and run", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("show profile wall");
  await page.keyboard.press("Enter");
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.type("call tree");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("view-tree")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.type("export");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("export-dialog")).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByTestId("find-panel")).toHaveCount(0);
});

test("M11: a trace id of 128 bits that no sample carries is explained, with the way to the right id", async ({
  page,
}) => {
  await openFixture(page, SHOP_FILE);
  await find(page, "6b00b705000000000cb2a068373f9c72");
  const help = page.getByTestId("trace-help");
  await expect(page.getByTestId("no-samples")).toContainText("The recording does not have this trace id");
  await expect(help).toContainText("no trace id of 128 bits");
  await expect(help).toContainText("0x0cb2a068373f9c72");
  await expect(help.getByRole("heading", { level: 4 })).toHaveText(["Datadog", "Grafana Tempo", "Jaeger"]);
  await expect(help.getByRole("listitem")).toHaveCount(6);
  await expectNothingByAxe(page);
});

test("M11: a trace id whose lower half is a root opens that, by paste and by link, and the page says so", async ({
  page,
}) => {
  await openFixture(page, SHOP_FILE);
  await find(page, `6b00b70500000000${HEX}`);
  await expect(chips(page)).toHaveText([`request${ROOT}`]);
  await expect(page.getByTestId("toast")).toContainText("Found by the lower 64 bits of the trace id");
  await page.goto("about:blank");
  await openFixture(page, SHOP_FILE, `#root=6b00b70500000000${HEX}`);
  await expect(chips(page)).toHaveText([`request${ROOT}`]);
  await expect(tab(page, "wall")).toHaveAttribute("aria-selected", "true");
});

test("an id that is typed says what is known of it, or why nothing is, before Enter", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  const row = page.getByRole("group", { name: "Trace or span" }).getByRole("option");
  await page.getByTestId("id-input").fill(HEX);
  await expect(row).toContainText(/\d+pricing\.compute · ≥ [\d.]+ m?s · \d+ samples · \d+ spans?$/);
  await page.getByTestId("id-input").fill("6b00b705000000000cb2a068373f9c72");
  await expect(row).toContainText(/know the id|carries/);
});

test("a text that nothing matches is said to match nothing", async ({ page }) => {
  await openFixture(page, SHOP_FILE);
  await page.getByTestId("id-input").fill("qqqq");
  await expect(page.getByTestId("find-none")).toHaveText('No trace, endpoint, function or command matches "qqqq"');
  await expect(page.getByTestId("id-input")).toHaveAttribute("aria-expanded", "false");
});

test("axe finds nothing against the list, in either theme; it fits a phone", async ({ page }) => {
  await openFixture(page, DD);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.getByTestId("id-input").fill("s");
    await expect(page.getByTestId("find-row").first()).toBeVisible();
    await expectNothingByAxe(page, { without: [GRAPH] });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  // The panel is placed after the window has its new width.
  await expect(async () => {
    const panel = await page.getByTestId("find-panel").boundingBox();
    expect(panel!.x).toBeGreaterThanOrEqual(0);
    expect(panel!.x + panel!.width).toBeLessThanOrEqual(390);
  }).toPass();
});
