import { describe, expect, it } from "vitest";
import { chooseIdKind, parseFind } from "./find.ts";

describe("parseFind", () => {
  it("takes ids and attributes", () => {
    expect(parseFind(" 0xff ")).toEqual({ kind: "id", id: 255n });
    const tenant = { kind: "attribute", key: "tenant", value: "acme=x" };
    expect(parseFind("tenant = acme=x")).toEqual({ kind: "chip", chip: tenant });
    expect(parseFind("tenant != acme=x")).toEqual({ kind: "chip", chip: { ...tenant, exclude: true } });
    expect(parseFind("GET /owners")).toMatchObject({ kind: "error" });
    expect(parseFind("=x")).toMatchObject({ kind: "error" });
    expect(parseFind("!=x")).toMatchObject({ kind: "error" });
  });

  it("takes a regular expression between slashes", () => {
    const frame = { kind: "frame", pattern: "^java\\.util/=" };
    expect(parseFind(" /^java\\.util/=/ ")).toEqual({ kind: "chip", chip: frame });
    expect(parseFind("!/^java\\.util/=/")).toEqual({ kind: "chip", chip: { ...frame, exclude: true } });
  });
});

describe("chooseIdKind", () => {
  it("prefers the root where it has samples", () => {
    const some = { samples: 3, value: 3n };
    const none = { samples: 0, value: 0n };
    expect(chooseIdKind(1n, [none, some])).toBe("local-root");
    expect(chooseIdKind(1n, [none])).toBe("span");
    expect(chooseIdKind(1n << 64n, [none])).toBe("local-root");
    expect(chooseIdKind(1n, [])).toBe("span");
  });
});
