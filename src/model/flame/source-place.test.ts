import { describe, expect, it } from "vitest";
import { sourcePlace } from "./source-place.ts";

const NOWHERE = { file: "", first: 0, last: 0 };

describe("the source of a frame", () => {
  it("is the file of the outermost class, with the lines that were sampled", () => {
    const at = (name: string, first = 118, last = first) => sourcePlace({ file: "", first, last }, name, true, false);
    expect(at("com.acme.Ops$Pricing.compute")).toEqual({
      path: "com/acme/Ops.java",
      line: 118,
      words: "Ops.java:118",
      library: "",
    });
    expect(at("com.acme.Ops.compute", 118, 131)?.words).toBe("Ops.java:118–131");
    expect(at("com.acme.MainKt.main")?.path).toBe("com/acme/Main.kt");
    expect(at("Main.main")?.path).toBe("Main.java");
    expect(at("Shop$$Lambda.run", 0)?.words).toBe("Shop.java");
  });

  it("is in the folder of the package where the recording names a file without one", () => {
    const at = (file: string, name: string) => sourcePlace({ ...NOWHERE, file }, name, true, false)?.path;
    expect(at("Ops.kt", "com.acme.Ops$Inner.run")).toBe("com/acme/Ops.kt");
    expect(at("src/Ops.kt", "com.acme.Ops.run")).toBe("src/Ops.kt");
    expect(at("Ops.kt", "run")).toBe("Ops.kt");
  });

  it("is the line of the frame where frames are split by line", () => {
    const place = sourcePlace({ file: "", first: 1, last: 99 }, "com.acme.Ops.compute:42", true, true);
    expect(place).toEqual({ path: "com/acme/Ops.java", line: 42, words: "Ops.java:42", library: "" });
  });

  it("is the file that the recording names", () => {
    expect(sourcePlace({ file: "/src/main.go", first: 7, last: 9 }, "main.run", false, false)).toEqual({
      path: "/src/main.go",
      line: 7,
      words: "main.go:7–9",
      library: "",
    });
  });

  it("shows no character that turns the words around", () => {
    expect(sourcePlace({ file: "a\u202e.go", first: 0, last: 0 }, "f", false, false)?.words).not.toContain("\u202e");
  });

  it("is nothing where nothing tells it", () => {
    expect(sourcePlace(NOWHERE, "memcpy", false, false)).toBeNull();
    expect(sourcePlace(NOWHERE, "[vdso]+0xbe1", true, false)).toBeNull();
    expect(sourcePlace(NOWHERE, "", true, false)).toBeNull();
  });
});
