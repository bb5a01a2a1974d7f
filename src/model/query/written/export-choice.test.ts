import { describe, expect, it } from "vitest";
import { profileSummary } from "../../../../test/kit/otlp/profile.ts";
import {
  exportName,
  firstChoice,
  measureWords,
  resourceChanges,
  settled,
  type WriteChoice,
  writeOptions,
} from "./export-choice.ts";

const SAID = { "process.pid": 3n, "service.name": "shop" };
const FIRST = firstChoice(SAID);
const CHOICE = { ...FIRST, all: false };
const with_ = (changes: Partial<WriteChoice>): WriteChoice => ({ ...CHOICE, ...changes });

const ALLOC = {
  ...profileSummary({
    type: "alloc-samples",
    measures: [
      { name: "bytes", type: "alloc-samples", unit: "bytes", value: 9n },
      { name: "objects", type: "alloc-objects", unit: "count", value: 1n },
    ],
  }),
  measure: 1,
};

describe("the first choice", () => {
  it("has what the recordings say of the process, its service first", () => {
    expect(FIRST.attributes).toEqual([
      { key: "service.name", value: "shop" },
      { key: "process.pid", value: "3" },
    ]);
    expect(FIRST).toMatchObject({ target: "file", format: "otlp", preset: "default", all: true, gzip: false });
  });

  it("has an empty service where none is known", () => {
    expect(firstChoice({}).attributes).toEqual([{ key: "service.name", value: "" }]);
  });
});

describe("settled", () => {
  it("puts away what the format cannot do", () => {
    const all = with_({ pretty: true, withRecordings: true });
    expect(settled(all)).toMatchObject({ pretty: false, withRecordings: true });
    expect(settled({ ...all, format: "otlp-json" })).toMatchObject({ pretty: true, withRecordings: false });
  });

  it("has presets for OTLP only, one profile where a format holds one, gzip where a format is compressed", () => {
    const all = with_({ preset: "otel", all: true, timestamps: true });
    expect(settled(all)).toMatchObject({ preset: "otel", all: true, timestamps: false, gzip: false });
    expect(settled({ ...all, format: "collapsed" })).toMatchObject({ preset: "default", all: false });
    expect(settled({ ...all, format: "pprof" })).toMatchObject({ preset: "default", timestamps: true, gzip: true });
    expect(settled({ ...all, format: "pprof", target: "receiver" }).format).toBe("otlp");
  });

  it("sends no recording", () => {
    expect(settled(with_({ target: "receiver", withRecordings: true })).withRecordings).toBe(false);
  });
});

describe("writeOptions", () => {
  it("has the measure on screen, unless the preset has both or all profiles are written", () => {
    expect(writeOptions(CHOICE, ALLOC, SAID)).toEqual({
      format: "otlp",
      preset: "default",
      pretty: false,
      timestamps: false,
      resource: {},
      measure: 1,
    });
    expect(writeOptions(with_({ preset: "otel" }), ALLOC, SAID).measure).toBeUndefined();
    expect(writeOptions(with_({ format: "pprof" }), ALLOC, SAID).measure).toBeUndefined();
    expect(writeOptions(with_({ all: true }), ALLOC, SAID).measure).toBeUndefined();
  });

  it("is said in words where there is a choice", () => {
    expect(measureWords(CHOICE, ALLOC)).toBe("objects");
    expect(measureWords(with_({ all: true }), ALLOC)).toBe("bytes");
    expect(measureWords(with_({ preset: "pyroscope" }), ALLOC)).toBe("bytes and objects");
    expect(measureWords(CHOICE, profileSummary({ type: "cpu" }))).toBe("");
  });
});

describe("resourceChanges", () => {
  it("is nothing where the rows say what the recordings say", () => {
    expect(resourceChanges(SAID, CHOICE.attributes)).toEqual({});
  });

  it("changes, adds, and takes out", () => {
    const rows = [
      { key: " service.name ", value: "checkout" },
      { key: "team", value: "a" },
      { key: "", value: "no name" },
    ];
    expect(resourceChanges(SAID, rows)).toEqual({ "process.pid": "", "service.name": "checkout", team: "a" });
    expect(resourceChanges(SAID, [{ key: "service.name", value: "" }])).toEqual({
      "process.pid": "",
      "service.name": "",
    });
  });
});

describe("exportName", () => {
  it("says profile, measure and compression", () => {
    expect(exportName(["a.jfr"], CHOICE, ALLOC, {})).toBe("a.alloc-objects.pb");
    expect(exportName(["a.jfr"], with_({ all: true, gzip: true }), ALLOC, {})).toBe("a.all.pb.gz");
  });
});
