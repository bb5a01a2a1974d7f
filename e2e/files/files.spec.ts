/** Recordings by address, and several at once: added to the page and removed from it. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { doubtsOf } from "../../src/model/recording/doubts.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import { recordedFacts } from "../../src/requests/recorded-facts.ts";
import { emptyCore } from "../../test/kit/core/read-store.ts";
import { answer, serve, type TestServer } from "../../test/kit/http/server.ts";
import { readBeside } from "../../test/kit/page-answers.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import {
  allowHost,
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  openFixture,
  showView,
  tabTo,
  test,
} from "../kit/page.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const RECORDING = readFileSync(fixture("shop.jfr"));
const CPU = profileOf(SHOP, "cpu");

let server: TestServer | null = null;
test.afterEach(async () => {
  await server?.close();
  server = null;
});

test("?url= opens a recording of the page's own origin, with what the hash says", async ({ page }) => {
  await page.goto("./?url=sample.jfr.gz#type=wall");
  await expectTotals(page, { samples: 2859, value: 2859 });
  await expect(page.getByTestId("files")).toContainText("sample.jfr");
});

test("?url= opens one of another origin that allows it", async ({ page, receivers }) => {
  server = await serve(answer(200, RECORDING, { "access-control-allow-origin": "*", "content-type": "x/y" }));
  receivers.add(server.url);
  await page.goto(`./?url=${encodeURIComponent(`${server.url}/a%20b/shop.jfr`)}`);
  await allowHost(page, server.url);
  await expectTotals(page, CPU);
  await expect(page.getByTestId("files")).toContainText("shop.jfr");
  const [{ method, headers } = { method: "", headers: {} }] = server.received;
  expect([method, headers.cookie, headers.referer]).toEqual(["GET", undefined, undefined]);
});

test("what ?url= cannot open is said: forbidden, missing, no address", async ({ page, receivers }) => {
  const message = page.getByTestId("message");
  server = await serve(answer(200, RECORDING));
  receivers.add(server.url);
  await page.goto(`./?url=${server.url}/shop.jfr#view=flame`);
  await allowHost(page, server.url);
  await expect(message).toContainText(
    "shop.jfr could not be fetched: the server answers, but does not allow requests from this page",
  );
  await server.close();
  server = await serve(answer(404, "", { "access-control-allow-origin": "*" }));
  receivers.add(server.url);
  await page.goto(`./?url=${server.url}/shop.jfr#view=flame`);
  await allowHost(page, server.url);
  await expect(message).toContainText("could not be fetched: 404 Not Found");
  await page.goto("./?url=javascript:alert(1)");
  await expect(message).toContainText("is not an http or https address");
});

test("files are added and removed, and the filters stay", async ({ page }) => {
  const core = await coreOf([fixture("shop.jfr"), AGENT]);
  const both = profileIn(core, "cpu");
  expect(both.samples).toBe(CPU.samples + 175);
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("files").click();
  await page.getByTestId("add-input").setInputFiles(AGENT);
  await expectTotals(page, both);
  await find(page, "operation=pricing.compute");
  await expect(chips(page)).toHaveCount(1);

  await page.getByTestId("files").click();
  await expect(page.getByTestId("file")).toHaveText([/^shop\.jfr.*Remove$/, /^ddagent-jdk17\.jfr.*Remove$/]);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.getByRole("button", { name: "Remove ddagent-jdk17.jfr" }).click();
  // The chip hides what distinguishes the recordings, so the totals alone do not tell that the files were read again.
  await expect(page.getByTestId("files")).not.toContainText("ddagent-jdk17.jfr");
  await expectTotals(page, CPU.attributes.operation?.["pricing.compute"] ?? { samples: -1, value: -1 });
  await expect(chips(page)).toHaveCount(1);

  // The list of the files before closes with them.
  await expect(page.getByTestId("file")).toHaveCount(0);
  await page.getByTestId("files").click();
  await page.getByRole("button", { name: "Remove shop.jfr" }).click();
  await expect(page.getByTestId("open-sample")).toBeVisible();
});

test("a file that is pasted is opened", async ({ page }) => {
  await page.goto("./#view=flame");
  await page.evaluate((base64) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], "pasted.jfr"));
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, RECORDING.toString("base64"));
  await expectTotals(page, CPU);
  await expect(page.getByTestId("files")).toContainText("pasted.jfr");
});

test("the recording's chunks, coverage and settings are a dialog away", async ({ page }) => {
  const core = await coreOf([fixture("shop.jfr")]);
  const { chunks } = core.files()[0] ?? { chunks: [] };
  const cpu = profileIn(core, "cpu");
  await openFixture(page, fixture("shop.jfr"));
  await page.getByTestId("about").click();
  await page.getByTestId("about-more").click();
  const dialog = page.getByRole("dialog", { name: "About the recording" });
  await expect(dialog.getByTestId("chunks").locator("tbody tr")).toHaveCount(chunks.length);
  const doubts = dialog.getByTestId("doubts").getByRole("listitem");
  await expect(doubts.filter({ hasText: "Stacks that the recorder cut" })).toContainText(
    "-Ddd.profiling.stackdepth=512",
  );
  // Inferred context has come: some events of locks have a span.
  await expect(doubts.filter({ hasText: "Samples without a span" })).not.toContainText("all of lock-contention");
  const table = dialog.getByTestId("coverage-table");
  const heads = await table.getByRole("columnheader").allInnerTexts();
  const cell = (name: string) =>
    table
      .getByRole("row", { name })
      .getByRole("cell")
      .nth(heads.indexOf("CPU") - 1);
  await expect(cell("all samples")).toHaveText(cpu.samples.toLocaleString("en-US"));
  await expect(cell("span")).toHaveText(`${((100 * cpu.samplesWithSpan) / cpu.samples).toFixed(1)} %`);
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("what a recording cannot show has the figures of `info`, also of a trace file", async ({ page }) => {
  const recording = fixture("traces/relay-dd17.jfr");
  const whole = gunzipSync(readFileSync(fixture("traces/relay-dd17.whole.otlp.json.gz"))).toString();
  // Its clock is ahead, and renderings have no parent.
  const text = whole
    .replaceAll(/(?<=TimeUnixNano":")\d+/g, (nanos) => String(BigInt(nanos) + 1_500_000_000n))
    .replaceAll(/"parentSpanId":"\w+","name":"render"/g, '"name":"render"');
  const trace = { name: "moved.json", bytes: new TextEncoder().encode(text) };
  const core = await emptyCore();
  await readBeside(core, recording, [{ name: trace.name, blob: new Blob([trace.bytes]) }], true);
  const doubts = doubtsOf(await recordedFacts(new HeldCore(core), core.profiles()));
  expect(doubts.map(({ about }) => about)).toEqual(expect.arrayContaining(["contradictions", "clocks"]));
  await page.goto("./#view=flame");
  await drop(page, fromDisk(recording), trace);
  await page.getByTestId("about").click();
  await page.getByTestId("about-more").click();
  const listed = page.getByTestId("doubts").getByRole("listitem");
  await expect(listed).toHaveCount(doubts.length);
  await expect(listed).toContainText(doubts.map(({ words, setting = "" }) => `${words} ${setting}`.trim()));
});

test("B7: its tables are read at every width: lines unbroken, wide ones scroll beside their first column", async ({
  page,
}) => {
  await openFixture(page, AGENT);
  await page.getByTestId("about").click();
  await page.getByTestId("about-more").click();
  const dialog = page.getByRole("dialog", { name: "About the recording" });
  await expect(dialog.getByTestId("coverage-table")).toBeVisible();
  for (const { width, height } of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize({ width, height });
    const facts = await dialog.evaluate((element) => {
      const cells = [...element.querySelectorAll("th, td")].map((cell) => cell.getBoundingClientRect().height);
      const boxes = [...element.querySelectorAll("table")].map((table) => {
        const box = table.parentElement as HTMLElement;
        box.scrollLeft = box.scrollWidth;
        const [first] = table.querySelectorAll("tbody th");
        return (first?.getBoundingClientRect().left ?? -1) - box.getBoundingClientRect().left;
      });
      const { left, right } = element.getBoundingClientRect();
      const body = element.querySelector("[data-first]") as HTMLElement;
      return { tallest: Math.max(...cells), boxes, left, right, over: body.scrollWidth - body.clientWidth };
    });
    expect(facts.tallest).toBeLessThan(40);
    for (const beside of facts.boxes) expect(beside).toBeLessThanOrEqual(1);
    expect(facts.left).toBeGreaterThanOrEqual(0);
    expect(facts.right).toBeLessThanOrEqual(width);
    expect(facts.over).toBe(0);
    await expectNothingByAxe(page, { without: [GRAPH] });
  }
});

test("what is on screen is shared by its address, which holds no more of the recording than its name and size", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openFixture(page, fixture("shop.jfr"));
  await find(page, "operation=pricing.compute");
  await showView(page, "top");
  await page.getByTestId("share").click();
  await expect(page.getByTestId("share-panel")).toContainText("The link needs the same file: send shop.jfr along.");
  await expect(page.getByTestId("share-panel")).toContainText("This link works on this machine only.");
  // The focus follows the panel in a later task.
  await expect(page.getByTestId("share-copy")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("share-panel").getByRole("status")).toHaveText("Copied.");
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(address).hash).toBe("#attr=operation%3Dpricing.compute&by=root&view=top&of=shop.jfr%7E131231");
  await expectNothingByAxe(page, { without: [GRAPH] });

  // Someone who has the link only sees what it is about, and which file to open; then it is as it was sent.
  const other = await context.newPage();
  await other.goto(address);
  const note = other.getByTestId("link-note");
  await expect(note).toHaveText(
    /^This link shows operation = pricing\.compute in Top\. Drop shop\.jfr \(128 KiB\) to open it\.$/,
  );
  await expect(other).toHaveURL(address);
  await expectNothingByAxe(other);
  await drop(other, { ...fromDisk(fixture("shop.jfr")), name: "shop.jfr" });
  await expect(other.getByTestId("top-row").first()).toBeVisible();
  await expect(chips(other)).toContainText(["pricing.compute"]);
  await expect(other).toHaveURL(/view=top$/);
});

test("M20: the share panel saves a report and has templates for links from tracing tools", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("./?url=sample.jfr.gz");
  await expect(page.getByTestId("total-samples")).toBeVisible();
  await page.getByTestId("share").click();
  const panel = page.getByTestId("share-panel");
  await expect(panel).not.toContainText("The link needs the same file");
  const waiting = page.waitForEvent("download");
  await page.getByTestId("share-report").click();
  const report = await waiting;
  expect(report.suggestedFilename()).toBe("sample.all.html");
  expect(readFileSync(await report.path(), "utf8")).toContain("<!doctype html>");

  await tabTo(page, page.getByTestId("share-templates").locator("summary"));
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("share-template")).toHaveCount(3);
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.getByRole("button", { name: "Copy the template for Any tool" }).click();
  await expect(panel.getByRole("status")).toHaveText("Copied.");
  const template = await page.evaluate(() => navigator.clipboard.readText());
  expect(template).toBe(`${new URL("./", page.url())}?url=sample.jfr.gz#trace=TRACE_ID&span=0xSPAN_ID&around=1m`);
  // A tool fills in an id.
  await page.goto("about:blank");
  await page.goto(template.replace("&span=0xSPAN_ID", "").replace("TRACE_ID", "3b2f"));
  await expect(chips(page)).toHaveText(/15151/);
});

test("the counters that ddprof recorded are in the facts of the recording", async ({ page }) => {
  await openFixture(page, fixture("recorded/dd152-jdk17-remotesym.jfr"));
  await page.getByTestId("about").click();
  await page.getByTestId("about-more").click();
  const row = page.getByTestId("counters").getByRole("row", { name: "remote_symbolication_build_id_cache_hits" });
  await expect(row.getByRole("cell")).toHaveText("24");
});
