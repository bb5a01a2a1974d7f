/** Tokens compared with JSON.parse and BigInt, with all bytes loaded and in pieces of one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { piecesOf } from "../../test/kit/pieces.ts";
import { Broken, drive, run, Window } from "../bytes/window.ts";
import { JsonNumber } from "./json-number.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, JsonText, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-text.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

function stringOf(text: JsonText): string {
  text.readString();
  return text.content();
}

/** The value of a text, rebuilt from its tokens. */
function parsed(text: JsonText): unknown {
  const first = text.peek();
  if (first === QUOTE) return stringOf(text);
  if (first === OPEN_ARRAY) {
    const items: unknown[] = [];
    for (let more = text.enter(CLOSE_ARRAY); more; more = text.goesOn(CLOSE_ARRAY)) items.push(parsed(text));
    return items;
  }
  if (first === OPEN_OBJECT) {
    const members: [string, unknown][] = [];
    for (let more = text.enter(CLOSE_OBJECT); more; more = text.goesOn(CLOSE_OBJECT)) {
      const key = stringOf(text);
      text.expect(COLON);
      members.push([key, parsed(text)]);
    }
    return Object.fromEntries(members);
  }
  for (const [word, value] of Object.entries({ true: true, false: false, null: null })) {
    if (text.takeWord(word)) return value;
  }
  const start = text.window.at;
  text.readNumber();
  return Number(text.since(start, text.window.at));
}

function parse(json: string): unknown {
  const text = new JsonText(new Window(utf8(json)));
  const value = parsed(text);
  if (text.peek() >= 0) throw text.unexpected("the end is due");
  return value;
}

function isJson(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

describe("a text", () => {
  it("says what JSON.parse reads in it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), fc.integer({ min: 0, max: 3 }), (value, space) => {
        const json = JSON.stringify(value, null, space);
        // Key __proto__ is one to JSON.parse.
        expect(JSON.stringify(parse(json))).toBe(JSON.stringify(JSON.parse(json)));
      }),
    );
  });

  it("is refused where JSON.parse refuses it, whatever was changed in it", () => {
    const changed = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\ 0.e-tu\n\u0001'))
      .map(([json, n, put]) => {
        const at = n % json.length;
        return json.slice(0, at) + put + json.slice(at + (n % 2));
      });
    fc.assert(
      fc.property(changed, (json) => {
        let ours = true;
        try {
          const text = new JsonText(new Window(utf8(json)));
          text.skip();
          ours = text.peek() < 0;
        } catch (error) {
          if (!(error instanceof Broken)) throw error;
          ours = false;
        }
        expect([json, ours]).toEqual([json, isJson(json)]);
      }),
      { numRuns: 2000 },
    );
  });

  it("comes to hand value by value, in whatever pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.integer({ min: 1, max: 9 }),
        async (values, n) => {
          const json = values.map((value) => JSON.stringify(value)).join(" \n");
          const window = new Window(piecesOf(utf8(json), () => n));
          const text = new JsonText(window);
          const read: unknown[] = [];
          await drive(
            (function* () {
              while ((yield* text.next()) >= 0) {
                yield* text.whole();
                read.push(parsed(text));
              }
            })(),
            window,
          );
          expect(JSON.stringify(read)).toBe(JSON.stringify(JSON.parse(`[${json.replaceAll(" \n", ",")}]`)));
        },
      ),
    );
  });

  it("is passed or read in part without being held, in whatever pieces", async () => {
    const escapes = fc.constantFrom("a", "\\/", "\\n", "\\u0041", "é", "=", "\\\\");
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.jsonValue().map((v) => JSON.stringify(v)),
            fc.array(escapes).map((e) => `"${e.join("")}"`),
          ),
        ),
        fc.integer({ min: 1, max: 9 }),
        async (values, n) => {
          const json = values.join(" \n");
          const window = new Window(piecesOf(utf8(json), () => n));
          const text = new JsonText(window);
          for (const value of values) {
            const first = await drive(text.next(), window);
            const start = window.offset();
            if (first !== QUOTE || /\\ud/i.test(value)) await drive(text.pass(), window);
            else {
              window.at++;
              expect(await drive(text.prefix(1000), window)).toBe(JSON.parse(value));
            }
            expect(window.offset() - start).toBe(utf8(value).length);
          }
        },
      ),
    );
  });

  it.each([
    ['{"a":"b', "the text ends inside a value"],
    ['{"a":"\n"}', "a control character inside a string"],
    ["}", "a value is missing"],
  ])("that is no JSON is not passed: %s", (json, message) => {
    const text = new JsonText(new Window(utf8(json)));
    expect(() => run(text.pass())).toThrow(message);
  });

  it.each([
    ['"\\u0041\\n\\/\\ud83d\\ude00é"', "A\n/😀é", true],
    ['"a\\ud800b"', "a\ufffdb", false],
    ['"\\udc00\\ud83d"', "\ufffd\ufffd", false],
    ['"\\ud83d\\u0041"', "\ufffdA", false],
  ])("string %s", (json, says, isSound) => {
    const text = new JsonText(new Window(utf8(json)));
    expect([stringOf(text), text.isSound]).toEqual([says, isSound]);
  });

  it("is unsound where its bytes are no UTF-8", () => {
    const text = new JsonText(new Window(Uint8Array.of(QUOTE, 0xff, QUOTE)));
    text.readString();
    expect(text.isSound).toBe(false);
  });

  it.each([
    ["[1,", 3, "the text ends where a value is due"],
    ["[1 2]", 3, "2 stands where a comma or ] is due"],
    ['{"a" 1}', 5, "1 stands where : is due"],
    ['"a\nb"', 2, "a control character inside a string"],
    ['"\\x"', 1, "a backslash inside a string that does not start an escape"],
    ['"a', 2, "the text ends inside a string"],
    ["01", 0, "0 stands where a value is due"],
    ["[".repeat(2000), 1001, "more than 1000 nested values"],
  ])("%s is broken at byte %i", (json, offset, message) => {
    const text = new JsonText(new Window(utf8(json)));
    try {
      text.skip();
    } catch (error) {
      expect(error).toMatchObject({ encoding: "JSON", offset, message });
      return;
    }
    throw new Error("it was taken");
  });
});

describe("a number", () => {
  const scanned = (digits: string) => {
    const number = new JsonNumber();
    return { number, is: number.scan(utf8(digits), 0, digits.length) };
  };

  it("of 64 bits is exact, and two's complement", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (value) => {
        const { number } = scanned(String(value));
        expect([number.fits(64, true), number.fits(64, false), number.fits(32, true), number.fits(32, false)]).toEqual([
          BigInt.asIntN(64, value) === value,
          BigInt.asUintN(64, value) === value,
          BigInt.asIntN(32, value) === value,
          BigInt.asUintN(32, value) === value,
        ]);
        if (number.isAbove64) return;
        number.complement();
        expect((BigInt(number.high) << 32n) | BigInt(number.low)).toBe(BigInt.asUintN(64, value));
      }),
      {
        examples: [
          -1n,
          0n,
          2n ** 63n,
          2n ** 63n - 1n,
          -(2n ** 63n),
          2n ** 64n - 1n,
          2n ** 64n,
          2n ** 31n,
          -(2n ** 31n),
        ].map((n) => [n]),
      },
    );
  });

  it.each(["0", "-0", "1.5", "1e3", "-2.25E-7", "10"])("%s is one", (digits) => {
    const { number, is } = scanned(digits);
    expect([is, number.stop, number.isInteger]).toEqual([true, digits.length, /^-?\d+$/.test(digits)]);
  });

  it.each(["", "-", "01", "1.", ".5", "1e", "+1", "0x1", "1e+"])("%s is none", (digits) => {
    const { number, is } = scanned(digits);
    expect(is && number.stop === digits.length).toBe(false);
  });
});
