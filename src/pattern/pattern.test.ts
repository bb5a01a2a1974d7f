import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LOOKED_AT, MOST_CHARACTERS, newWork, Pattern, patternOf } from "./pattern.ts";
import { PatternError } from "./syntax.ts";

const matchesIn = (pattern: string, ...texts: string[]) => texts.map((text) => Pattern.of(pattern).test(text));
const errorOf = (pattern: string) => patternOf(pattern).error;

/** The project's rule of capitals, for the engine's own expressions. */
const native = (pattern: string) => new RegExp(pattern, /\p{Lu}|^\^.*\$$/u.test(pattern) ? "" : "i");

/** Letters whose upper cases are odd (ß, ſ, İ, K for kelvin, µ), halves of a pair, ends of lines, borders of words. */
const LETTERS = [..."abAB01_ .-$éÉßſsSiIİıKk\u212aµμΜςσΣ\u2028\n\t\\]", "\ud83d", "\ude00", "\uffff"];
/** Short: the engine itself backtracks. */
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 7 }).map((letters) => letters.join(""));

const inClass = fc.constantFrom(
  "a",
  "b",
  "A",
  "k",
  "é",
  "ſ",
  "a-b",
  "A-Z",
  "0-9",
  "_",
  "\\w",
  "\\W",
  "\\d-",
  "\\]",
  "^",
  "-",
);
const bracket = fc
  .tuple(fc.constantFrom("[", "[^"), fc.array(inClass, { maxLength: 3 }))
  .map(([head, members]) => `${head}${members.join("")}]`)
  .filter((set) => isExpression(set));
const single = fc.constantFrom(
  ...LETTERS.map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")),
  ...[".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\x41", "\\u00e9", "\\n", "\\/", "{", "}", "]", "{,2}"],
);
const assertion = fc.constantFrom("^", "$", "\\b", "\\B");
const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "{0}", "*?", "+?", "{1,3}?");
const { pattern } = fc.letrec<{ pattern: string; term: string; group: string }>((tie) => ({
  pattern: fc
    .array(fc.array(tie("term"), { maxLength: 4 }), { minLength: 1, maxLength: 2 })
    .map((options) => options.map((terms) => terms.join("")).join("|")),
  group: fc.tuple(fc.constantFrom("(", "(?:"), tie("pattern")).map(([head, body]) => `${head}${body})`),
  term: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.oneof(
      assertion,
      fc.tuple(fc.oneof(single, bracket), quantifier).map((parts) => parts.join("")),
    ),
    fc.tuple(tie("group"), quantifier).map((parts) => parts.join("")),
  ),
}));

function isExpression(source: string): boolean {
  try {
    return new RegExp(source) !== null;
  } catch {
    return false;
  }
}

describe("a pattern", () => {
  it("finds what the engine's regular expression finds", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const expression = native(source);
        expect(matchesIn(source, ...texts)).toEqual(texts.map((each) => expression.test(each)));
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused, or is what the engine takes it for, whatever is typed", () => {
    const typed = fc.array(fc.constantFrom(..."ab^$.*+?()[]{}|\\-,1:!<=>", "(?:", "{1,2}"), { maxLength: 8 });
    fc.assert(
      fc.property(typed, text, (letters, each) => {
        const source = letters.join("");
        const { expression, error } = patternOf(source);
        if (expression === null) expect(source === "" || error !== null).toBe(true);
        else expect([source, expression.test(each)]).toEqual([source, native(source).test(each)]);
      }),
      { numRuns: 2000 },
    );
  });

  it("ignores case unless it has a capital letter, is a whole name, or begins with (?i)", () => {
    expect(matchesIn("run", "RUN", "Run", "rum")).toEqual([true, true, false]);
    expect(matchesIn("Run", "RUN", "Run", "run")).toEqual([false, true, false]);
    expect(matchesIn("^run$", "RUN", "run")).toEqual([false, true]);
    expect(matchesIn("(?i)^Run$", "RUN", "run", "a run")).toEqual([true, true, false]);
  });

  it("reads only the beginning of a text", () => {
    const long = `${"x".repeat(LOOKED_AT)}y`;
    expect(matchesIn("y", long, long.slice(1))).toEqual([false, true]);
    expect(matchesIn("x$", long)).toEqual([true]);
  });

  it("is refused with the reason and the place", () => {
    expect(errorOf("ab(c")).toBe("the group is not closed (character 3)");
    expect(errorOf("a)")).toBe("no group is open that this ) could close (character 2)");
    expect(errorOf("[a")).toBe("the [ is not closed (character 1)");
    expect(errorOf("*a")).toBe("nothing to repeat (character 1)");
    expect(errorOf("a**")).toBe("nothing to repeat (character 3)");
    expect(errorOf("[b-a]")).toBe("the range is out of order (character 2)");
    expect(errorOf("a{3,2}")).toBe("the first count is larger than the second (character 2)");
    expect(errorOf("a\\")).toBe("nothing follows the \\ (character 2)");
    expect(errorOf("\\x4")).toBe("\\x takes 2 hexadecimal digits (character 1)");
    for (const look of ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)"])
      expect(errorOf(`x${look}`)).toBe("look-ahead and look-behind are not supported (character 2)");
    expect(errorOf("(a)\\1")).toBe("back-references are not supported (character 4)");
    expect(errorOf("(?<n>a)\\k<n>")).toBe("back-references are not supported (character 8)");
    expect(errorOf("(?m)a")).toBe("no such kind of group (character 1)");
    expect(errorOf("\\p{L}")).toBe("\\p is not supported (character 1)");
    expect(errorOf("\\Qa\\E")).toBe("\\Q is not supported (character 1)");
  });

  it("has limits, which the message names", () => {
    expect(errorOf("a".repeat(MOST_CHARACTERS))).toBeNull();
    expect(errorOf("a".repeat(35_000))).toBe("a pattern has at most 4,000 characters; this one has 35,000");
    expect(errorOf(`${"(".repeat(2000)}${")".repeat(2000)}`)).toBe(
      "groups are nested at most 250 deep (character 251)",
    );
    expect(errorOf("a{1001}")).toBe("a count is at most 1,000 (character 2)");
    const written = "with its counts written out, a pattern has at most 10,000 parts";
    for (const bomb of [
      "((a{1000}){1000})",
      "(((){1000}){1000}){1000}",
      "((a{0,1000}){0,1000}){0,1000}",
      "(.{999}|b){999}",
    ])
      expect(errorOf(bomb)).toBe(written);
  });
});

describe("the work of a pattern", () => {
  const HOSTILE = [
    "a".repeat(LOOKED_AT),
    `${"a".repeat(LOOKED_AT - 1)}!`,
    "ab".repeat(1000),
    "x".repeat(1500),
    "é".repeat(2000),
  ];
  const wide = Array.from({ length: 900 }, (_, i) => String.fromCharCode(0x4e00 + 2 * i)).join("");
  const CATASTROPHIC = [
    "(a+)+$",
    "(a|aa)+$",
    "(a|a)*$b",
    "(a*)*b",
    "((a*)*)*b",
    "(.*a){20}",
    "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)b!",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a?){300}a{300}$",
    "(.|..|...)*!b",
    `[${wide}]*[^${wide}]+$b`,
    `${"(".repeat(250)}a*${")*".repeat(250)}b`,
    `(${Array.from({ length: 300 }, (_, i) => "a".repeat(i % 20)).join("|")})*b`,
  ];

  it.each(CATASTROPHIC)("is small: %s", (source) => {
    const work = newWork(5_000_000);
    const expression = Pattern.of(source, work);
    for (const name of HOSTILE) expression.test(name);
    expect(expression.error).toBeNull();
    expect(work.steps).toBeGreaterThan(0);
  });

  it("is nothing for a text that leads to known states", () => {
    const work = newWork();
    const expression = Pattern.of("foo.*bar|(b+a)+$", work);
    const texts = ["com.foo.rebar", "bababab", "foo"];
    const found = texts.map((each) => expression.test(each));
    const { steps } = work;
    for (let i = 0; i < 100; i++) expect(texts.map((each) => expression.test(each))).toEqual(found);
    expect(work.steps).toBe(steps);
  });

  it("ends at its limit, with an error instead of an answer", () => {
    // The states are the subsets of the last 999 characters.
    const source = "[ab].{999}[^a]";
    let seed = 1;
    const noise = () =>
      Array.from({ length: LOOKED_AT }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % 2 === 0 ? "a" : "-";
      }).join("");
    const work = newWork(2_000_000);
    const expression = Pattern.of(source, work);
    expect(expression.error).toBeNull();
    let afterwards = 0;
    for (let i = 0; i < 50; i++) {
      expression.test(noise());
      if (expression.error !== null) afterwards ||= work.steps;
    }
    expect(expression.error).toMatch(/too much work/);
    expect(afterwards).toBeLessThan(2_100_000);
    expect(work.steps).toBe(afterwards);
  });

  it("is shared by the patterns of one question", () => {
    const work = newWork(100);
    const [first, second] = ["a.{9}b", "b.{9}a"].map((source) => Pattern.of(source, work));
    for (const text of ["abbabab", "aaaaaaaaabbbbbbbbbaa"]) first?.test(text);
    expect(second?.error).toMatch(/too much work/);
    expect(() => Pattern.of("(")).toThrow(PatternError);
  });

  it("does not grow with states that were forgotten: the answers stay right", () => {
    // More states than are held at a time.
    const source = "a.{14}b";
    const expression = Pattern.of(source, newWork(Infinity));
    const same = native(source);
    let seed = 7;
    for (let i = 0; i < 300; i++) {
      const each = Array.from({ length: 400 }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % 3 === 0 ? "a" : "c";
      }).join("");
      expect(expression.test(each)).toBe(same.test(each));
    }
  });
});
