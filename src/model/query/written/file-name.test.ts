import { describe, expect, it } from "vitest";
import { downloadName } from "./file-name.ts";

describe("downloadName", () => {
  it("says file, profile and filters", () => {
    expect(downloadName(["recording.jfr"], "cpu", {}, "otlp")).toBe("recording.cpu.pb");
    const query = { localRoot: [4657n], span: [9n], attributes: [{ key: "tenant", value: "acme" }] };
    expect(downloadName(["a/b/rec.jfr.gz"], "wall", query, "otlp-json")).toBe(
      "rec.wall.root-4657.span-9.tenant-acme.json",
    );
  });

  it("names several files, all profiles, and nothing at all", () => {
    expect(downloadName(["a.jfr", "b.jfr", "c.jfr"], null, {}, "otlp")).toBe("a-and-2-more.all.pb");
    expect(downloadName([], null, {}, "otlp")).toBe("recording.all.pb");
  });

  it("keeps hostile names harmless and short", () => {
    const query = { attributes: [{ key: "../../etc", value: 'x"\u202e<b>/'.repeat(99) }] };
    const name = downloadName([".hidden/..\\con\u0000:.jfr"], "cpu:jdk.ExecutionSample", query, "otlp");
    expect(name).toMatch(/^con\.cpu-jdk\.ExecutionSample\.[\p{L}\p{N}._-]+\.pb$/u);
    expect(name.length).toBeLessThan(220);
    expect(downloadName(["zürich-北京.jfr"], "cpu", {}, "otlp")).toBe("zürich-北京.cpu.pb");
  });
});
