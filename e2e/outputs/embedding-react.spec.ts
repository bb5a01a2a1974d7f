/** The React component in the example page, bundled by Vite as the page of a user is. */
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expectNothingByAxe, GRAPH } from "../kit/axe.ts";
import { embedded } from "../kit/embedded.ts";
import { profileOf, SHOP } from "../kit/expected.ts";
import { expect } from "../kit/page.ts";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const test = embedded(async () => {
  const outDir = pathOf("../../.cache/example-react");
  await build({
    root: pathOf("../../examples/react"),
    logLevel: "warn",
    // Tests are no production.
    define: { "process.env.NODE_ENV": '"production"' },
    build: { outDir, emptyOutDir: true },
  });
  return outDir;
});

test("two graphs of one recording follow the state of the page, with one worker", async ({ page }) => {
  await page.goto("./");
  const [graph, sandwich] = [page.locator(".graph").first(), page.locator(".graph").last()];
  const total = (of: typeof graph) => of.getByTestId("total-value");
  await expect(total(graph)).toHaveAttribute("data-exact", String(profileOf(SHOP, "cpu").value));
  await expect(sandwich.getByTestId("callees-of").locator("g.frame").first()).toBeVisible();
  await page.getByRole("combobox").selectOption("wall");
  const wall = profileOf(SHOP, "wall");
  await expect(total(graph)).toHaveAttribute("data-exact", String(wall.value));
  await expect(total(sandwich)).toHaveAttribute("data-exact", String(wall.value));
  // A frame that is selected in the graph is the function of the sandwich.
  const name = "shop.Shop$Front.checkout";
  await graph.locator(`g.frame[aria-label="${name}"]`).click();
  await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(`Callers and callees of ${name}`);
  await expect(sandwich.getByTestId("sandwich-name")).toHaveText(name);
  expect(page.workers().filter((worker) => worker.url().includes("viewer-worker"))).toHaveLength(1);
  await expectNothingByAxe(page, { without: [GRAPH] });
  // The same module defines the element.
  await page.evaluate(() => {
    const element = document.createElement("span-flame");
    element.src = "/recording.jfr";
    document.querySelector("main")?.replaceChildren(element);
  });
  await expect(page.locator("span-flame").getByTestId("total-samples")).toHaveCount(1);
});
