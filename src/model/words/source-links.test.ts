import { describe, expect, it } from "vitest";
import { SOURCE_TOOLS, sourceLink, templateFault } from "./source-links.ts";

describe("links to the source", () => {
  it("of every tool open the line of the file", () => {
    expect(SOURCE_TOOLS.map(({ template }) => sourceLink(template, "com/acme/Ops.java", 118))).toEqual([
      "https://github.com/OWNER/REPOSITORY/blob/main/src/main/java/com/acme/Ops.java#L118",
      "idea://open?file=/PROJECT/src/main/java/com/acme/Ops.java&line=118",
      "vscode://file/PROJECT/src/main/java/com/acme/Ops.java:118",
    ]);
  });

  it("encode what a recording has in its names", () => {
    const [github] = SOURCE_TOOLS;
    const link = sourceLink(github?.template ?? "", '//evil"><script>/$&/a b#.java', 0) ?? "";
    expect(new URL(link).pathname).toBe(
      "/OWNER/REPOSITORY/blob/main/src/main/java/evil%22%3E%3Cscript%3E/%24%26/a%20b%23.java",
    );
    expect(new URL(link).hash).toBe("#L1");
  });

  it("refuse every scheme that is no page or editor, and templates without a file", () => {
    for (const template of [
      "javascript:alert(1)//{path}",
      " JavaScript:{path}",
      "data:text/html,{path}",
      "file:///{path}",
      "{path}",
      "",
    ]) {
      expect(templateFault(template)).toMatch(/^A link begins with https:/);
      expect(sourceLink(template, "a/B.java", 1)).toBeNull();
    }
    expect(templateFault("https://github.com/acme/shop")).toContain("{path} is missing");
    expect(sourceLink("{path}", "javascript:alert(1)", 1)).toBeNull();
  });
});
