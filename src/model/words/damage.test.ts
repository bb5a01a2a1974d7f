import { describe, expect, it } from "vitest";
import type { Diagnostic, FileSummary } from "../../core/types.ts";
import { damageGroups, isNote } from "./damage.ts";

const SHOP: FileSummary = {
  name: "shop.jfr",
  bytes: 300,
  format: "jfr",
  chunks: [
    { version: "2.1", bytes: 200, startUnixNano: 0n, durationNano: 1n, events: {} },
    { version: "2.1", bytes: 120, headerBytes: 300, startUnixNano: 0n, durationNano: 1n, events: {} },
  ],
  messages: [],
  samples: 3,
  resource: {},
};

function diagnostic(code: string, message = "", more: Partial<Diagnostic> = {}): Diagnostic {
  return { code, severity: "error", message, file: "shop.jfr", chunk: 1, offset: 129, ...more };
}

const facts = (...diagnostics: Diagnostic[]) => damageGroups(diagnostics, [SHOP]).map(({ fact }) => fact);

describe("damage in words", () => {
  it("says how much of a recording that is cut off could be read", () => {
    expect(facts(diagnostic("jfr.chunk.truncated"))).toEqual([
      "The recording is cut off: 64.0 % of it could be read, 3 samples recovered",
    ]);
  });

  it("says where a recording is damaged, in parts of the file", () => {
    expect(facts(diagnostic("jfr.event.size"))).toEqual(["Damaged at 43.0 %: some events after it are missing"]);
  });

  it("makes the file the subject where it is no recording", () => {
    const message = "the file is a PNG image, not a recording (27517 bytes, starting with 89 50; offset 0)";
    const [group] = damageGroups([diagnostic("source.foreign", message, { file: "shot.png" })], []);
    expect(group?.fact).toBe("shot.png is a PNG image, not a recording");
  });

  it("a foreign file in an archive is a note; one that the user chose is an error", () => {
    const foreign = diagnostic("source.foreign", "jfr: the file is plain text", { file: "a.zip/readme.txt" });
    expect(isNote({ ...foreign, severity: "warning" })).toBe(true);
    expect(isNote({ ...foreign, severity: "error" })).toBe(false);
    expect(isNote({ ...foreign, code: "jfr.stack.damaged", severity: "warning" })).toBe(false);
    expect(isNote({ ...foreign, code: "jfr.stack.damaged", severity: "info" })).toBe(true);
  });

  it("groups equal ones of a file, the gravest first, and tells unlike ones apart", () => {
    const info = { severity: "info" } as const;
    const groups = damageGroups(
      [
        ...Array.from({ length: 10 }, (_, i) => diagnostic("jfr.snapshot.superseded", `${i}`, info)),
        diagnostic("otlp.text", "otlp: 3 texts not in UTF-8 (message 0, offset 5)"),
        diagnostic("otlp.text", "otlp: 3 texts not in UTF-8 (message 1, offset 99)"),
        diagnostic("otlp.text", "otlp: a text not in UTF-8 (message 2, offset 120)"),
      ],
      [SHOP],
    );
    expect(groups.map(({ fact, count }) => [fact, count])).toEqual([
      ["3 texts not in UTF-8", 2],
      ["A text not in UTF-8", 1],
      ["A newer list of live objects replaced an earlier one", 10],
    ]);
  });
});
