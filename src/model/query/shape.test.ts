import { describe, expect, it } from "vitest";
import { functionAction, shapeAction } from "../flame/frame-actions.ts";
import { chipWords, filterWords } from "./chip-words.ts";
import { type Chip, chipsOf } from "./chips.ts";
import { exactName, exactPattern, patternOf } from "./pattern.ts";
import { EMPTY_QUERY, filterOf, type QueryAction, type QueryState, reduceQuery } from "./query.ts";
import { parseRules, presetRule, ruleText } from "./run-rules.ts";
import { filterFrom, functionOf, shapeKey, WHOLE } from "./shape.ts";
import { type Truncated, truncatedOf } from "./truncated.ts";
import { reduceUndoable, undoable } from "./undo.ts";
import { queryToHash } from "./written/query-hash.ts";
import { writtenShape } from "./written/written-shape.ts";

const NAME = "acme.Shop$Cart.<init>(int[])";
const FROM: QueryAction = { kind: "add", chip: { kind: "from", name: NAME } };
const MERGED: QueryAction = { kind: "add", chip: { kind: "merged", pattern: "^java\\." } };
const ALL: QueryAction = { kind: "recursion", recursion: "all" };

const after = (...actions: QueryAction[]): QueryState => actions.reduce(reduceQuery, EMPTY_QUERY);

describe("the pattern of one name", () => {
  it("finds that name and no other", () => {
    const { expression } = patternOf(exactPattern(NAME));
    expect(expression?.test(NAME)).toBe(true);
    for (const other of [`x${NAME}`, `${NAME}x`, NAME.toLowerCase(), "acmexShop$Cart.<init>(int[])"]) {
      expect(expression?.test(other)).toBe(false);
    }
    expect(patternOf(exactPattern("memcpy")).expression?.test("MEMCPY")).toBe(false);
  });

  it("is known again, and taken for nothing else", () => {
    for (const name of [NAME, "a\\b", "^", "$", "", "x".repeat(3000)]) {
      expect(exactName(exactPattern(name))).toBe(name.slice(0, 1900));
    }
    for (const pattern of ["a", "^a.b$", "^a|b$", "a$", "^a\\d$"]) expect(exactName(pattern)).toBe(null);
  });
});

describe("a shape", () => {
  it("is chips, one of each function and pattern, and goes with them", () => {
    const state = after(FROM, MERGED, MERGED, ALL);
    expect(state.shape).toEqual({ ...WHOLE, from: NAME, merged: ["^java\\."], recursion: "all" });
    expect(chipsOf(state).map((chip) => chipWords(chip, []).full)).toEqual([
      `from ${NAME}`,
      "merged /^java\\./",
      "collapsed all recursion",
    ]);
    const left = chipsOf(state).reduce<QueryState>((now, chip) => reduceQuery(now, { kind: "remove", chip }), state);
    expect(left).toEqual(EMPTY_QUERY);
    expect(reduceQuery(reduceQuery(state, { kind: "lines", lines: true }), { kind: "clear" }).shape).toEqual({
      ...WHOLE,
      lines: true,
    });
  });

  it("has one rule for runs of each name, and forgets what was open with it", () => {
    const jdk = { kind: "run", ...presetRule("jdk")! } as const;
    const own = (pattern: string): QueryAction => ({ kind: "add", chip: { kind: "run", name: "Own", pattern } });
    const open = (rule: string): QueryAction => ({ kind: "open-run", run: { rule, below: "a.b" } });
    const state = after({ kind: "add", chip: jdk }, own("^a"), open("Own"), open("JDK"), own("^b|c"));
    expect(state.shape.runs).toEqual([presetRule("jdk"), { name: "Own", pattern: "^b|c" }]);
    expect(state.shape.opened).toEqual([{ rule: "JDK", below: "a.b" }]);
    expect(chipsOf(state).map((chip) => chipWords(chip, []).full)).toEqual([
      "collapsed runs of JDK",
      "collapsed runs of Own (/^b|c/)",
    ]);
    expect(reduceQuery(state, { kind: "remove", chip: jdk }).shape.opened).toEqual([]);
    expect(parseRules(["jdk", "Own=^b|c", "JDK=x", "nothing", "=a", "a="])).toEqual(state.shape.runs);
    const odd = { name: "a=b %", pattern: "=c" };
    expect(parseRules([ruleText(odd)])).toEqual([odd]);
  });

  it("shows truncated stacks, leaves them out, or begins them at the root", () => {
    const truncated = (how: Truncated): QueryAction => ({ kind: "truncated", how });
    expect(truncatedOf(EMPTY_QUERY)).toBe("shown");
    const out = after(truncated("at-root"), truncated("left-out"));
    expect([truncatedOf(out), out.shape.merged]).toEqual(["left-out", []]);
    expect(chipsOf(out).map((chip) => chipWords(chip, []).full)).toEqual(["without [truncated]"]);
    const atRoot = after(truncated("left-out"), MERGED, truncated("at-root"));
    expect([truncatedOf(atRoot), filterOf(atRoot)]).toEqual(["at-root", {}]);
    expect(chipsOf(atRoot).map((chip) => chipWords(chip, []).full)).toEqual([
      "merged /^java\\./",
      "merged [truncated]",
    ]);
    expect(writtenShape(atRoot.shape).merged).toEqual(["^\\[truncated\\]$"]);
    expect(after(truncated("at-root"), truncated("shown"))).toEqual(EMPTY_QUERY);
  });

  it("from a function on leaves only samples that have it, so that totals agree", () => {
    const having = { pattern: exactPattern(NAME) };
    expect(filterOf(after(FROM))).toEqual({ frames: [having] });
    expect(filterFrom({ frames: [having] }, NAME)).toEqual({ frames: [having] });
    const without = { ...having, exclude: true };
    expect(filterFrom({ frames: [without] }, NAME)).toEqual({ frames: [without, having] });
    // Written files have whole stacks: only the samples are given.
    expect(filterWords(after(FROM, MERGED, ALL), [])).toBe(`with ${NAME}`);
  });

  it("zooms out, for nodes are another tree's", () => {
    for (const action of [FROM, MERGED, ALL, { kind: "lines", lines: true } as const]) {
      expect(after({ kind: "focus", node: 7, past: 3 }, action)).toMatchObject({ focus: 0, past: 0 });
    }
  });

  it("is taken back and made again with the filters", () => {
    const made = [FROM, ALL].reduce(reduceUndoable, undoable(EMPTY_QUERY));
    const once = reduceUndoable(made, { kind: "undo" });
    expect(once.query.shape).toEqual({ ...WHOLE, from: NAME });
    expect(reduceUndoable(once, { kind: "undo" }).query).toEqual(EMPTY_QUERY);
    expect(reduceUndoable(once, { kind: "redo" }).query.shape.recursion).toBe("all");
    const look = reduceUndoable(made, { kind: "look", look: { up: true } });
    expect([look.query.look.up, look.past.length]).toEqual([true, made.past.length]);
  });

  it("of the whole tree has no key, and a function's name no line", () => {
    expect([shapeKey(undefined), shapeKey({ ...WHOLE })]).toEqual(["", ""]);
    expect(shapeKey({ ...WHOLE, lines: true })).not.toBe("");
    expect([functionOf("a.b:12", true), functionOf("a.b:12", false), functionOf("a.b", true)]).toEqual([
      "a.b",
      "a.b:12",
      "a.b",
    ]);
  });
});

describe("what a frame's keys and menu do", () => {
  it("goes by the very name, and is nothing for a frame without one or a name too long to find again", () => {
    const pattern = exactPattern("a.b");
    expect(functionAction("hide", "a.b")).toEqual({ kind: "add", chip: { kind: "frame", pattern, exclude: true } });
    expect(functionAction("merge", "a.b")).toEqual({ kind: "add", chip: { kind: "merged", pattern } satisfies Chip });
    expect(functionAction("search", "a.b")).toEqual({ kind: "search", pattern });
    expect(functionAction("from", "")).toBe(null);
    expect(functionAction("from", `${"x".repeat(4096)}…`)).toBe(null);
  });

  it("turns recursion and lines on and off", () => {
    expect(shapeAction("r", WHOLE)).toEqual({ kind: "recursion", recursion: "direct" });
    expect(shapeAction("r", { ...WHOLE, recursion: "direct" })).toEqual({ kind: "recursion", recursion: "kept" });
    expect(shapeAction("R", { ...WHOLE, recursion: "direct" })).toEqual(ALL);
    expect(shapeAction("l", { ...WHOLE, lines: true })).toEqual({ kind: "lines", lines: false });
    expect(shapeAction("x", WHOLE)).toBe(null);
  });

  it("stands in the address, and nothing there where nothing is changed", () => {
    expect(queryToHash(after(FROM, { kind: "clear" }))).toBe("");
  });
});
