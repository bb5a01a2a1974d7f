/**
 * A decoder that hangs or stops, a view that throws, a file that changed on disk: the files stay, and so does the page.
 */
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { later } from "../../test/kit/jfr/later.ts";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { coreOf, profileIn } from "../kit/core.ts";
import { fixture, profileOf, SHOP } from "../kit/expected.ts";
import { openExport } from "../kit/export.ts";
import {
  chips,
  drop,
  expect,
  expectTotals,
  find,
  fromDisk,
  inWorker,
  openFixture,
  showProfile,
  showView,
  tabTo,
  test,
} from "../kit/page.ts";

// Workers that never end would take the processor of the tests after them.
test.use({ reuseContext: false });

const SHOP_JFR = fixture("shop.jfr");
const AGENT = fixture("recorded/ddagent-jdk17.jfr");
const CPU = profileOf(SHOP, "cpu");
const AGENT_CPU = { samples: 175, value: 175 };
const SAMPLE_CPU = { samples: 899, value: 899 };

/**
 * The real worker with a script before it: a file or a pattern named "hang…" keeps it busy for ever, a pattern named
 * "trap…" makes the core trap, and an export to collapsed stacks is out of memory.
 */
function sabotage(): void {
  let isTrapping = false;
  const { instantiate } = WebAssembly;
  Object.assign(WebAssembly, {
    instantiate: async (module: WebAssembly.Module, imports: WebAssembly.Imports) => {
      const { exports } = await instantiate(module, imports);
      const trapping = (value: unknown) =>
        typeof value !== "function"
          ? value
          : (...args: unknown[]) => {
              if (isTrapping) throw new WebAssembly.RuntimeError("unreachable");
              return value(...args);
            };
      return { exports: Object.fromEntries(Object.entries(exports).map(([name, value]) => [name, trapping(value)])) };
    },
  });
  const { postMessage: answer } = globalThis;
  globalThis.postMessage = (...given: unknown[]) => {
    Object.assign(globalThis, { hasAnswered: true });
    Reflect.apply(answer, globalThis, given);
  };
  addEventListener("message", (event) => {
    const { id, path, argumentList = [] } = event.data;
    const [first, given] = argumentList.map(({ value }: { value: unknown }) => value);
    const question = path?.[0] === "ask" ? first : "";
    let named = "";
    if (path?.[0] === "open") named = first[0].name;
    if (question === "search") named = given[1];
    while (named.startsWith("hang")) {}
    // A search may wait for code, and other questions come meanwhile.
    if (named !== "") isTrapping = named.startsWith("trap");
    if (question !== "download" || given[0].options.format !== "collapsed") return;
    event.stopImmediatePropagation();
    const error = { code: "core.exhausted", message: "out of memory: the core holds 4095 MiB", lost: false };
    postMessage({ id, type: "RAW", value: { ok: false, error } });
  });
}

const sabotageWorker = (page: Page) => inWorker(page, `(${sabotage})()`);

/** Opens the page. Its worker has answered the first question: a worker that is still being loaded is never stuck. */
async function openLoaded(page: Page): Promise<void> {
  const started = page.waitForEvent("worker");
  await page.goto("./#view=flame");
  const worker = await started;
  await expect.poll(() => worker.evaluate(() => "hasAnswered" in globalThis)).toBe(true);
}

/** Holds the page's clock for a worker that does not answer: nothing is given up before `passTime`. */
async function holdTime(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // The length of a tick in src/worker/connection.ts.
    const TICK_MS = 250;
    const held: (() => void)[] = [];
    let isHeld = true;
    const { setTimeout } = window;
    const later = (go: () => void, ms?: number) => (isHeld && ms === TICK_MS ? held.push(go) : setTimeout(go, ms));
    const passTime = () => {
      isHeld = false;
      for (const go of held.splice(0)) go();
    };
    const holdTime = () => {
      isHeld = true;
    };
    Object.assign(window, { setTimeout: later, passTime, holdTime });
  });
}

/** A worker is given up after two seconds, and another one has to be loaded. */
const PATIENT = { timeout: 30_000 };

/** The same by day and by night. */
async function expectNothingInBothThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expectNothingByAxe(page, { without: [GRAPH] });
  await page.emulateMedia({ colorScheme: "dark" });
  await expectNothingByAxe(page, { without: [GRAPH], coloursOnly: true });
}

const named = (name: string) => ({ ...fromDisk(SHOP_JFR), name });
const message = (page: Page) => page.getByTestId("message");

test.describe("a worker that does not answer", () => {
  test.beforeEach(({ page }) => sabotageWorker(page));

  test("is ended by Cancel, and the files are offered again, all and one by one", async ({ page }) => {
    await holdTime(page);
    await openLoaded(page);
    await drop(page, named("hang.jfr"), named("shop.jfr"));
    await page.getByTestId("cancel").click();
    await expect(page.getByRole("status")).toContainText("Cancelling");
    await expectNothingInBothThemes(page);
    await page.evaluate("passTime()");
    await expect(message(page)).toBeVisible(PATIENT);
    await expect(message(page)).toHaveAttribute("data-code", "worker.stuck");
    await expect(message(page)).toContainText("did not answer");
    await expectNothingInBothThemes(page);

    // They hang again: Stop does not wait.
    await page.evaluate("holdTime()");
    await page.getByTestId("open-again").click();
    await expect(page.getByTestId("progress")).toContainText("Opening hang.jfr, shop.jfr");
    await tabTo(page, page.getByTestId("cancel"));
    await page.keyboard.press("Enter");
    await page.getByTestId("stop").click();
    await expect(message(page)).toBeVisible(PATIENT);
    await expect(message(page)).toHaveAttribute("data-code", "worker.stopped");

    await page.getByRole("button", { name: "Open shop.jfr again" }).click();
    await expect(page.getByTestId("total-samples")).toBeVisible(PATIENT);
    await expectTotals(page, CPU);
    await expect(message(page)).toHaveCount(0);
  });

  test("does not keep another file waiting", async ({ page }) => {
    await openLoaded(page);
    await drop(page, named("hang.jfr"));
    await expect(page.getByTestId("progress")).toContainText("Opening hang.jfr…");
    await drop(page, named("shop.jfr"));
    await expect(page.getByTestId("total-samples")).toBeVisible(PATIENT);
    await expectTotals(page, CPU);
    // The same while it looks for a pattern.
    await showView(page, "flame");
    await page.getByTestId("search").fill("hang");
    await expect(page.getByTestId("search-found")).toHaveText("…");
    await drop(page, fromDisk(AGENT));
    await expect(page.getByTestId("tab-cpu")).toContainText("175", PATIENT);
    await expectTotals(page, AGENT_CPU);
    await expect(page).not.toHaveURL(/hang/);
  });

  test("can be stopped: the files are read again, without the pattern", async ({ page }) => {
    // With inferred context the search would come before the end of the reading.
    await openFixture(page, SHOP_JFR, "#search=hang&inferred=no");
    await find(page, "operation=pricing.compute");
    await expect(page.getByTestId("slow")).toContainText("busy for more than five seconds", PATIENT);
    await expectNothingInBothThemes(page);
    await tabTo(page, page.getByTestId("slow-stop"));
    await page.keyboard.press("Enter");
    await expect(page).not.toHaveURL(/hang/, PATIENT);
    await expect(page.getByTestId("total-samples")).toBeVisible(PATIENT);
    await expectTotals(page, CPU);
    await expect(chips(page)).toHaveCount(0);
    await expect(page.getByTestId("slow")).toHaveCount(0);
  });
});

test("after a trap the same file opens again without filters, and Undo brings them back", async ({ page }) => {
  await sabotageWorker(page);
  await openFixture(page, SHOP_JFR);
  await find(page, "operation=pricing.compute");
  await expect(chips(page)).toHaveCount(1);
  await page.getByTestId("search").fill("trap");
  await expect(message(page)).toHaveAttribute("data-code", "core.trap");
  await tabTo(page, page.getByTestId("open-again"));
  await page.keyboard.press("Enter");
  await expectTotals(page, CPU);
  await expect(message(page)).toHaveCount(0);
  await page.getByTestId("undo").click();
  await expectTotals(page, CPU.attributes.operation?.["pricing.compute"] ?? { samples: -1, value: -1 });
});

test("an export out of memory says so in the dialog, and the recording goes on", async ({ page }) => {
  await sabotageWorker(page);
  await openFixture(page, SHOP_JFR);
  await openExport(page);
  await page.getByTestId("format-collapsed").check({ force: true });
  await page.getByTestId("export-download").click();
  const failed = page.getByTestId("export-failed");
  await expect(failed).toContainText("The export failed: out of memory: the core holds 4095 MiB");
  await expect(failed).toContainText("filter by a span");
  await expectNothingInBothThemes(page);
  await page.getByTestId("format-otlp").check({ force: true });
  const waiting = page.waitForEvent("download");
  await page.getByTestId("export-download").click();
  await waiting;
  await expect(failed).toHaveCount(0);
  await page.getByTestId("export-close").click();
  await expectTotals(page, CPU);
});

test.describe("a part of the page that throws", () => {
  test("is replaced by a panel; the others go on, and it can be tried again", async ({ page, tolerated }) => {
    tolerated.add("no observer");
    await openFixture(page, SHOP_JFR);
    await find(page, "operation=pricing.compute");
    await expect(chips(page)).toHaveCount(1);
    await page.evaluate(() => {
      const { ResizeObserver } = window;
      class Refusing {
        constructor() {
          throw new Error("no observer");
        }
      }
      Object.assign(window, { ResizeObserver: Refusing, repair: () => Object.assign(window, { ResizeObserver }) });
    });
    await showView(page, "top");
    const crashed = page.getByTestId("crashed");
    await expect(crashed).toContainText("The view “Top functions” could not be shown");
    await expect(crashed).toContainText("no observer");
    await expect(chips(page)).toHaveCount(1);
    await expectNothingInBothThemes(page);

    await page.evaluate(() => (window as unknown as { repair: () => void }).repair());
    await tabTo(page, page.getByTestId("crashed-retry"));
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("top-row").first()).toBeVisible();
    await expect(crashed).toHaveCount(0);
  });

  test("comes back when the filters are reset", async ({ page, tolerated }) => {
    tolerated.add("no observer");
    await page.addInitScript(() => {
      const { ResizeObserver } = window;
      class Refusing {
        constructor() {
          throw new Error("no observer");
        }
      }
      Object.assign(window, { ResizeObserver: Refusing, repair: () => Object.assign(window, { ResizeObserver }) });
    });
    await page.goto("./?sample#view=top&search=run&attr=tenant%3Dacme");
    await expect(page.getByTestId("crashed").first()).toContainText("could not be shown");
    await page.evaluate(() => (window as unknown as { repair: () => void }).repair());
    await page.getByTestId("crashed-reset").first().click();
    await expectTotals(page, SAMPLE_CPU);
    await expect(page.getByTestId("why-headline")).toBeVisible();
    await expect(page.getByTestId("crashed")).toHaveCount(0);
    await page.getByTestId("undo").click();
    await expect(chips(page)).toHaveCount(1);
  });

  test("may be the whole page: the recording is still there afterwards", async ({ page, tolerated }) => {
    tolerated.add("no attributes");
    await openFixture(page, SHOP_JFR);
    await page.evaluate(() => {
      const get = () => {
        throw new Error("no attributes");
      };
      Object.defineProperty(document.documentElement, "dataset", { get, configurable: true });
    });
    await page.getByTestId("theme").click();
    await page.getByTestId("theme-dark").click();
    await expect(page.getByTestId("crashed")).toContainText("The page could not be shown");
    await expectNothingInBothThemes(page);
    await page.evaluate(() => Reflect.deleteProperty(document.documentElement, "dataset"));
    await page.getByTestId("crashed-retry").click();
    await expectTotals(page, CPU);
  });
});

test("a search text of 40,000 letters is an error, and leaves the page in use", async ({ page }) => {
  const long = "abcdefgh".repeat(5000);
  await openFixture(page, SHOP_JFR);
  await page.getByTestId("search").fill(long);
  await expect(page.getByTestId("search-found")).toContainText("has at most");
  await page.getByTestId("search").fill("run");
  await expect(page.getByTestId("search-only")).toBeVisible();
  await page.goto("about:blank");
  await page.goto("./#view=flame");
  await page.goto(`./?sample#search=${long}`);
  await expectTotals(page, SAMPLE_CPU);
  await expect(page.getByTestId("search-found")).toContainText("has at most");
});

test.describe("a file that changed on disk", () => {
  test("is named, the recording stays, and the file can be chosen again", async ({ page }, info) => {
    const path = info.outputPath("changing.jfr");
    copyFileSync(SHOP_JFR, path);
    await page.goto("./#view=flame");
    await page.getByTestId("file-input").setInputFiles(path);
    await expectTotals(page, CPU);
    await find(page, "operation=pricing.compute");
    const filtered = CPU.attributes.operation?.["pricing.compute"] ?? { samples: -1, value: -1 };
    await expectTotals(page, filtered);
    writeFileSync(path, Buffer.concat([readFileSync(SHOP_JFR), later(readFileSync(SHOP_JFR))]));

    await page.getByTestId("files").click();
    await page.getByTestId("add-input").setInputFiles(AGENT);
    await expect(message(page)).toHaveAttribute("data-code", "file.changed");
    await expect(message(page)).toContainText("changing.jfr could not be read");
    await expect(message(page)).toContainText("The open recording is unchanged.");
    await expectTotals(page, filtered);
    await expectNothingInBothThemes(page);

    // Both that were asked for are read: the one as it is now, and the one added.
    await page.getByTestId("choose-again").setInputFiles(path);
    await expect(message(page)).toHaveCount(0);
    await expect(page.getByRole("banner")).toContainText("changing.jfr, ddagent-jdk17.jfr");
    await page.getByTestId("clear").click();
    const both = profileIn(await coreOf([path, AGENT]), "cpu");
    expect(both.samples).toBe(2 * CPU.samples + 175);
    await expectTotals(page, both);
  });

  test("before its other events are read: the events stay as they were", async ({ page }, info) => {
    const path = info.outputPath("changing.jfr");
    copyFileSync(AGENT, path);
    await page.goto("./#view=flame");
    await page.getByTestId("file-input").setInputFiles(path);
    await expectTotals(page, AGENT_CPU);
    // It is read to its end only then.
    await expect(page.getByTestId("inferred-context")).toHaveText(/Context: inferred/);
    writeFileSync(path, Buffer.concat([readFileSync(AGENT), readFileSync(SHOP_JFR)]));
    await page.getByTestId("other-events").click();
    await page.getByTestId("other-show").click();
    await expect(message(page)).toHaveAttribute("data-code", "file.changed");
    await expectTotals(page, AGENT_CPU);
    await expect(page).not.toHaveURL(/event=/);
    await tabTo(page, page.getByTestId("dismiss"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect(message(page)).toHaveCount(0);
    await expectTotals(page, AGENT_CPU);
  });

  test("is one of several: the others are opened", async ({ page }, info) => {
    const path = info.outputPath("changing.jfr");
    copyFileSync(SHOP_JFR, path);
    await page.goto("./#view=flame");
    // The browser's handles, taken before the change.
    await page.evaluate(() => {
      const input = document.createElement("input");
      Object.assign(input, { type: "file", multiple: true, id: "handles" });
      document.body.append(input);
    });
    await page.locator("#handles").setInputFiles([path, AGENT]);
    writeFileSync(path, readFileSync(SHOP_JFR).subarray(0, 1000));
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      for (const file of document.querySelector<HTMLInputElement>("#handles")?.files ?? [])
        dataTransfer.items.add(file);
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    });
    await expectTotals(page, AGENT_CPU);
    await expect(message(page)).toContainText("changing.jfr");
    await expect(message(page)).toContainText("choose it again");
  });
});

test("a dropped file that is no recording leaves the open one as it is", async ({ page }) => {
  await openFixture(page, SHOP_JFR);
  await find(page, "operation=pricing.compute");
  await drop(page, { name: "notes.txt", bytes: new TextEncoder().encode("hello") });
  await expect(message(page)).toContainText("notes.txt is plain text, not a recording");
  await expect(message(page)).toContainText("The open recording is unchanged.");
  await expectTotals(page, CPU.attributes.operation?.["pricing.compute"] ?? { samples: -1, value: -1 });
  await page.getByTestId("dismiss").click();
  await expect(message(page)).toHaveCount(0);
  await expect(chips(page)).toHaveCount(1);
});

test("a browser that refuses an entry of the history keeps the page", async ({ page }) => {
  await page.addInitScript(() => {
    history.pushState = () => {
      throw new DOMException("Attempt to use history.pushState() more than 100 times", "SecurityError");
    };
  });
  await openFixture(page, SHOP_JFR);
  for (const type of ["wall", "cpu", "wall"]) await showProfile(page, type);
  await expectTotals(page, profileOf(SHOP, "wall"));
  await expect(page.getByTestId("crashed")).toHaveCount(0);
});

test("a browser without workers says so when files are opened, and the page stays", async ({ page }) => {
  await page.addInitScript(() => {
    window.Worker = class extends EventTarget {
      constructor() {
        super();
        throw new DOMException("workers are not allowed", "SecurityError");
      }
    } as unknown as typeof Worker;
  });
  await page.goto("./#view=flame");
  await drop(page, named("shop.jfr"));
  await expect(message(page)).toHaveAttribute("data-code", "worker.failed");
  await expect(message(page)).toContainText("workers are not allowed");
  await expect(page.getByTestId("open-again")).toBeVisible();
});
