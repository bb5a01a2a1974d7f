import fc from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { LOOKED_AT, loadedPattern, loadPatterns, MOST_CHARACTERS, newWork, Pattern, patternOf } from "./pattern.ts";
import { plainText } from "./plain.ts";

beforeAll(() => loadPatterns());

const matchesIn = (pattern: string, ...texts: string[]) => texts.map((text) => Pattern.of(pattern).test(text));
const errorOf = (pattern: string) => patternOf(pattern).error;

/** The project's rule of capital letters, for JavaScript's expressions. */
const native = (pattern: string) => new RegExp(pattern, /\p{Lu}|^\^.*\$$/u.test(pattern) ? "" : "i");

/**
 * Letters that both syntaxes take for the same: RE2 knows more spaces, and other letters that are equal without case.
 */
const LETTERS = [..."abAB01_ .-$\u00e9\u00c9\n\t\\]"];
/** Short: JavaScript's expressions backtrack. */
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 7 }).map((letters) => letters.join(""));

const inClass = fc.constantFrom("a", "b", "A", "k", "\u00e9", "a-b", "A-Z", "0-9", "_", "\\w", "\\W", "\\]", "\\-");
const bracket = fc
  .tuple(fc.constantFrom("[", "[^"), fc.array(inClass, { minLength: 1, maxLength: 3 }))
  .map(([head, members]) => `${head}${members.join("")}]`)
  .filter((set) => isExpression(set));
const single = fc.constantFrom(
  ...LETTERS.map((letter) => letter.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")),
  ...[".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\x41", "\\n", "\\/"],
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
  it("finds what JavaScript's regular expression finds, where both have the same syntax", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        const expression = native(source);
        const expected = texts.map((each) => expression.test(each));
        expect([source, matchesIn(source, ...texts)]).toEqual([source, expected]);
      }),
      { numRuns: 2000 },
    );
  });

  it("is refused or answers, whatever is typed", () => {
    const typed = fc.array(fc.constantFrom(..."ab^$.*+?()[]{}|\\-,1:!<=>Q", "(?:", "{1,2}", "\ud83d"), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(typed, text, (letters, each) => {
        const source = letters.join("");
        const { expression, error } = patternOf(source);
        if (expression === null) expect(source === "" || error !== null).toBe(true);
        else expect(typeof expression.test(each)).toBe("boolean");
      }),
      { numRuns: 2000 },
    );
  });

  it("ignores case unless it has a capital letter, is a whole name, or begins with (?i)", () => {
    expect(matchesIn("run", "RUN", "Run", "rum")).toEqual([true, true, false]);
    expect(matchesIn("Run", "RUN", "Run", "run")).toEqual([false, true, false]);
    expect(matchesIn("^run$", "RUN", "run")).toEqual([false, true]);
    expect(matchesIn("r.n", "RUN", "Run", "rum")).toEqual([true, true, false]);
    expect(matchesIn("R.n", "RUN", "Run", "run")).toEqual([false, true, false]);
    expect(matchesIn("r\\Wn", "R N", "r n")).toEqual([false, true]);
    expect(matchesIn("(?i)^Run$", "RUN", "run", "a run")).toEqual([true, true, false]);
  });

  it("reads only the beginning of a text", () => {
    const long = `${"x".repeat(LOOKED_AT)}y`;
    expect(matchesIn("y", long, long.slice(1))).toEqual([false, true]);
    expect(matchesIn("[y]", long, long.slice(1))).toEqual([false, true]);
    expect(matchesIn("x$", long)).toEqual([true]);
    expect(matchesIn("[x]$", long)).toEqual([true]);
  });

  it("is refused with the reason", () => {
    expect(errorOf("ab(c")).toBe("missing closing ): ab(c");
    expect(errorOf("A(c")).toBe("missing closing ): A(c");
    expect(errorOf("(?i)A(c")).toBe("missing closing ): (?i)A(c");
    expect(errorOf(`(${"a".repeat(100)}`)).toBe(`missing closing ): (${"a".repeat(39)}…`);
    expect(errorOf("a\\")).toBe("trailing backslash at end of expression");
    expect(errorOf("a{1001}")).toBe("invalid repeat count: {1001}");
    for (const look of ["(?=a)", "(?!a)", "(?<=a)", "(?<!a)"])
      expect(errorOf(`x${look}`)).toBe("look-ahead and look-behind are not supported");
    expect(errorOf("(a)\\1")).toBe("back-references are not supported");
    expect(errorOf("(?<n>a)\\k<n>")).toBe("back-references are not supported");
  });

  it("has limits, which the message names", () => {
    expect(errorOf("a".repeat(MOST_CHARACTERS))).toBeNull();
    expect(errorOf("[a]".repeat(1000))).toBeNull();
    expect(errorOf("a".repeat(35_000))).toBe("a pattern has at most 4,000 characters; this one has 35,000");
    for (const nested of [`${"(".repeat(1999)}${")".repeat(1999)}`, `${"(".repeat(1300)}a${")*".repeat(1300)}`])
      expect(errorOf(nested)).toBe("expression nests too deeply");
    const written = "with its counts written out, a pattern has at most 10,000 parts";
    for (const bomb of [
      "((a{1000}){1000})",
      "(((){1000}){1000}){1000}",
      "((a{0,1000}){0,1000}){0,1000}",
      "(.{999}|b){999}",
      "a{1000}".repeat(500),
      `(${"a".repeat(200)}[(]){1000}`,
      `(${"a".repeat(200)}[[:alpha:](]){1000}`,
      `(${"a".repeat(1000)}\\Q(\\E){1000}`,
    ])
      expect(errorOf(bomb)).toBe(written);
    expect(errorOf("([a-f]{3}|[(]{300}){3}")).toBeNull();
  });
});

describe("a pattern without operators", () => {
  const escaped = (letter: string) => letter.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const literal = text.map((each) => [...each].map(escaped).join(""));
  const anchored = fc.tuple(fc.constantFrom("", "^"), literal, fc.constantFrom("", "$")).map((parts) => parts.join(""));

  it("finds what the engine finds", () => {
    const some = fc.array(anchored, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("|"));
    fc.assert(
      fc.property(some, text, (source, each) => {
        const whole = source.startsWith("^") && source.endsWith("$");
        fc.pre(!whole);
        expect([source, matchesIn(source, each)]).toEqual([source, matchesIn(`(?:${source})`, each)]);
      }),
      { numRuns: 1000 },
    );
  });

  it("needs no engine; any other pattern does, once", async () => {
    vi.resetModules();
    const fresh = await import("./pattern.ts");
    for (const plain of ["run", "a|b", "^com\\.acme\\.Shop$", "", "a".repeat(5000)]) {
      expect(fresh.isReady(plain)).toBe(true);
      await fresh.loadPatterns([plain]);
    }
    expect(fresh.Pattern.of("run|x").test("a RUN")).toBe(true);
    for (const other of ["a.b", "(a)", "a|[b]", "\\w", "a$b", "\u00e9"]) expect(fresh.isReady(other)).toBe(false);
    expect(() => fresh.patternOf("a.b")).toThrow(fresh.EngineMissing);
    expect((await fresh.loadedPattern("a.b")).expression?.test("aXb")).toBe(true);
    expect(fresh.isReady("(c)")).toBe(true);
  });

  it("is an error if the engine cannot be loaded", async () => {
    vi.resetModules();
    vi.doMock("re2js", () => {
      throw new Error("no network");
    });
    try {
      const fresh = await import("./pattern.ts");
      expect(await fresh.loadedPattern("a.b")).toEqual({
        expression: null,
        error: "the engine for patterns could not be loaded",
      });
    } finally {
      vi.doUnmock("re2js");
    }
    expect((await loadedPattern("a.b")).error).toBeNull();
  });
});

describe("a plain text", () => {
  it("has alternatives and the rule of capitals, and no operators", () => {
    const found = (wanted: string, ...texts: string[]) => texts.map((each) => plainText(wanted).test(each));
    expect(found("a.b", "A.B", "axb")).toEqual([true, false]);
    expect(found("Run|stop", "run", "Run", "a stop", "STOP")).toEqual([false, true, true, false]);
    expect(found("a|", "b", "a")).toEqual([false, true]);
    expect(found("(a+)+$", "aaaa", "(A+)+$")).toEqual([false, true]);
    expect(found("\u00c9t", "\u00c9t", "\u00e9t")).toEqual([true, false]);
  });
});

describe("the work of a pattern", () => {
  const HOSTILE = [
    "a".repeat(LOOKED_AT),
    `${"a".repeat(LOOKED_AT - 1)}!`,
    "ab".repeat(1000),
    "x".repeat(1500),
    "\u00e9".repeat(2000),
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

  it.each(CATASTROPHIC)("is within its limit: %s", (source) => {
    const work = newWork();
    const expression = Pattern.of(source, work);
    for (const name of HOSTILE) expression.test(name);
    expect(expression.error).toBeNull();
    expect(work.bytes).toBeLessThan(20_000_000);
  });

  it("is nothing for a text that leads to known states", () => {
    const work = newWork();
    const expression = Pattern.of("foo.*b[ax]r|(b+a)+$", work);
    const texts = ["com.foo.rebar", "bababab", "foo"];
    const found = texts.map((each) => expression.test(each));
    const { bytes } = work;
    expect(bytes).toBeGreaterThan(0);
    for (let i = 0; i < 100; i++) expect(texts.map((each) => expression.test(each))).toEqual(found);
    expect(work.bytes).toBe(bytes);
  });

  /** Random texts of two letters. */
  const noiseOf = (letters: string, length: number) => {
    let seed = 1;
    return () =>
      Array.from({ length }, () => {
        seed = (seed * 48_271) % 2_147_483_647;
        return letters[seed % letters.length];
      }).join("");
  };

  // The states are the subsets of the last 999, 500 or 20 characters.
  it.each(["[ab].{999}[^a]", "[ab].{500}c", "(a|b)*[ab](.|-){20}c"])(
    "ends at its limit, with an error instead of an answer: %s",
    (source) => {
      const noise = noiseOf("a-", LOOKED_AT);
      const work = newWork(30_000_000);
      const expression = Pattern.of(source, work);
      expect(expression.error).toBeNull();
      let tested = 0;
      for (; expression.error === null && tested < 1000; tested++) expression.test(noise());
      expect(expression.error).toMatch(/too much work/);
      const { bytes } = work;
      expect(bytes).toBeLessThan(50_000_000);
      expect(expression.test("abc")).toBe(false);
      expect(work.bytes).toBe(bytes);
    },
  );

  it("is counted for every text once the automaton has no room for its states", () => {
    const noise = noiseOf("a-", LOOKED_AT);
    const work = newWork(Infinity);
    const expression = Pattern.of("[ab].{999}c", work);
    for (let i = 0; i < 20; i++) {
      const before = work.bytes;
      expression.test(noise());
      expect(work.bytes - before).toBeGreaterThan(1_000_000);
    }
  });

  it("is shared by the patterns of one question", () => {
    const work = newWork(100);
    const [first, second] = ["a.{9}b", "b.{9}a"].map((source) => Pattern.of(source, work));
    for (const each of ["abbabab", "aaaaaaaaabbbbbbbbbaa"]) first?.test(each);
    expect(second?.error).toMatch(/too much work/);
  });

  it("does not change answers when states are dropped", () => {
    const source = "a.{14}b";
    const expression = Pattern.of(source, newWork(Infinity));
    const same = native(source);
    const noise = noiseOf("acc", 400);
    for (let i = 0; i < 300; i++) {
      const each = noise();
      expect(expression.test(each)).toBe(same.test(each));
    }
  });
});
