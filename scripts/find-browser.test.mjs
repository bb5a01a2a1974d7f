import { describe, expect, it } from "vitest";
import { browserArgs, defaultPlaces, findBrowser, workersFor } from "./find-browser.mjs";

/** A place that gives these candidates; `broken` ones do not launch. */
const place = (from, ...paths) => ({ from, paths: async () => paths });
const launch = async (path) => (path.startsWith("broken") ? "does not start: no libnss3.so" : null);

describe("findBrowser", () => {
  it("takes the first that launches", async () => {
    const places = [place("installed"), place("own", "broken-1", "good-1"), place("later", "good-2")];
    const found = await findBrowser({ places, launch });
    expect(found).toEqual({ executablePath: "good-1", args: browserArgs(), from: "own" });
  });

  it("asks no installer when a browser is there", async () => {
    const installer = { from: "installer", paths: () => Promise.reject(new Error("must not run")) };
    expect((await findBrowser({ places: [place("installed", "good"), installer], launch })).from).toBe("installed");
  });

  it("says of each place why, when none gives a browser", async () => {
    const offline = { from: "installer", paths: () => Promise.reject(new Error("no network")) };
    const lines = [];
    const none = findBrowser({
      places: [place("installed"), place("own", "broken"), offline],
      launch,
      log: (l) => lines.push(l),
    });
    await expect(none).rejects.toThrow(
      /SPANFLAME_BROWSER.*\n {2}installed: not there\n {2}own: broken: does not start: no libnss3.so\n {2}installer: no network$/,
    );
    expect(lines).toHaveLength(3);
  });

  it("looks where it is told first, then for the build without windows, and installs last", () => {
    const from = (env) => defaultPlaces(env, "linux").map((p) => p.from);
    expect(from({ CHROME_PATH: "a", SPANFLAME_BROWSER: "b" }).slice(0, 4)).toEqual([
      "SPANFLAME_BROWSER",
      "CHROME_PATH",
      "@sparticuz/chromium",
      "installed",
    ]);
    expect(from({}).slice(-2)).toEqual(["playwright install chromium", "apt-get install chromium"]);
  });

  it("has fewer tests at a time in a browser with windows", () => {
    const [first, ...others] = defaultPlaces({}, "linux").map(workersFor);
    expect(first).toBeGreaterThan(Math.max(...others));
  });

  it("gives up the sandbox only as root", () => {
    expect(browserArgs(0)).toContain("--no-sandbox");
    expect(browserArgs(1000)).not.toContain("--no-sandbox");
  });
});
