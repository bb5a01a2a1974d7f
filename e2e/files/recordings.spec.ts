/**
 * Every recording that is present opens, and every view, list and part of the timeline has the core's answer for the
 * same file. Other people's recordings lie beside the repository, if they are present.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { coreOf } from "../kit/core.ts";
import { drop, expect, fromDisk, showProfile, test } from "../kit/page.ts";
import { eachView } from "../kit/views.ts";

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
const SHARED = path("../../../shared/recordings/");
const FOLDERS = [path("../../fixtures/recorded/"), join(SHARED, "made"), join(SHARED, "public")];

const all = FOLDERS.filter(existsSync).flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => /\.jfr(\.\w+)?$/.test(name))
    .map((name) => join(folder, name)),
);
/** Without that long work the first and the last: of async-profiler and of the JDK (scripts/long-work.mjs). */
const isWhole = !(process.env.SPANFLAME_SKIP ?? "").split(",").includes("matrices");
const files = isWhole ? all : all.filter((_, i) => i === 0 || i === all.length - 1);
/** Several to a test: the page is opened again for each file, the browser is not. */
const PER_TEST = 9;

for (let first = 0; first < files.length; first += PER_TEST) {
  const some = files.slice(first, first + PER_TEST);
  test(`every view of recordings ${first + 1} to ${first + some.length}`, async ({ page }) => {
    test.setTimeout(240_000);
    for (const file of some) {
      await test.step(file.split(/[\\/]/).at(-1) ?? "", async () => {
        const core = await coreOf([file]);
        const profile = core.profiles()[0];
        // The page anew: of a document that stays, the file before would still be open, and its last profile asked for.
        await page.goto("about:blank");
        await page.goto("./#view=flame");
        await drop(page, fromDisk(file));
        if (profile === undefined) {
          await expect(page.getByTestId("nothing").or(page.getByTestId("message").first()).first()).toBeVisible();
          return;
        }
        const { samples, value } = core.select(profile.id, {});
        await showProfile(page, profile.type);
        await expect(page.getByTestId("total-samples")).toHaveAttribute("data-exact", samples.toString());
        await expect(page.getByTestId("total-value")).toHaveAttribute("data-exact", value.toString());
        // Lists of libraries and of inferred context are there at the end.
        await expect(page.getByTestId("incoming")).toHaveCount(0);
        for (const tab of await page.locator("[data-testid^=by-]:not([data-empty])").all()) {
          await tab.click();
          await expect(page.getByTestId("rank-row").first()).toBeVisible();
        }
        await eachView(page);
        if (core.views.timeBounds() !== null) {
          for (const part of ["lanes-toggle", "heat-toggle"]) {
            const toggle = page.getByTestId(part);
            if (await toggle.isVisible()) await toggle.click();
          }
        }
        await expect(page.getByTestId("message").filter({ hasText: /page|worker|decoder stopped/i })).toHaveCount(0);
      });
    }
  });
}

if (!existsSync(SHARED)) test.skip("recordings of others: skipped, there are no shared recordings", () => {});
