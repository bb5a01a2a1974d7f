import { describe, expect, it } from "vitest";
import { timeOfId } from "../../trace/id-time.ts";
import { askedTrace, bareId } from "./linked-trace.ts";
import { hashToQuery } from "./query-hash.ts";

const TRACE = 0x4bf92f3577b34da6a3ce929d0e0e4736n;

describe("a link of another tool", () => {
  it.each([
    ["#trace=4bf92f3577b34da6a3ce929d0e0e4736&span=0x1f&around=1m", TRACE, 31n, 60_000_000_000n],
    ["#trace=S%2FkvNXezTaajzpKdDg5HNg==&around=30s", TRACE, null, 30_000_000_000n],
    ["#trace=S/kvNXezTaajzpKdDg5HNg%3D%3D&around=250ms", TRACE, null, 250_000_000n],
    ["#root=00-4bf92f3577b34da6a3ce929d0e0e4736-000000000000001f-01&around=2h", TRACE, null, 7_200_000_000_000n],
    ["#span=31&around=soon", null, 31n, 60_000_000_000n],
  ])("%s asks for its ids", (hash, trace, span, around) => {
    const asked = askedTrace(hash);
    expect([asked?.trace?.trace ?? null, asked?.span?.ids[0] ?? null, asked?.around]).toEqual([trace, span, around]);
  });

  it("asks for nothing without the time around it, or without an id", () => {
    expect(["", "#trace=4bf92f3577b34da6a3ce929d0e0e4736", "#around=1m", "#trace=&around=1m"].map(askedTrace)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("selects nothing before the files are there", () => {
    const query = hashToQuery("#type=wall&trace=4bf92f3577b34da6a3ce929d0e0e4736&span=31&root=7&around=1m");
    expect([query.type, query.filter, query.trace.id]).toEqual(["wall", {}, ""]);
  });
});

it("an id alone opens as if it were pasted", () => {
  const id = (hash: string) => bareId(hashToQuery(hash));
  expect(["#root=7", "#span=9&by=span", "#root=7&view=chart", "#root=7&root=8", ""].map(id)).toEqual([
    7n,
    9n,
    null,
    null,
    null,
  ]);
});

it("ids of AWS and Datadog say when their trace began, others do not", () => {
  expect(timeOfId(0x5759e988bd862e3fe1be46a994272793n)).toBe(1_465_510_280_000_000_000n);
  expect(timeOfId(0x6650_0000_0000_0000_0000_0000_0000_0001n)).toBe(0x66500000n * 1_000_000_000n);
  expect([timeOfId(7n), timeOfId(1n << 124n)]).toEqual([null, null]);
});
