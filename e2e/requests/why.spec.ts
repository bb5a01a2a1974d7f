/** The view Why: the same figures for all profiles of a request, and settings that name missing events. */
import { fileURLToPath } from "node:url";
import { why } from "../../src/core/why.ts";
import { formatNanos } from "../../src/model/words/format.ts";
import { HeldCore } from "../../src/requests/held-core.ts";
import { buildChunk, type Item } from "../../test/kit/jfr/jfr-builder.ts";
import { cpuType, event, field, JVM_TYPES, START } from "../../test/kit/jfr/jfr-types.ts";
import { pprofOf } from "../../test/kit/otlp/pprof-message.ts";
import { coreOf, rootsBy } from "../kit/core.ts";
import { drop, expect, openFixture, showProfile, test } from "../kit/page.ts";

const AGENT = fileURLToPath(new URL("../../fixtures/recorded/ddagent-jdk17.jfr", import.meta.url));

const PLAIN = fileURLToPath(new URL("../../fixtures/planted/jfr-monitor.jfr.gz", import.meta.url));

const SETTING = event("jdk.ActiveSetting", [
  START,
  field("id", "long"),
  field("name", "java.lang.String"),
  field("value", "java.lang.String"),
]);
const setting = (id: bigint, name: string, value: string): Item => ({
  event: SETTING.name,
  values: { startTime: 0n, id, name, value },
});

test("M1: a request has the same duration and the same pauses on each profile", async ({ page }) => {
  const core = await coreOf([AGENT]);
  const { start, pauses } = core.views.marks();
  const root = rootsBy(core, "wall", 0).find(({ id }) => {
    const { time, pauses: count } = why(new HeldCore(core), {
      profile: 0,
      measure: 0,
      filter: { localRoot: id },
    }).pauses;
    return time !== null && count > 0;
  });
  const { time } = why(new HeldCore(core), { profile: 0, measure: 0, filter: { localRoot: root!.id } }).pauses;
  const touching = pauses.at.filter(
    (at, i) => at <= Number(time!.to - start) && at + pauses.nanos[i]! >= Number(time!.from - start),
  );
  await openFixture(page, AGENT, `#root=${root!.id}`);
  await page.getByTestId("view-overview").click();
  for (const type of ["wall", "cpu"]) {
    await showProfile(page, type);
    const lines = page.getByTestId("why-time");
    // Of samples of any kind, some from before or after the request: no bound of how long it took.
    await expect(lines).toContainText(`Duration (first to last sample)${formatNanos(time!.to - time!.from)}`);
    await expect(lines).toContainText(new RegExp(`GC pauses${touching.length} pauses?,`));
  }
});

test("a recording without ids has its thread pools and findings of all profiles, whichever is shown", async ({
  page,
}) => {
  await openFixture(page, PLAIN, "#type=cpu&view=overview");
  const pools = page.getByTestId("thread-pool");
  for (const type of ["cpu", "park"]) {
    await showProfile(page, type);
    await expect(pools.first()).toContainText(/^worker-\*/);
    await expect(pools.first()).toContainText(/blocked in .*Taxes\.rateOf3 threads$/);
    await expect(page.getByTestId("thread-pools")).toContainText(/Idle or shorter: .*heartbeat/);
    await expect(page.getByTestId("finding").first()).toContainText(
      /Lock contention.* of 3 threads, most in .*Taxes\.rateOf/,
    );
  }
  await expect(page.getByTestId("why-ids")).toContainText("No sample has a span id.");
  await showProfile(page, "cpu");
  await pools.first().press("Enter");
  await expect(page.getByTestId("chip")).toHaveText(/^thread poolworker-\*/);
  await expect(pools).toHaveCount(1);
});

test("the pauses of a whole recording are those that the timeline counts", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.getByTestId("view-overview").click();
  await page.getByTestId("coverage").click();
  const legend = await page.getByTestId("legend-pauses").textContent();
  await page.keyboard.press("Escape");
  const [, count, total] = /(\d+) GC pauses, (.+?) in all/.exec(legend ?? "") ?? [];
  expect(count).toBe("4");
  for (const type of ["cpu", "wall"]) {
    await showProfile(page, type);
    await expect(page.getByTestId("why-time")).toContainText(`GC pauses${count} pauses, ${total}`);
  }
});

test("M2: an event that is off has no threshold", async ({ page }) => {
  const lock = (name: string, id: bigint) => ({ ...event(name, [START, field("duration", "long")]), id });
  const types = [...JVM_TYPES, lock("jdk.JavaMonitorEnter", 301n), lock("jdk.JavaMonitorWait", 302n), SETTING];
  const items: Item[] = [
    { event: "jdk.JavaMonitorEnter", values: { startTime: 0n, duration: 30_000_000n } },
    setting(301n, "enabled", "true"),
    setting(301n, "threshold", "10 ms"),
    setting(302n, "enabled", "false"),
    setting(302n, "threshold", "100 ms"),
  ];
  await page.goto("./#view=flame");
  await drop(page, { name: "locks.jfr", bytes: buildChunk({ types, items }).bytes });
  await showProfile(page, "lock-contention");
  await page.getByTestId("coverage").click();
  await expect(page.getByTestId("settings")).toHaveText(
    "Waits under 10 ms are not recorded. Object.wait is not recorded (jdk.JavaMonitorWait is off).",
  );
});

test("a recording without samples says which events were on", async ({ page }) => {
  const types = [
    ...JVM_TYPES,
    { ...event("jdk.ExecutionSample", [START]), id: 301n },
    { ...event("jdk.JavaMonitorEnter", [START]), id: 302n },
    SETTING,
  ];
  await page.goto("./#view=flame");
  await drop(page, {
    name: "settings.jfr",
    bytes: buildChunk({ types, items: [setting(301n, "enabled", "true"), setting(302n, "enabled", "false")] }).bytes,
  });
  const nothing = page.getByTestId("nothing");
  await expect(nothing).toContainText("jdk.ExecutionSample was on, but the recording has no such event.");
  await expect(nothing).toContainText("jdk.JavaMonitorEnter was off.");
});

test("async-profiler's wall samples are times where the recording states their interval", async ({ page }) => {
  const tick = cpuType([], "profiler.WallClockSample");
  const types = [
    ...JVM_TYPES,
    { ...tick, id: 304n, fields: [...(tick.fields ?? []), field("samples", "int")] },
    { ...event("jdk.ActiveRecording", [START]), id: 305n },
    { ...event("jdk.ExecutionSample", [START]), id: 306n },
    SETTING,
  ];
  const values = { startTime: 0n, eventThread: 0n, stackTrace: 0n, weight: 1n, spanId: 0n, localRootSpanId: 0n };
  const items: Item[] = [
    setting(305n, "event", "wall"),
    setting(306n, "interval", "8000000"),
    { event: "profiler.WallClockSample", values: { ...values, samples: 250n } },
  ];
  await page.goto("./#view=flame");
  await drop(page, { name: "wall.jfr", bytes: buildChunk({ types, items }).bytes });
  await expect(page.getByTestId("total-value")).toContainText("2 s");
  await page.getByTestId("coverage").click();
  await expect(page.getByTestId("settings")).toContainText("One sample every 8 ms.");
});

test("M12: the first sentence names application code, and attributes leave out the request's own", async ({ page }) => {
  const core = await coreOf([AGENT]);
  const [root] = rootsBy(core, "wall", 0);
  await openFixture(page, AGENT, `#root=${root!.id}`);
  await page.getByTestId("view-overview").click();
  const sentence = page.getByTestId("why-sentence");
  await expect(sentence).toHaveText(
    /^≥ \d.* ms: [\d.]+ % .* without a processor in .*Ops\$.* \(others \d.*\. Other \w+ \/\S+ requests \(11\): median ≥ .*\.$/,
  );
  await expect(sentence).not.toContainText("[vdso]");
  await expect(page.getByTestId("why-paths").locator("li").first()).toContainText("Ops$");
  const differing = page.getByTestId("why-standing-out");
  await expect(differing).toContainText("from other");
  for (const own of ["trace endpoint", "trace operation", "thread.name", "tenant"])
    await expect(differing).not.toContainText(`${own} =`);
  // All requests of the endpoint are one click away, and have no others to be compared with.
  await page.getByTestId("why-compare").click();
  await expect(page.getByTestId("chip")).toHaveText([/trace endpoint/]);
  await expect(page.getByTestId("why-compare")).toHaveCount(0);
});

test("without a filter nothing repeats that every profile is whole", async ({ page }) => {
  await openFixture(page, AGENT);
  await page.getByTestId("view-overview").click();
  await expect(page.getByTestId("why-top")).toBeVisible();
  await expect(page.getByTestId("why-split")).toHaveCount(0);
  await expect(page.getByTestId("why-standing-out")).toHaveCount(0);
});

test("context that a thread kept after its span is a finding, where a trace states the end", async ({ page }) => {
  const start = BigInt(Date.UTC(2026, 10, 20)) * 1_000_000n;
  const samples = [0, 50, 90, 3000, 4000, 5000].map((ms) => ({
    stack: ["work"],
    values: [10_000_000],
    labels: { "span id": 5, "local root span id": 5, end_timestamp_ns: start + BigInt(ms) * 1_000_000n },
  }));
  const span = { trace_id: 5, span_id: 5, parent_id: 0, name: "GET", service: "s" };
  const trace = JSON.stringify([[{ ...span, start: Number(start), duration: 100e6 }]]);
  await page.goto("./#view=overview");
  await drop(
    page,
    { name: "kept.pprof", bytes: pprofOf({ types: [["cpu-time", "nanoseconds"]], samples }) },
    { name: "kept.json", bytes: Buffer.from(trace) },
  );
  const kept = page.getByTestId("finding").filter({ hasText: "Context not cleared" });
  await expect(kept).toContainText("50.0 %");
});

test("a finding opens its stacks, and a file adds rules", async ({ page }) => {
  await openFixture(page, AGENT, "#type=cpu");
  await page.getByTestId("view-overview").click();
  const findings = page.getByTestId("finding");
  const names = findings.locator("strong");
  await expect(names.filter({ hasText: "Sleeping" })).toHaveCount(1);
  const add = (name: string, text: string) =>
    page.getByTestId("rules-input").setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(text) });
  await add("wrong.json", JSON.stringify({ rules: [{ name: "Ours", any: "(", info: 1, warning: 2 }] }));
  await expect(page.getByTestId("rules-error")).toContainText('rule 1: "any" is not a valid pattern');
  await expect(names.filter({ hasText: "Sleeping" })).toHaveCount(1);
  const ours = {
    name: "Our prices",
    any: "Ops\\$Pricing\\.(compute|discount)$",
    info: 1,
    warning: 5,
    advice: "Cache them.",
  };
  await add("ours.json", JSON.stringify({ rules: [ours] }));
  const own = findings.filter({ hasText: "Our prices" });
  await expect(own).toHaveAttribute("data-tone", "warning");
  await expect(own).toContainText("Cache them.");
  await expect(page.getByTestId("rules-error")).toHaveCount(0);
  await own.getByRole("button").click();
  await expect(page.getByTestId("chip").filter({ hasText: "Pricing" })).toBeVisible();
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
  await expect(page.getByTestId("tab-cpu")).toHaveAttribute("aria-selected", "true");

  // The rules stay with the page until they are removed.
  await page.getByTestId("view-overview").click();
  await expect(own).toContainText("100 %");
  await page.getByTestId("rules-remove").click();
  await expect(own).toHaveCount(0);
});

test("the page does not scroll around the view, and functions keep their method in any width", async ({ page }) => {
  for (const size of [
    { width: 1440, height: 500 },
    { width: 1024, height: 768 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto("./?sample#view=overview");
    await expect(page.getByTestId("finding").first()).toBeVisible();
    // On phones the page itself scrolls, as far as its body reaches.
    const surplus = () =>
      page.evaluate(() => document.documentElement.scrollHeight - Math.max(innerHeight, document.body.scrollHeight));
    await expect.poll(surplus).toBe(0);
    const names = page.getByTestId("why-top").locator("li bdi bdi");
    for (const name of await names.all()) {
      const seen = await name.evaluate((element) => (element as HTMLElement).innerText);
      const [, method = ""] = /([\w$<>]+)$/.exec((await name.textContent()) ?? "") ?? [];
      expect(seen.endsWith(method), `${seen} at ${size.width}`).toBe(true);
      expect(await name.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);
    }
  }
});
