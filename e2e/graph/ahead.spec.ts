/** The graph's question is asked before the page is rendered for an action, and once. */
import type { Page } from "@playwright/test";
import { fixture } from "../kit/expected.ts";
import { drop, expect, openFixture, showView, test } from "../kit/page.ts";

declare global {
  interface Window {
    /** Questions to workers: their names, and how many filters the page showed then. */
    questions?: string[];
  }
}

const DD = fixture("recorded/dd152-jdk17-all.jfr");

async function watch(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const questions: string[] = [];
    window.questions = questions;
    const { postMessage } = Worker.prototype;
    type Message = { path?: string[]; argumentList?: { value: unknown }[] };
    Worker.prototype.postMessage = function (this: Worker, message: Message, ...rest: unknown[]) {
      const chips = document.querySelectorAll("[data-testid=chip]").length;
      questions.push(`${message.path?.[0] === "ask" ? message.argumentList?.[0]?.value : ""} ${chips}`);
      return (postMessage as (...all: unknown[]) => void).call(this, message, ...rest);
    } as typeof postMessage;
  });
}

/** The questions of a kind since the last call. */
async function asked(page: Page, method: string): Promise<string[]> {
  const all = await page.evaluate(() => window.questions?.splice(0) ?? []);
  return all.filter((question) => question.startsWith(`${method} `));
}

test("a chosen root and a removed filter ask for their frames before they are rendered, once", async ({ page }) => {
  await watch(page);
  await openFixture(page, DD);
  await asked(page, "frames");
  await page.getByTestId("rank-row").first().click();
  await expect(page.getByTestId("chip")).toHaveCount(1);
  await expect(page.getByTestId("selection")).toHaveAttribute("aria-busy", "false");
  expect(await asked(page, "frames")).toEqual(["frames 0"]);
  await page.getByTestId("chip").getByRole("button").first().click();
  await expect(page.getByTestId("chip")).toHaveCount(0);
  await expect(page.getByTestId("folded")).toBeVisible();
  expect(await asked(page, "frames")).toEqual(["frames 1"]);
});

test("what does not change the graph asks for no frames, and Why asks once for its figures", async ({ page }) => {
  await watch(page);
  await openFixture(page, DD);
  await asked(page, "frames");
  await page.getByTestId("search").fill("total");
  await expect(page.getByTestId("search-found")).toBeVisible();
  await page.getByTestId("view-overview").click();
  await expect(page.getByTestId("why-sentence")).toHaveAttribute("aria-busy", "false");
  const questions = await page.evaluate(() => window.questions?.splice(0) ?? []);
  expect(questions.filter((question) => question.startsWith("frames "))).toEqual([]);
  expect(questions.filter((question) => question.startsWith("why "))).toHaveLength(1);
});

test("Sandwich asks before it is rendered once its width is known, and asks once for another function", async ({
  page,
}) => {
  await watch(page);
  await openFixture(page, DD);
  await showView(page, "sandwich");
  await expect(page.getByTestId("callees-of")).toBeVisible();
  await showView(page, "top");
  await expect(page.getByTestId("top-row").first()).toBeVisible();
  await asked(page, "sandwich");
  await page.evaluate(() => {
    const tab = document.querySelector<HTMLElement>("[data-testid=view-sandwich]");
    tab?.click();
    window.questions?.push("after the click");
  });
  await expect(page.getByTestId("callees-of")).toBeVisible();
  const questions = (await page.evaluate(() => window.questions?.splice(0) ?? [])).filter((each) =>
    /^(sandwich|after) /.test(each),
  );
  expect(questions).toEqual(["sandwich 0", "after the click"]);
});

for (const [count, times] of [
  ["many", 1],
  ["few", 0],
] as const)
  test(`the sentence about ${count} samples is asked for ${times === 0 ? "in Overview only" : "while the graph is viewed"}`, async ({
    page,
  }) => {
    await watch(page);
    await page.goto("./#view=flame");
    const text = "main;Cart.check 1\n".repeat(times === 0 ? 300 : 300_000);
    await drop(page, { name: "stacks.collapsed", bytes: Buffer.from(text) });
    await expect(page.getByTestId("flame")).toBeVisible();
    const questions: string[] = [];
    const isAsked = async () => questions.push(...(await asked(page, "sentence")));
    if (times === 1) await expect.poll(isAsked).toBe(1);
    await showView(page, "overview");
    await expect(page.getByTestId("why-sentence")).toHaveAttribute("aria-busy", "false");
    await isAsked();
    expect(questions).toHaveLength(1 + times);
  });
