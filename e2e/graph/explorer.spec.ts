/** What the explorer lists, in which order, and the ways out of it, held against the core asked in Node. */
import type { Page } from "@playwright/test";
import type { Core } from "../../src/core/core.ts";
import type { RankBy, RankHow, RankRow } from "../../src/core/types.ts";
import { durationWords } from "../../src/model/trace/operation-words.ts";
import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuChunk } from "../../test/kit/jfr/jfr-types.ts";
import { answersOf } from "../../test/kit/page-answers.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture } from "../kit/expected.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  fromDisk,
  listBy,
  openFixture,
  rankBy,
  rankRow,
  showProfile,
  tabTo,
  test,
  valueRow,
} from "../kit/page.ts";

const DD = fixture("recorded/dd152-jdk17-all.jfr");
const rows = (page: Page) => page.getByTestId("rank-row");
const list = (page: Page) => page.getByRole("listbox");

let core: Core;
test.beforeAll(async () => {
  core = await coreOf([DD]);
});

function ranked(type: string, by: RankBy, how: RankHow = {}): RankRow[] {
  core.select(profileIn(core, type).id, {});
  return core.views.rank(by, 0, 10_000, { requests: true, ...how }).rows;
}

/** The ids or names that the list shows, from its top on. */
async function expectFirst(page: Page, wanted: string[], of: "id" | "name"): Promise<void> {
  const shown = () =>
    of === "id"
      ? rows(page).evaluateAll((all) => all.map((row) => (row as HTMLElement).dataset.id ?? ""))
      : rows(page).locator("bdi:first-child").allTextContents();
  await expect.poll(async () => (await shown()).slice(0, wanted.length)).toEqual(wanted);
}

const ids = (of: readonly { id: bigint }[]) => of.slice(0, 10).map(({ id }) => String(id));
const labels = (of: RankRow[]) => of.slice(0, 10).map(({ label }) => label);

test("opens with what the profile has most to say by", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"), "#inferred=no");
  await expect(page.getByTestId("by-operation")).toHaveAttribute("aria-selected", "true");
  await showProfile(page, "lock-contention");
  await expect(page.getByTestId("by-thread")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("by-operation")).toHaveCount(0);
  // A list without rows can be opened, and gives the reason.
  await expect(page.getByTestId("by-span")).toHaveAttribute("data-tip", /Span ids come from a tracer/);
  await listBy(page, "span");
  await expect(page.getByRole("tabpanel", { name: "Spans" })).toContainText(
    "No sample of this profile carries a span id",
  );
});

test("each operation, endpoint and thread has its samples, weight, share and time, and leaves those", async ({
  page,
}) => {
  await openFixture(page, DD);
  for (const [name, by] of [
    ["operation", { kind: "attribute", key: "_dd.trace.operation" }],
    ["endpoint", { kind: "attribute", key: "trace endpoint" }],
    ["thread", { kind: "attribute", key: "thread.name" }],
  ] as const) {
    await listBy(page, name);
    const { id, value: whole } = profileIn(core, "cpu");
    const wanted = ranked("cpu", by);
    expect(wanted.length).toBeGreaterThan(1);
    await expectFirst(page, labels(wanted), "name");
    for (const [index, { label, samples, value, requests }] of wanted.slice(0, 6).entries()) {
      const row = rows(page).nth(index);
      await expect(row.getByTestId("rank-samples")).toHaveAttribute("data-exact", String(samples));
      await expect(row.getByTestId("rank-share")).toHaveText(`${((100 * Number(value)) / Number(whole)).toFixed(1)} %`);
      const note = row.getByTestId("rank-note");
      if (requests === null) await expect(note).toHaveText(/^\+\d+:[\d.]+ · \d+ samples?$/);
      else await expect(note).toContainText(new RegExp(`^${requests.count} (of \\d+ )?requests?`));
      await row.click();
      const { key } = by;
      await expectTotals(page, core.select(id, { attributes: [{ key, value: label }] }));
      await expect(chips(page)).toHaveCount(1);
      await row.click();
      await expect(chips(page)).toHaveCount(0);
    }
  }
});

test("the endpoints all stay when a request is chosen; its own is selected, and another one takes its place", async ({
  page,
}) => {
  await openFixture(page, DD, "#type=cpu&by=root");
  const endpoints = labels(ranked("cpu", { kind: "attribute", key: "trace endpoint" }));
  await rows(page).first().click();
  await expect(chips(page)).toHaveCount(1);
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  const own = await page.getByTestId("selection-name").textContent();
  await listBy(page, "endpoint");
  await expect(rows(page)).toHaveCount(endpoints.length);
  await expect(page.locator("[data-testid=rank-row][aria-selected=true]")).toContainText(own ?? "no name");
  const other = endpoints.find((label) => label !== own) ?? "";
  await valueRow(page, other).click();
  await expectTotals(
    page,
    core.select(profileIn(core, "cpu").id, { attributes: [{ key: "trace endpoint", value: other }] }),
  );
  await expect(rows(page)).toHaveCount(endpoints.length);
});

test("M6: a row's time is the start in its file and a duration, in minutes and seconds", async ({ page }) => {
  await openFixture(page, DD, "#by=span&sort=weight");
  const [{ from } = { from: 0n }] = core.views.timeRows();
  for (const { id, first, last } of ranked("cpu", { kind: "span" }).slice(0, 5)) {
    const row = rankRow(page, String(id));
    const [, minutes, seconds, duration] =
      /from \+(\d+):([\d.]+) after the start of the recording, for (.+)/.exec(
        (await row.getAttribute("title")) ?? "",
      ) ?? [];
    // As exact as the duration asks for.
    const begin = (60 * Number(minutes) + Number(seconds)) * 1e9;
    expect(Math.abs(begin - Number(first - from))).toBeLessThanOrEqual(Number(last - first) / 100);
    expect(duration).toBe(durationWords(last - first, "roots"));
    await expect(row.getByTestId("rank-duration")).toHaveText(duration ?? "");
  }
});

test("rows stand in every order, the other way round, and still after a reload", async ({ page }) => {
  await openFixture(page, DD, "#by=span");
  const { spans } = await answersOf(DD, null, true);
  const by = { kind: "span" } as const;
  // Durations are those that the recording states.
  const wanted = async (how: RankHow) =>
    (
      await spans.ranked(by, how, [0, 10], (from, most) => {
        const all = ranked("cpu", by, how);
        return { count: all.length, offset: from, heaviest: 0n, rows: all.slice(from, from + most) };
      })
    ).rows;
  for (const sort of ["samples", "name", "first", "duration", "weight"] as const) {
    await page.getByTestId("rank-sort").selectOption(sort);
    await expectFirst(page, ids(await wanted({ sort })), "id");
    await page.getByTestId("rank-reversed").click();
    await expectFirst(page, ids(await wanted({ sort, reversed: true })), "id");
  }
  await page.getByTestId("rank-sort").selectOption("first");
  await expect(page.getByTestId("rank-reversed")).toHaveAttribute("aria-pressed", "false");
  await expect(page).toHaveURL(/by=span&sort=first/);
  await page.reload();
  await drop(page, fromDisk(DD));
  await expectFirst(page, ids(ranked("cpu", { kind: "span" }, { sort: "first" })), "id");
});

test("names are found by a part or a regular expression, ids by how they begin", async ({ page }) => {
  await openFixture(page, DD);
  const box = page.getByTestId("rows");
  await listBy(page, "endpoint");
  const endpoints = ranked("cpu", { kind: "attribute", key: "trace endpoint" });
  await box.fill("get");
  const gets = endpoints.filter(({ label }) => label.includes("GET"));
  await expect(rows(page)).toHaveCount(gets.length);
  await expectFirst(page, labels(gets), "name");
  await expect(page.getByText(`${gets.length} endpoints found`)).toBeVisible();
  await box.fill("/^POST/");
  await expectFirst(page, labels(endpoints.filter(({ label }) => label.startsWith("POST"))), "name");
  await box.fill("/(/");
  await expect(page.getByRole("alert")).toContainText(/./);
  await box.fill("nobody");
  await expect(page.getByRole("tabpanel", { name: "Endpoints" })).toContainText("No row matches nobody.");

  // Another list is not narrowed by it.
  await listBy(page, "span");
  await expect(box).toHaveValue("");
  const spans = ranked("cpu", { kind: "span" });
  const [first] = spans;
  for (const [text, of] of [
    [String(first?.id).slice(0, 2), (id: bigint) => String(id).startsWith(String(first?.id).slice(0, 2))],
    [
      `0x${first?.id.toString(16).padStart(16, "0").slice(0, 2)}`,
      (id: bigint) => id >> 56n === (first?.id ?? 0n) >> 56n,
    ],
  ] as const) {
    await box.fill(text);
    await expect(rows(page)).toHaveCount(spans.filter(({ id }) => of(id)).length);
    await expect(rankRow(page, String(first?.id))).toBeVisible();
  }
  await box.fill("zzz");
  await expect(page.getByRole("alert")).toContainText("No id begins with zzz");
  await box.press("Escape");
  await expect(page.getByText(`${spans.length} spans`, { exact: true })).toBeVisible();
});

test("M15: a root of few samples says so, and leads to all samples of its endpoint", async ({ page }) => {
  const few = ranked("cpu", { kind: "local-root" }, { about: ["trace endpoint"] }).filter(({ samples }) => samples < 5);
  const [one, two] = few;
  await openFixture(page, DD, `#by=root&sort=samples&rows=${one?.id}`);
  const row = rankRow(page, String(one?.id));
  await expect(row.getByTestId("rank-few")).toHaveAttribute("title", /Press G to see the whole endpoint/);
  await tabTo(page, list(page));
  await page.keyboard.press("g");
  await expect(page.getByTestId("by-endpoint")).toHaveAttribute("aria-selected", "true");
  await expect(chips(page)).toHaveText([`trace endpoint =${one?.about}`]);
  const { id } = profileIn(core, "cpu");
  const totalsOf = (about = "") => core.select(id, { attributes: [{ key: "trace endpoint", value: about }] });
  await expectTotals(page, totalsOf(one?.about));

  // The same from a root that is selected: the selection gives way.
  await page.goto("about:blank");
  await openFixture(page, DD, `#type=cpu&root=${two?.id}&by=root&rows=${two?.id}&view=flame`);
  await tabTo(page, list(page));
  await page.keyboard.press("g");
  await expect(chips(page)).toHaveText([`trace endpoint =${two?.about}`]);
  await expectTotals(page, totalsOf(two?.about));
});

test("a span alone or its whole request: back and forth, each with its own samples", async ({ page }) => {
  const spans = ranked("wall", { kind: "span" });
  const profile = profileIn(core, "wall").id;
  const ofRoot = (root: bigint) => core.select(profile, { localRoot: root });
  const span = spans.find(({ root, samples }) => root !== 0n && ofRoot(root).samples > samples);
  if (span === undefined) throw new Error("no span with brothers");
  await openFixture(page, DD, "#type=wall&by=span");
  await rankRow(page, String(span.id)).click();
  await expectTotals(page, { samples: span.samples, value: span.value });
  await page
    .getByTestId("scope")
    .getByText(`Whole request ${ofRoot(span.root).samples}`)
    .click();
  await expectTotals(page, ofRoot(span.root));
  await expect(chips(page)).toHaveText([`request${span.root}`]);
  await page.getByTestId("scope").getByText(`This span only ${span.samples}`).click();
  await expectTotals(page, { samples: span.samples, value: span.value });
  await expect(chips(page)).toHaveText([`span${span.id}`]);
});

test("one span that is its whole request is said to be", async ({ page }) => {
  const spans = ranked("cpu", { kind: "span" });
  const { id: profile } = profileIn(core, "cpu");
  const alone = spans.find(({ root, samples }) => core.select(profile, { localRoot: root }).samples === samples);
  if (alone === undefined) throw new Error("no span without brothers");
  await openFixture(page, DD, `#type=cpu&span=${alone.id}&view=flame`);
  const which = alone.root === alone.id ? "the entry span" : "this span";
  await expect(page.getByTestId("scope-none")).toHaveText(`All samples are in ${which}.`);
  await expect(page.getByTestId("scope")).toHaveCount(0);
});

test("any attribute can be listed by, and the address keeps it", async ({ page }) => {
  await openFixture(page, fixture("shop.jfr"));
  await rankBy(page, "tenant");
  await expect(page).toHaveURL(/by=key%3Atenant/);
  await expect(page.getByRole("tabpanel", { name: "tenant" })).toBeVisible();
  await page.reload();
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expect(page.getByTestId("attribute-key")).toHaveValue("tenant");
  // The operation has a separate tab.
  await rankBy(page, "operation");
  await expect(page.getByTestId("by-operation")).toHaveAttribute("aria-selected", "true");
});

test("a list longer than a browser can be tall is reached to its last row, by key, wheel and bar", async ({ page }) => {
  test.setTimeout(120_000);
  const CHUNKS = 5;
  const PER = 50_000;
  const stack = { frames: [{ className: "a/B", method: "c", line: 1 }] };
  const chunks = Array.from(
    { length: CHUNKS },
    (_, chunk) =>
      buildChunk(
        cpuChunk(
          Array.from({ length: PER }, (_, i) => ({
            at: BigInt(i) * 1000n,
            stack,
            span: BigInt(chunk * PER + i + 1),
            root: 7n,
          })),
        ),
      ).bytes,
  );
  const last = CHUNKS * PER;
  await page.goto("./#by=span&sort=name&view=flame");
  await drop(page, { name: "long.jfr", bytes: Buffer.concat(chunks) });
  await expect(rankRow(page, "1")).toBeVisible();
  await expect(page.getByText("250,000 spans")).toBeVisible();
  await expect(page.getByTestId("incoming")).toHaveCount(0);
  const box = list(page);
  expect(await box.evaluate((element) => element.scrollHeight)).toBeLessThan(last * 40);

  await box.focus();
  await page.keyboard.press("End");
  await expect(rankRow(page, String(last))).toBeInViewport();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await expect(chips(page)).toHaveText([`span${last - 1}`]);
  await expectTotals(page, { samples: 1, value: 1 });

  // A turn of the wheel is the same number of rows as in any list.
  await page.keyboard.press("Home");
  await expect(rankRow(page, "1")).toBeInViewport();
  await box.hover();
  await page.mouse.wheel(0, 400);
  await expect(rankRow(page, "11")).toBeInViewport();
  await expect(rankRow(page, "10")).not.toBeInViewport();

  await box.evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
  await expect(rankRow(page, String(last))).toBeInViewport();
  expect(await rows(page).count()).toBeLessThan(60);
});

test("M16: endpoints come first, with requests and extents; roots begin with the slowest", async ({ page }) => {
  await openFixture(page, DD, "");
  await expect(page.getByTestId("by-endpoint")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tablist", { name: "List by" }).getByRole("tab").first()).toHaveText("Endpoints");
  await expect(page.getByTestId("rank-requests").first()).toHaveText(/^\d+ requests? · p50 .+ · p95 .+ · max /);
  await expect(page.getByTestId("rank-row").first().getByTestId("rank-share")).toHaveText(/%$/);

  await listBy(page, "root");
  await expect(page.getByTestId("rank-sort")).toHaveValue("duration");
  // In the order of the list of requests.
  const { spans } = await answersOf(DD, null, true);
  const requests = await spans.ask("regionSpans", [{ choice: {}, sort: "duration", reversed: false }, 0, 1000]);
  const sampled = new Set(ranked("cpu", { kind: "local-root" }).map(({ id }) => id));
  await expectFirst(page, ids(requests.rows.filter(({ id }) => sampled.has(id))), "id");
});
