import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../test/kit/otlp/profile.ts";
import type { CarriedId } from "../../core/view-types.ts";
import { foundWords, idChip, parseFind, typeOfTrace } from "./find.ts";

const TRACE = 0x6b00b705000000000cb2a068373f9c72n;
const LOW = 0x0cb2a068373f9c72n;

describe("parseFind", () => {
  it("takes ids and attributes", () => {
    expect(parseFind(" 0xff ")).toMatchObject({ kind: "ids", pasted: { ids: [255n] } });
    const tenant = { kind: "attribute", key: "tenant", value: "acme=x" };
    expect(parseFind("tenant = acme=x")).toEqual({ kind: "chip", chip: tenant });
    expect(parseFind("tenant != acme=x")).toEqual({ kind: "chip", chip: { ...tenant, exclude: true } });
    for (const words of ["GET /owners", "=x", "!=x", "checkout", ""]) expect(parseFind(words)).toBeNull();
  });

  it("takes labelled ids as ids, and attributes whose value looks like one as attributes", () => {
    expect(parseFind("dd.span_id=12")).toMatchObject({ kind: "ids", pasted: { ids: [12n] } });
    expect(parseFind(`trace_id=${TRACE.toString(16)}`)).toMatchObject({ kind: "ids", pasted: { trace: TRACE } });
    expect(parseFind(`request.key=${TRACE.toString(16)}`)).toMatchObject({ kind: "chip" });
    expect(parseFind("user=6b00b705-0000-0000-0cb2-a068373f9c72")).toMatchObject({ kind: "chip" });
  });

  it("takes a regular expression between slashes", () => {
    const frame = { kind: "frame", pattern: "^java\\.util/=" };
    expect(parseFind(" /^java\\.util/=/ ")).toEqual({ kind: "chip", chip: frame });
    expect(parseFind("!/^java\\.util/=/")).toEqual({ kind: "chip", chip: { ...frame, exclude: true } });
  });
});

describe("idChip", () => {
  const pasted = { form: "", ids: [TRACE, LOW], trace: TRACE, span: null, wholeTrace: true, labelled: true };
  it("takes what samples carry, else the trace, else a span", () => {
    expect(idChip(pasted, { kind: "span", id: LOW, ids: [LOW], trace: null, asked: LOW, profiles: [1] })).toEqual({
      kind: "span",
      id: LOW,
    });
    expect(idChip(pasted, null)).toEqual({ kind: "local-root", id: TRACE });
    expect(idChip({ ...pasted, ids: [LOW], trace: null }, null)).toEqual({ kind: "span", id: LOW });
  });
});

describe("typeOfTrace", () => {
  const profiles = ["cpu", "wall", "alloc-samples"].map((type, id) => profileSummary({ id, type, otlpType: type }));
  it("prefers Wall, then the current profile, then any with samples of the trace", () => {
    expect(typeOfTrace(profiles, [0, 1, 2], "cpu")).toBe("wall");
    expect(typeOfTrace(profiles, [0, 2], "alloc-samples")).toBe("alloc-samples");
    expect(typeOfTrace(profiles, [0], "alloc-samples")).toBe("cpu");
    expect(typeOfTrace(profiles, [], "cpu")).toBe("cpu");
  });
});

describe("foundWords", () => {
  it("tells by which other id a trace was found", () => {
    const found: CarriedId = { kind: "local-root", ids: [], trace: null, id: LOW, asked: LOW, profiles: [] };
    expect(foundWords({ trace: TRACE }, found)).toContain("lower 64 bits");
    expect(foundWords({ trace: TRACE }, { ...found, id: 12n, asked: 12n })).toContain("beside the trace id");
    expect(foundWords({ trace: TRACE }, { ...found, id: 12n })).toContain("a span of this trace");
    expect(foundWords({ trace: TRACE }, { ...found, id: TRACE, asked: TRACE })).toBe("");
    expect(foundWords({ trace: null }, found)).toBe("");
  });
});
