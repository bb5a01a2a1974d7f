/** Inferred context comes with the end of a recording: controls that are made anew then lose the focus. */
import { fixture } from "../kit/expected.ts";
import { drop, expect, fromDisk, test } from "../kit/page.ts";
import { chunksOf, slowFiles } from "../kit/slow-file.ts";

declare global {
  interface Window {
    /** Controls in the order of Tab, each with its name. */
    controls: () => [name: string, element: Element][];
    /** Those of the picture before the context came. */
    shown: [name: string, element: Element][];
  }
}

const listing = () => {
  window.controls = () => {
    const all = [...document.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']")];
    return all.map((element) => {
      const id = element.closest("[data-testid]")?.getAttribute("data-testid");
      const name = element.getAttribute("aria-label") ?? element.closest("label")?.textContent;
      return [`${element.tagName} ${id} ${name ?? element.textContent}`, element];
    });
  };
};

test("the first picture is there before the code that infers context", async ({ page }) => {
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.context().route(/\/contexts-[\w-]+\.js$/, async (route) => {
    asked++;
    await held;
    await route.continue();
  });
  await page.goto("./#view=flame");
  await drop(page, fromDisk(fixture("../public/sample.jfr")));
  await expect(page.getByTestId("rank-row").first()).toBeVisible();
  await expect(page.getByTestId("flame").getByRole("treeitem").first()).toBeVisible();
  expect(asked).toBeGreaterThan(0);
  await expect(page.getByText("Context: inferred")).toHaveCount(0);
  release();
  await expect(page.getByTestId("inferred-context")).toHaveText(/Context: inferred/);
});

for (const [name, view] of [
  ["traces/ddctx-jdk17.jfr", "flame"],
  ["traces/ddctx-jdk17.jfr", "overview"],
  ["traces/relay-dd17.jfr", "top"],
  ["../public/sample.jfr", "flame"],
  ["../public/sample.jfr", "overview"],
  ["recorded/ddagent-jdk17.jfr", "flame"],
] as const) {
  test(`controls of the first picture are kept when the context of ${name} is inferred, in ${view}`, async ({
    page,
  }) => {
    const [, end = 0] = chunksOf(fixture(name));
    const readOn = await slowFiles(page, end);
    await page.addInitScript(listing);
    await page.goto(`./#view=${view}`);
    await drop(page, fromDisk(fixture(name)));
    await expect(page.getByTestId("incoming")).toBeVisible();
    await expect(page.getByTestId("total-samples").or(page.getByTestId("why-headline")).first()).toBeVisible();
    if (view === "overview") await page.getByTestId("list-toggle").click();
    await expect(page.getByTestId("rank-row").first()).toBeVisible();
    await expect(page.getByText("Context: inferred")).toHaveCount(0);
    const told = page.getByTestId("why-sentence");
    if (view === "overview") await expect(told).toHaveAttribute("aria-busy", "false");
    const count = await page.evaluate(() => {
      window.shown = window.controls();
      return window.shown.length;
    });
    expect(count).toBeGreaterThan(30);
    await page.getByTestId("search").or(page.getByTestId("id-input")).first().focus();
    await readOn(Number.POSITIVE_INFINITY);
    await expect(page.getByTestId("inferred-context")).toHaveText(/Context: inferred/);
    await expect(page.getByTestId("incoming")).toHaveCount(0);
    if (view === "overview") await expect(told).toHaveAttribute("aria-busy", "false");
    const anew = await page.evaluate(() => {
      const gone = window.shown.filter(([, { isConnected }]) => !isConnected).map(([control]) => control);
      const now = window.controls().map(([control]) => control);
      return gone.filter((control) => now.includes(control));
    });
    expect(anew).toEqual([]);
    await expect(page.getByTestId("search").or(page.getByTestId("id-input")).first()).toBeFocused();
  });
}
