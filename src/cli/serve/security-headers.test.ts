/** The policies are written in several places: they must agree. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OUTWARD } from "../../model/words/outward.ts";
import { OUTWARD_POLICY, PAGE_POLICY, SECURITY_HEADERS } from "./security-headers.ts";

describe("the policy of the page", () => {
  it("is in its document, for static hosting", () => {
    expect(readFileSync("index.html", "utf8")).toContain(`content="${PAGE_POLICY}"`);
  });

  it("is in the guide to hosting, with the other headers", () => {
    const guide = readFileSync("docs/hosting.md", "utf8");
    expect(guide).toContain(`"${SECURITY_HEADERS["content-security-policy"]}"`);
    const workers = [...new Set(OUTWARD.flatMap(({ worker }) => (worker === undefined ? [] : [worker])))].sort();
    expect(guide).toContain(`~/assets/(${workers.join("|")})-\n        "${OUTWARD_POLICY}"`);
    const plain = Object.entries(SECURITY_HEADERS).filter(
      ([name]) => !/^(content-security-policy|cache-control)$/.test(name),
    );
    expect(plain.filter(([name, value]) => !guide.includes(`| \`${name}\` | \`${value}\` |`))).toEqual([]);
  });
});
