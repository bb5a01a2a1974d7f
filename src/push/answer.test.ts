/** Bodies of answers: valid ones in both encodings, and invalid ones. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partialSuccess, status } from "../../test/kit/http/answers.ts";
import { readPartialSuccess, readStatus } from "./answer.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const NOTHING = { rejected: 0n, message: "" };

describe("what was not taken", () => {
  it.each([
    ["protobuf", partialSuccess(3, "no memory, désolé"), false],
    ["JSON", utf8('{"partialSuccess":{"rejectedProfiles":"3","errorMessage":"no memory, désolé"}}'), true],
    ["JSON with a number", utf8('{"partialSuccess":{"rejectedProfiles":3,"errorMessage":"no memory, désolé"}}'), true],
  ])("is read from %s", (_, body, json) => {
    expect(readPartialSuccess(body, json)).toEqual({ rejected: 3n, message: "no memory, désolé" });
  });

  it("is nothing in an answer that is empty, or as the Collector's", () => {
    for (const body of [new Uint8Array(0), Uint8Array.of(0x0a, 0)])
      expect(readPartialSuccess(body, false)).toEqual(NOTHING);
    for (const body of ["", "{}", '{"partialSuccess":{}}', '{"partialSuccess":null}', "null", "<html>"])
      expect(readPartialSuccess(utf8(body), true)).toEqual(NOTHING);
  });
});

describe("a status", () => {
  it("is read from both encodings", () => {
    const wanted = { code: 3, message: "bad profile_id" };
    expect(readStatus(status(3, "bad profile_id"), false)).toEqual(wanted);
    expect(readStatus(utf8('{"code":3,"message":"bad profile_id","details":[]}'), true)).toEqual(wanted);
  });

  it("is none in the page of a proxy", () => {
    expect(readStatus(utf8("<html><body>Bad Gateway</body></html>"), false)).toBeNull();
    expect(readStatus(utf8("<html>"), true)).toBeNull();
  });
});

it("holds against any bytes", () => {
  const sound = [partialSuccess(300, "text"), status(14, "later")];
  const cut = fc.nat(40).chain((n) => fc.constantFrom(...sound.map((body) => body.subarray(0, n))));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), cut), fc.boolean(), (body, json) => {
      expect(typeof readPartialSuccess(body, json).rejected).toBe("bigint");
      expect([null, "object"]).toContain(readStatus(body, json) && "object");
    }),
  );
});

it("a message or number without end is cut", () => {
  const long = "m".repeat(100_000);
  const digits = "9".repeat(100_000);
  const body = utf8(JSON.stringify({ partialSuccess: { rejectedProfiles: digits, errorMessage: long } }));
  expect(readPartialSuccess(body, true)).toEqual({ rejected: 0n, message: "m".repeat(1000) });
  expect(readPartialSuccess(partialSuccess(3, long), false).message).toHaveLength(1000);
  expect(readStatus(status(3, long), false)?.message).toHaveLength(1000);
});
