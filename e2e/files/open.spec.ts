import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { later } from "../../test/kit/jfr/later.ts";
import { expectNothingByAxe } from "../kit/axe.ts";
import { fixture, profileOf, RECORDED, SHOP, SHOP_CHUNKS, samplesOf } from "../kit/expected.ts";
import {
  drop,
  expect,
  expectTotals,
  fromDisk,
  profileItem,
  showProfile,
  tab,
  tabCounts,
  tabTo,
  test,
} from "../kit/page.ts";

/** Events of the sample by type, as `jfr summary` counts them. */
const SAMPLE = {
  cpu: 899,
  wall: 2859,
  "alloc-samples": 827,
  "live-heap": 10,
  "lock-contention": 47,
  park: 2353,
  "queue-time": 98,
  "socket-read": 162,
  "socket-write": 1,
};

test("the welcome page says how a recording is made", async ({ page }) => {
  await page.goto("./#view=flame");
  const how = page.getByTestId("how-to-record");
  await how.getByText("How do I make a recording?").click();
  await expect(how.getByText("-XX:StartFlightRecording=")).toBeVisible();
  await expectNothingByAxe(page);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("the welcome page offers a sample and opens it", async ({ page }) => {
  await page.goto("./#view=flame");
  await expect(page.getByRole("heading", { name: "See where one slow request spent its time" })).toBeVisible();
  await expect(page).toHaveTitle(/Spanflame/);
  await page.getByTestId("open-sample").click();
  await expectTotals(page, { samples: 899, value: 899 });
  // Live objects are counted at the end of the recording.
  await expect.poll(() => tabCounts(page)).toEqual(SAMPLE);
});

test("?sample opens it by itself, with the first profile on screen", async ({ page }) => {
  await page.goto("./?sample#view=flame");
  await expectTotals(page, { samples: 899, value: 899 });
  // Live objects are counted at the end of the recording.
  await expect.poll(() => tabCounts(page)).toEqual(SAMPLE);
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByTestId("flame").locator("g.frame").first()).toBeVisible();
});

for (const [name, expected] of [
  ["shop.jfr", SHOP],
  ["shop-chunks.jfr", SHOP_CHUNKS],
] as const) {
  test(`${name}, dropped, has its tabs and totals`, async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, fromDisk(fixture(name)));
    for (const type of Object.keys(expected.profiles)) {
      await showProfile(page, type);
      await expectTotals(page, profileOf(expected, type));
    }
    const { "lock-contention": locks, ...others } = await tabCounts(page);
    expect(others).toEqual(samplesOf(expected));
    expect(locks).toBeGreaterThanOrEqual(6);
  });
}

for (const [name, samples] of Object.entries(RECORDED)) {
  test(`${name}, dropped, has its tabs`, async ({ page }) => {
    await page.goto("./#view=flame");
    await drop(page, fromDisk(fixture(name)));
    for (const type of Object.keys(samples)) {
      await showProfile(page, type);
      await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", String(samples[type]));
    }
    expect(await tabCounts(page)).toEqual(samples);
  });
}

test("an absent profile says which setting would record it, and cannot be chosen", async ({ page }) => {
  await page.goto("./#view=flame");
  await drop(page, fromDisk(fixture("recorded/dd122-jdk17-all.jfr")));
  const locks = await profileItem(page, "lock-contention");
  await expect(locks).toHaveText(/Locksnone/);
  await expect(locks).toHaveAttribute("data-tip", /jdk\.JavaMonitorEnter#threshold/);
  await locks.click({ force: true });
  await page.keyboard.press("Escape");
  await expect(tab(page, "cpu")).toHaveAttribute("aria-selected", "true");
  await expectTotals(page, { samples: 273, value: 273 });
});

test("the file picker takes several files as one recording", async ({ page }) => {
  await page.goto("./#view=flame");
  await page.getByTestId("file-input").setInputFiles([fixture("shop.jfr"), fixture("shop-chunks.jfr")]);
  const both = (type: string) => ({
    samples: profileOf(SHOP, type).samples + profileOf(SHOP_CHUNKS, type).samples,
    value: profileOf(SHOP, type).value + profileOf(SHOP_CHUNKS, type).value,
  });
  for (const type of ["cpu", "wall", "alloc-samples"]) {
    await showProfile(page, type);
    await expectTotals(page, both(type));
  }
  await expect(page.getByRole("banner")).toContainText("shop.jfr, shop-chunks.jfr");
});

test("another file takes the place of the first, and its filters with it", async ({ page }) => {
  await page.goto("./?sample#view=flame");
  await expectTotals(page, { samples: 899, value: 899 });
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  await expect(page.getByTestId("chip")).toHaveCount(0);
});

test("files over the window are announced, and leave no trace when they go", async ({ page }) => {
  await page.goto("./#view=flame");
  const drag = (type: string) =>
    page.evaluate((name) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x"], "x.jfr"));
      document.body.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    }, type);
  await drag("dragenter");
  await expect(page.getByText("Drop to open")).toBeVisible();
  await drag("dragleave");
  await expect(page.getByText("Drop to open")).toBeHidden();
});

test.describe("a recording of 52 MB", () => {
  const TIMES = 400;

  test("says how far it is, up to the whole", async ({ page }) => {
    await page.goto("./#view=flame");
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => {
        const text = document.querySelector<HTMLElement>("[data-testid=progress], [data-testid=incoming]")?.textContent;
        if (text !== undefined && text !== said.at(-1)) said.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await drop(page, fromDisk(fixture("shop.jfr"), TIMES));
    const cpu = profileOf(SHOP, "cpu");
    await expectTotals(page, { samples: TIMES * cpu.samples, value: TIMES * cpu.value });
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said[0]).toContain("Opening shop.jfr");
    const figures = said.flatMap(
      (text) => /([\d.]+) (\S+) of 50\.1 MiB · ([\d,]+) samples?/.exec(text)?.slice(3) ?? [],
    );
    const counts = figures.map((text) => Number(text.replaceAll(",", "")));
    expect(counts.length).toBeGreaterThan(0);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  test("can be cancelled: what was read stands, and the page goes on", async ({ page }) => {
    await page.goto("./#view=flame");
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        // Something is read already when the first figures are there.
        if (!/MiB/.test(document.querySelector("[data-testid=progress]")?.textContent ?? "")) return;
        observer.disconnect();
        document.querySelector<HTMLElement>("[data-testid=cancel]")?.click();
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await drop(page, fromDisk(fixture("shop.jfr"), TIMES));
    await expect(page.getByTestId("message")).toContainText("Cancelled");
    const total = TIMES * Object.values(samplesOf(SHOP)).reduce((a, b) => a + b);
    const read = Object.values(await tabCounts(page)).reduce((a, b) => a + b, 0);
    expect(read).toBeLessThan(total);
    await drop(page, fromDisk(fixture("shop.jfr")));
    await expectTotals(page, profileOf(SHOP, "cpu"));
    await expect(page.getByTestId("message")).toHaveCount(0);
  });
});

test("progress that arrives after the recording does not hide it", async ({ page }) => {
  await page.addInitScript(() => {
    // Holds back what comes through message ports, as the browser may: only the worker's own messages pass.
    const held: (() => void)[] = [];
    const listen = MessagePort.prototype.addEventListener;
    MessagePort.prototype.addEventListener = function (this: MessagePort, type: string, listener: unknown) {
      const later = (event: Event) => held.push(() => (listener as (e: Event) => void)(event));
      listen.call(this, type, type === "message" ? later : (listener as EventListener));
    } as typeof listen;
    Object.assign(window, { deliver: () => held.splice(0).map((give) => give()).length });
  });
  await page.goto("./#view=flame");
  await drop(page, fromDisk(fixture("shop.jfr")));
  await expectTotals(page, profileOf(SHOP, "cpu"));
  const delivered = await page.evaluate(() => (window as unknown as { deliver: () => number }).deliver());
  expect(delivered).toBeGreaterThan(0);
  await showProfile(page, "wall");
  await expectTotals(page, profileOf(SHOP, "wall"));
  await expect(page.getByTestId("progress")).toHaveCount(0);
});

test("a gzip of two members, which browsers do not decompress to its end, is read whole", async ({ page }) => {
  const shop = readFileSync(fixture("shop.jfr"));
  await page.goto("./#view=flame");
  await drop(page, { name: "two.jfr.gz", bytes: Buffer.concat([gzipSync(shop), gzipSync(later(shop))]) });
  const { samples, value } = profileOf(SHOP, "cpu");
  await expectTotals(page, { samples: 2 * samples, value: 2 * value });
  await expect(page.getByTestId("message")).toHaveCount(0);
});

test("files that were dropped before are offered again, and forgotten on request", async ({ page }) => {
  // A dropped file has a handle in some browsers; here it is one of the page's own storage.
  await page.addInitScript(() => {
    Object.assign(DataTransferItem.prototype, {
      async getAsFileSystemHandle(this: DataTransferItem) {
        const file = this.getAsFile() ?? new File([], "none");
        const folder = await navigator.storage.getDirectory();
        const handle = await folder.getFileHandle(file.name, { create: true });
        const stream = await handle.createWritable();
        await file.stream().pipeTo(stream);
        return handle;
      },
    });
  });
  const recent = page.getByTestId("recent-files");
  await page.goto("./");
  await drop(page, { name: "a.folded", bytes: Buffer.from("main;work 3\n") });
  await expectTotals(page, { samples: 1, value: 3 });
  // Loaded again, the page offers the file that was open.
  await page.reload();
  await expect(page.getByTestId("link-note")).toHaveText(
    "This page showed a recording. Drop a.folded (12 B) to open it.",
  );
  const wanted = page.getByTestId("recent-wanted");
  await expect(wanted).toHaveText("Open a.folded (12 B) again");
  await tabTo(page, wanted);
  await page.keyboard.press("Enter");
  await expectTotals(page, { samples: 1, value: 3 });
  await page.goto("about:blank");
  await page.goto("./#view=top");
  await expect(page.getByTestId("link-note")).toContainText("This link shows");
  await expect(recent).toHaveText("a.folded (12 B)");
  await recent.click();
  await expectTotals(page, { samples: 1, value: 3 });
  await expect(page.getByTestId("view-top")).toHaveAttribute("aria-selected", "true");

  await page.goto("about:blank");
  await page.goto("./");
  // Nothing opens unless the browser may read the file.
  await page.evaluate(() =>
    Object.assign(FileSystemFileHandle.prototype, { requestPermission: async () => "denied" as const }),
  );
  await recent.click();
  await expect(page.getByTestId("recent").getByRole("status")).toHaveText(
    "The browser was not allowed to read a.folded.",
  );
  await page.evaluate(() =>
    Object.assign(FileSystemFileHandle.prototype, { requestPermission: async () => "granted" as const }),
  );
  // Without the file it says so, and the page stays as it is.
  await page.evaluate(async () => (await navigator.storage.getDirectory()).removeEntry("a.folded"));
  await recent.click();
  await expect(page.getByTestId("recent").getByRole("status")).toHaveText("a.folded is not where it was.");
  await page.getByTestId("recent-forget").click();
  await expect(recent).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("open-sample")).toBeVisible();
  await expect(recent).toHaveCount(0);
});

test("files that were chosen by the button are offered again, and nothing happens if the choice is cancelled", async ({
  page,
}) => {
  await page.addInitScript(() => {
    let times = 0;
    const showOpenFilePicker = async () => {
      if (times++ === 0) throw new DOMException("", "AbortError");
      const handle = await (await navigator.storage.getDirectory()).getFileHandle("b.folded", { create: true });
      const stream = await handle.createWritable();
      await stream.write("main;work 3\n");
      await stream.close();
      return [handle];
    };
    Object.assign(window, { showOpenFilePicker });
  });
  await page.goto("./#view=flame");
  const choose = page.getByRole("button", { name: "Choose files…" });
  await choose.click();
  await choose.click();
  await expectTotals(page, { samples: 1, value: 3 });
  await page.reload();
  await expect(page.getByTestId("recent-wanted")).toHaveText("Open b.folded (12 B) again");
});
