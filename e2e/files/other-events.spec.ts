import { buildChunk } from "../../test/kit/jfr/jfr-builder.ts";
import {
  Constants,
  event,
  field,
  JVM_TYPES,
  javaStack,
  MAIN,
  STACK,
  START,
  THREAD,
} from "../../test/kit/jfr/jfr-types.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { drawnFrames } from "../kit/flame.ts";
import {
  drop,
  expect,
  expectTotals,
  fromDisk,
  openFixture,
  profileItem,
  showProfile,
  tab,
  tabTo,
  test,
} from "../kit/page.ts";

const AGENT = fixture("recorded/ddagent-jdk17.jfr");

test("another event becomes a profile, counted or by a field, and stays in the address", async ({ page }) => {
  const extra = [{ event: "jdk.ThreadStart" }, { event: "jdk.ContainerCPUUsage", value: "cpuTime" }];
  const core = await coreOf([AGENT], extra);
  const starts = profileIn(core, "jdk.ThreadStart");
  const usage = profileIn(core, "jdk.ContainerCPUUsage.cpuTime");
  expect([starts.samples, usage.samples]).toEqual([7, 2]);
  expect(usage.value).toBeGreaterThan(2n);

  await openFixture(page, AGENT);
  await page.getByTestId("other-events").click();
  const panel = page.getByTestId("other-events-panel");
  await expect(panel.getByRole("radio", { name: "jdk.ThreadStart 7" })).toBeVisible();
  // What has a profile, or no stack trace, is not offered.
  await expect(panel).not.toContainText("datadog.ExecutionSample");
  await expect(panel).not.toContainText("jdk.CPULoad");
  await panel.getByRole("radio", { name: "jdk.ThreadStart 7" }).check();
  await expect(page.getByTestId("other-field")).toBeDisabled();
  await page.getByTestId("other-show").click();
  await expect(tab(page, "jdk.ThreadStart")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, starts);
  await expect.poll(async () => (await drawnFrames(page))[0]?.value).toBe(7);

  await page.getByTestId("other-events").click();
  await panel.getByRole("searchbox").fill("cpuusage");
  await expect(panel.getByRole("radio")).toHaveCount(1);
  await page.getByTestId("other-field").selectOption("cpuTime");
  await page.getByTestId("other-show").click();
  await expect(tab(page, "jdk.ContainerCPUUsage.cpuTime")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, usage);
  await expect(await profileItem(page, "jdk.ThreadStart")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByTestId("measure").getByText("events").click();
  await expectTotals(page, { samples: 2, value: 2 });

  // The address brings all of it back.
  await expect(page).toHaveURL(/measure=events/);
  await page.reload();
  await drop(page, fromDisk(AGENT));
  await expectTotals(page, { samples: 2, value: 2 });
  await showProfile(page, "jdk.ThreadStart");
  await expectTotals(page, starts);

  // Taken away, the rest stays; Back brings it again.
  await page.getByTestId("other-events").click();
  await panel.getByRole("button", { name: "Remove jdk.ThreadStart" }).click();
  await expect(await profileItem(page, "jdk.ContainerCPUUsage.cpuTime")).toBeVisible();
  await expect(page.getByTestId("profile-jdk.ThreadStart")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/event=jdk\.ThreadStart/);
  await page.goBack();
  await expectTotals(page, starts);
});

test("another recording starts without the events of the first", async ({ page }) => {
  await openFixture(page, AGENT, "#event=jdk.ThreadStart&type=jdk.ThreadStart");
  await expectTotals(page, { samples: 7, value: 7 });
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(page).not.toHaveURL(/event=/);
});

test("an event that the recording does not have does no harm", async ({ page }) => {
  await openFixture(page, AGENT, "#event=acme.Nothing&event=jdk.ThreadStart=nofield&type=acme.Nothing");
  await expectTotals(page, { samples: 175, value: 175 });
  await expect(tab(page, "acme.Nothing")).toHaveCount(0);
  await expect(page.getByTestId("message")).toContainText("without a field that its mapping names");
});

test("an event is chosen with the keyboard alone", async ({ page }) => {
  await openFixture(page, AGENT);
  await tabTo(page, page.getByTestId("other-events"));
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("other-events-panel").getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("threadstart");
  await page.keyboard.press("Enter");
  await expect(tab(page, "jdk.ThreadStart")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, { samples: 7, value: 7 });
});

test("a hostile event name is text, and can be profiled", async ({ page }) => {
  const name = `acme.<img src=x onerror=alert(1)>\u202e=&${"x".repeat(150)}`;
  const constants = new Constants();
  const values = {
    startTime: 0n,
    eventThread: constants.thread(MAIN),
    stackTrace: constants.stack(javaStack("leaf")),
    n: 5n,
  };
  const types = [...JVM_TYPES, event(name, [START, THREAD, STACK, field("n", "long")])];
  // A name longer than the core's catalogue has room for is not offered.
  const long = "y".repeat(300);
  types.push(event(long, [START, THREAD, STACK]));
  const { n: _, ...bare } = values;
  const items = [{ event: name, values }, { event: long, values: bare }, { checkpoint: constants.all() }];
  const { bytes } = buildChunk({ types, items });
  await page.goto("./#view=flame");
  await drop(page, { name: "odd.jfr", bytes });
  await expect(page.getByTestId("nothing")).toBeVisible();
  await page.getByTestId("other-events").click();
  await expect(page.getByTestId("other-events-panel").getByRole("radio")).toHaveCount(1);
  await page.getByTestId("other-field").selectOption("n");
  await page.getByTestId("other-show").click();
  await expectTotals(page, { samples: 1, value: 5 });
  await expect(page.locator("img")).toHaveCount(0);
  const seen = await page.evaluate(() => document.body.textContent);
  expect(seen).not.toContain("\u202e");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBeLessThanOrEqual(0);
});

test("objects without a size are counted from the start; notes stand under About and alarm nobody", async ({
  page,
}) => {
  const constants = new Constants();
  const old = "jdk.OldObjectSample";
  const sample = "jdk.CPUTimeSample";
  const types = [
    ...JVM_TYPES,
    event(old, [START, THREAD, STACK]),
    event(sample, [START, THREAD, STACK, field("failed", "boolean")]),
  ];
  const values = { startTime: 0n, eventThread: constants.thread(MAIN), stackTrace: constants.stack(javaStack("leaf")) };
  const { bytes } = buildChunk({
    types,
    items: [
      { event: old, values },
      { event: old, values },
      { event: sample, values: { ...values, failed: true } },
      { checkpoint: constants.all() },
    ],
  });
  await page.goto("./#view=flame");
  await drop(page, { name: "old.jfr", bytes });
  await expectTotals(page, { samples: 2, value: 2 });
  // One measure: there is none to choose.
  await expect(page.getByTestId("measure")).toHaveCount(0);
  await expect(page.getByTestId("total-samples")).toHaveText("2 samples");
  await expect(page.getByTestId("total-value")).toBeHidden();

  await expect(page.getByTestId("message")).toHaveCount(0);
  await expect(page.getByTestId("about")).toHaveAccessibleName("About this recording, 1 note");
  await page.getByTestId("about").click();
  const note = page.getByTestId("about-panel").locator("[data-code='jfr.sample.failed']");
  await expect(note).toContainText("One event that the recorder itself marks as failed");
  await page.getByTestId("about-more").click();
  const detail = page.getByTestId("recording-diagnostics").locator("[data-code='jfr.sample.failed']");
  await expect(detail).toContainText("one event that the recorder itself marks as failed");
  await expect(detail).toContainText(/chunk 0, offset \d+/);
  await expect(detail).toContainText("jfr.sample.failed");
});
