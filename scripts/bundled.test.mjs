/** The list of bundled packages and the advisories about them; and the workflows that use them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildOnce } from "../test/kit/build-once.ts";
import { advisoriesOf, bundledIn, npmJson, sbomOf } from "./bundled.mjs";
import { ROOT } from "./run.mjs";

const NOTICES = `Code of these packages.

----
react 19.3.1 (MIT)
@base-ui/react 1.9.0 (MIT)
----

Copyright (c) 2020 Someone (and others)
Version 2.0 (January 2004)

----
gecko-profiler-demangle 0.4.0-rc.1 (Apache-2.0 OR MIT)
react 19.3.1 (MIT)
`;
const BUNDLED = ["@base-ui/react@1.9.0", "gecko-profiler-demangle@0.4.0-rc.1", "react@19.3.1"];

it("bundled packages are those in the titles of the notices", () => {
  expect(bundledIn(NOTICES)).toEqual(BUNDLED);
});

describe("advisories", () => {
  const advisory = { severity: "high", title: "It leaks", range: "<2", url: "https://example.org/1" };
  it("are those about bundled packages themselves", () => {
    const vulnerabilities = {
      react: { name: "react", via: [advisory, "scheduler"] },
      vite: { name: "vite", via: [advisory] },
      "@base-ui/react": { name: "@base-ui/react", via: ["vite"] },
    };
    const line = "react <2: high: It leaks (https://example.org/1)";
    expect(advisoriesOf({ vulnerabilities }, BUNDLED)).toEqual([line]);
  });

  it("are not none where npm has no answer", () => {
    expect(() => advisoriesOf({ message: "offline" }, BUNDLED)).toThrow("npm audit: offline");
    expect(() => advisoriesOf({}, BUNDLED)).toThrow("no answer");
  });
});

describe("the list for a release", () => {
  let bundled;
  beforeAll(async () => {
    await buildOnce("command line");
    bundled = bundledIn(readFileSync(join(ROOT, "dist-node", "THIRD-PARTY-NOTICES.txt"), "utf8"));
  }, 120_000);

  it("has the packages in a build and no others", async () => {
    const all = await npmJson("sbom", "--sbom-format", "cyclonedx", "--package-lock-only");
    const { components, dependencies, bomFormat } = sbomOf(all, bundled);
    expect(bundled).toContainEqual(expect.stringMatching(/^commander@/));
    expect([bomFormat, components.map((each) => each["bom-ref"]).sort()]).toEqual(["CycloneDX", bundled]);
    expect(dependencies.length).toBe(bundled.length + 1);
    for (const { ref } of dependencies) expect([...bundled, all.metadata.component["bom-ref"]]).toContain(ref);
    for (const { purl } of components) expect(purl).toMatch(/^pkg:npm\//);
  });

  it("is refused without one of them", async () => {
    const sbom = { metadata: { component: { "bom-ref": "a@1.0.0" } }, components: [], dependencies: [] };
    expect(() => sbomOf(sbom, ["b@1.0.0"])).toThrow("npm sbom does not list b@1.0.0");
  });
});

const FOLDER = join(ROOT, ".github", "workflows");
describe.each(readdirSync(FOLDER))("the workflow %s", (file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  it("pins each action to a commit, and names its version", () => {
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action);
    expect(uses.length).toBeGreaterThan(0);
    for (const action of uses) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("may read the repository only; one job publishes, one makes the release, one pushes the site", () => {
    expect(text).toMatch(/^permissions:\n {2}contents: read\n/m);
    const rights = [...text.matchAll(/^ +[\w-]+: write$/gm)].map(([line]) => line.trim());
    const isNeeded = [
      ["npm publish", "id-token: write"],
      ["gh release create", "contents: write"],
      ["gh-pages", "contents: write"],
    ];
    expect(rights).toEqual(isNeeded.flatMap(([by, right]) => (text.includes(by) ? [right] : [])));
  });
});
