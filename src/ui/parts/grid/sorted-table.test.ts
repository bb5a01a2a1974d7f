import { describe, expect, it } from "vitest";
import { CALL_COLUMNS } from "../../views/calls/call-columns.tsx";
import { operationColumns } from "../../views/operations/operation-columns.tsx";
import { fitColumns } from "./SortedTable.tsx";

const A = { name: "a", room: 100, rank: 3 };
const B = { name: "b", room: "minmax(0, 1fr)", least: 50, rank: 1 };
const C = { name: "c", room: 20, rank: 2 };
const D = { name: "d", room: 10, rank: 4, leaves: 100 };
const ALL = [A, B, C, D];
/** Padding, and the columns with the gap beside each. */
const ROOM = 40 + 108 + 58 + 28 + 18;

describe("the columns that fit", () => {
  const names = (width: number) =>
    fitColumns(ALL, width)
      .map(({ name }) => name)
      .join("");

  it("are those of the least ranks, in the order of the table", () => {
    expect(names(ROOM + 100)).toBe("abcd");
    expect(names(ROOM - 18)).toBe("abc");
    expect(names(ROOM - 19)).toBe("bc");
  });

  it("leave the growing columns the room that a column asks for", () => {
    expect(names(ROOM + 99)).toBe("abc");
  });

  it("are at least two", () => {
    expect(names(0)).toBe("bc");
  });

  it("have names before figures in tables of calls and operations", () => {
    const calls = (width: number) => fitColumns(CALL_COLUMNS, width).map(({ sort }) => sort);
    expect(calls(2000)).toHaveLength(CALL_COLUMNS.length);
    expect(calls(320)).toEqual(["duration", "name"]);
    const operations = operationColumns({ rail: null, source: "files", of: "spans", onCompare: () => undefined });
    expect(fitColumns(operations, 220).map(({ sort }) => sort)).toEqual(["operation", "p95"]);
    expect(fitColumns(operations, 2000)).toHaveLength(operations.length);
  });
});
