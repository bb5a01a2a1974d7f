/** Headers that a user may add. */
import { describe, expect, it } from "vitest";
import { headerFault } from "./headers.ts";

describe("a header of a user", () => {
  it.each([
    ["api-key", "a=b"],
    ["Authorization", "Bearer x"],
    ["x-tenant", ""],
    ["constructor", "x"],
  ])("%s can be set", (name, value) => {
    expect(headerFault(name, value)).toBeNull();
  });

  it.each([
    ["Host", /address of the receiver/],
    ["CONTENT-LENGTH", /length of the message/],
    ["content-type", /encoding of the message/],
    ["Content-Encoding", /compression of the message/],
    ["Transfer-Encoding", /connection/],
    ["otlp-profiles-development-version", /layout of the message/],
    ["Connection", /connection/],
    ["a b", /not a header name/],
    ["", /not a header name/],
  ])("%s cannot be set, with the reason and without the value", (name, reason) => {
    const fault = headerFault(name, "secret");
    expect(fault).toMatch(reason);
    expect(fault).not.toContain("secret");
  });

  it.each(["secret\nx", "secret\u0000", "secret\u20ac"])("cannot have the value %j", (value) => {
    const fault = headerFault("api-key", value);
    expect(fault).toMatch(/value of the header "api-key"/);
    expect(fault).not.toContain("secret");
  });
});
