import { describe, expect, it } from "vitest";
import type { ChunkSummary, FileSummary } from "../../core/types.ts";
import { fileCounts, fileFacts, processFacts } from "./about.ts";

function file(resource: Record<string, string>, chunks: ChunkSummary[] = []): FileSummary {
  return { name: "a.jfr", bytes: 1, format: "jfr", chunks, messages: [], samples: 0, resource };
}

function chunk(startUnixNano: bigint, durationNano: bigint, events: Record<string, number>): ChunkSummary {
  return { version: "2.1", bytes: 1, startUnixNano, durationNano, events };
}

describe("processFacts", () => {
  it("names what a reader looks for, and the system by its name", () => {
    const facts = processFacts(
      file({
        "os.description": 'PRETTY_NAME="Debian GNU/Linux 12" ID=debian uname: Linux 6.18.44-generic #1 SMP x86_64',
        "process.pid": "3",
        "process.runtime.name": "OpenJDK 64-Bit Server VM",
        "process.runtime.version": "17.0.15+6",
        "service.name": "demo-shop",
      }),
    );
    expect(facts.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Service: demo-shop",
      "Runtime: OpenJDK 64-Bit Server VM 17.0.15+6",
      "Process id: 3",
      "System: Debian GNU/Linux 12, Linux 6.18.44-generic",
    ]);
  });

  it("keeps a system it cannot take apart, and says nothing of what is not known", () => {
    expect(processFacts(file({ "os.description": "Bsd 9" }))).toEqual([{ label: "System", value: "Bsd 9" }]);
    expect(processFacts(file({}))).toEqual([]);
  });
});

describe("fileFacts", () => {
  it("spans all chunks, whatever their order", () => {
    const chunks = [chunk(200n, 50n, { a: 2 }), chunk(100n, 60n, { a: 1, b: 4 })];
    expect(fileFacts(file({}, chunks))).toEqual({ chunks: 2, events: 7, startUnixNano: 100n, durationNano: 150n });
    expect(fileFacts(file({}))).toEqual({ chunks: 0, events: 0, startUnixNano: 0n, durationNano: 0n });
  });
});

describe("fileCounts", () => {
  it("of a run of a dump is its calls, if they are known", () => {
    const run: FileSummary = { ...file({}), format: "cdt", messages: [] };
    expect(fileCounts(run, 2)).toEqual(["2 calls"]);
    expect(fileCounts(run)).toEqual([]);
  });
});
