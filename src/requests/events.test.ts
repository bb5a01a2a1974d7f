import { describe, expect, it } from "vitest";
import { SpanflameError } from "../core/instance/error.ts";
import { eventsOf } from "./events.ts";

function refusal(given: unknown): string {
  try {
    eventsOf(given);
  } catch (error) {
    if (error instanceof SpanflameError) return `${error.code} ${error.message}`;
    throw error;
  }
  return "";
}

describe("mappings of events", () => {
  it("are an object by the names of events, or a list that may have an event several times", () => {
    const mapping = { type: "io", value: "bytes", unit: "bytes", stack: "origin", attributes: { path: "file.path" } };
    expect(eventsOf({ "my.Read": mapping, "my.Write": {} })).toEqual([
      { event: "my.Read", ...mapping },
      { event: "my.Write" },
    ]);
    const list = [{ event: "my.Read" }, { event: "my.Read", value: "bytes" }];
    expect(eventsOf(list)).toEqual(list);
    expect(eventsOf({})).toEqual([]);
  });

  it.each([
    [null, "option.value events must be an object, or a list of objects"],
    [{ "my.Read": 1 }, "option.value events.my.Read must be an object"],
    [[{}], "option.value events[0]: event is missing"],
    [{ a: { vlaue: "n" } }, 'option.unknown events.a has no option "vlaue"; its options are event, type, value'],
    [{ a: { value: 1 } }, "option.value events.a: value must be a text that is not empty"],
    [{ a: { unit: "bytes" } }, "option.value events.a: a unit needs a value; without one, events are counted"],
    [{ a: { attributes: "path" } }, "option.value events.a: attributes must be a list of fields"],
    [{ a: { attributes: { path: "" } } }, "option.value events.a: attributes must be a text that is not empty"],
    [{ a: { type: "x".repeat(300) } }, "option.value events.a: type is too long"],
    [{ a: { attributes: Array(21).fill("x") } }, "option.value events.a: attributes has more than 20 fields"],
    [{ a: { type: "cpu" } }, 'option.value events.a: there is another profile of the type "cpu"'],
    [{ a: { type: "x" }, b: { type: "x" } }, 'option.value events.b: there is another profile of the type "x"'],
    [[{ event: "a" }, { event: "a" }], 'option.value events[1]: there is another profile of the type "a"'],
    [Array.from({ length: 101 }, (_, i) => ({ event: `e${i}` })), "option.value events has more than 100 events"],
  ])("%j are refused", (given, message) => {
    expect(refusal(given)).toContain(message);
  });
});
