import { expect, it } from "vitest";
import { stackMarkdown } from "./frame-actions.ts";

const DETAIL = {
  name: "compute",
  kind: "Java",
  place: "Ops.java:118",
  value: "12 samples",
  self: "self 3 samples",
  ofTotal: "7.0 % of total",
  ofParent: "",
  hidden: "",
};

it("is the figures, then the frames as code, whatever is in their names", () => {
  expect(stackMarkdown("compute\nmain", DETAIL)).toBe(
    "Ops.java:118 · 12 samples · self 3 samples · 7.0 % of total\n\n```text\ncompute\nmain\n```\n",
  );
  expect(stackMarkdown("a```b", DETAIL)).toContain("````text\na```b\n````");
});
