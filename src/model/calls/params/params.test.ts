import { describe, expect, it } from "vitest";
import type { TalliedRow } from "../../../core/dumps/dump-tally.ts";
import { MOST_GROUP_VALUES, MOST_GROUPS, netOfFrames, paramsOf, SHOWN_TEXT } from "./params.ts";

const row = (param: string | null, kind: TalliedRow["kind"], value: string, total: number, more = {}): TalliedRow => ({
  param,
  kind,
  value,
  invocations: 1,
  total: BigInt(total),
  self: BigInt(total),
  suspended: 1n,
  ...more,
});
const MS = 1_000_000n;

describe("paramsOf", () => {
  it("groups values by signature, the heaviest first, with sums in nanoseconds", () => {
    const { answer, texts } = paramsOf([
      [
        row(null, "any", "", 100),
        row("sql", "any", "", 60),
        row("sql", "value", "select 1", 10),
        row("sql", "value", "select 2", 20),
        row("sql", "value", "commit", 29),
        row("url", "any", "", 70),
        row("url", "value", "/a", 70),
      ],
    ]);
    expect(answer.frames.total).toBe(100n * MS);
    expect(answer.params.map(({ name, total }) => [name, total])).toEqual([
      ["sql", 60n * MS],
      ["url", 70n * MS],
    ]);
    const sql = answer.params[0]!;
    expect([sql.count, sql.signatures, sql.other]).toEqual([3, 2, null]);
    expect(sql.groups.map(({ signature, total, count }) => [signature, total, count])).toEqual([
      ["select ?", 30n * MS, 2],
      ["commit", 29n * MS, 1],
    ]);
    expect(sql.groups[0]!.values.map(({ text, id }) => [text, texts[id]])).toEqual([
      ["select 2", "select 2"],
      ["select 1", "select 1"],
    ]);
    expect(netOfFrames(sql.groups[0]!)).toBe(28n * MS);
  });

  it("has parameters in the order that the dump states, and groups values by its signature", () => {
    const rows = ["late", "java.thread", "mdx", "unstated"].map((name, i) => row(name, "any", "", 9 - i));
    const values = [row("mdx", "value", "{[A].1, 2}", 1), row("mdx", "value", "{[A].1, 3}", 1)];
    const stated = (name: string, order: number, signature = "") => ({
      name,
      indexed: false,
      list: false,
      order,
      signature,
    });
    const known = [stated("late", 700), stated("mdx", 100, "sql"), stated("late", 1)];
    const { params } = paramsOf([[...rows, ...values]], known).answer;
    expect(params.map(({ name }) => name)).toEqual(["mdx", "unstated", "late", "java.thread"]);
    expect(params[0]!.groups.map(({ signature }) => signature)).toEqual(["{[A].1, ?}"]);
  });

  it("adds up equal values of several runs and places", () => {
    const run = [row("sql", "any", "", 5), row("sql", "value", "x", 5), row("sql", "other", "", 1)];
    const [sql] = paramsOf([run, [...run, row("sql", "value", "x", 7)]]).answer.params;
    expect(sql!.groups[0]!.values).toMatchObject([{ text: "x", invocations: 3, total: 17n * MS }]);
    expect(sql!.other).toMatchObject({ invocations: 2, total: 2n * MS });
  });

  it("has the beginning of a large value; its whole text is in the texts", () => {
    const large = `${"a".repeat(SHOWN_TEXT - 1)}\u{1f600}${"b".repeat(1000)}`;
    const { answer, texts } = paramsOf([[row("xml", "any", "", 1), row("xml", "value", large, 1)]]);
    const [value] = answer.params[0]!.groups[0]!.values;
    expect(value).toMatchObject({ text: "a".repeat(SHOWN_TEXT - 1), length: large.length });
    expect(texts[value!.id]).toBe(large);
  });

  it("states how many values and signatures it left out", () => {
    const words = Array.from({ length: MOST_GROUPS + 5 }, (_, i) => row("p", "value", "x".repeat(i + 1), i));
    const numbers = Array.from({ length: MOST_GROUP_VALUES + 3 }, (_, i) => row("q", "value", `n ${i}`, i));
    const { params } = paramsOf([[row("p", "any", "", 9), row("q", "any", "", 8), ...words, ...numbers]]).answer;
    expect(params.map(({ count, signatures, groups }) => [count, signatures, groups.length])).toEqual([
      [MOST_GROUPS + 5, MOST_GROUPS + 5, MOST_GROUPS],
      [MOST_GROUP_VALUES + 3, 1, 1],
    ]);
    expect([params[1]!.groups[0]!.count, params[1]!.groups[0]!.values.length]).toEqual([
      MOST_GROUP_VALUES + 3,
      MOST_GROUP_VALUES,
    ]);
  });
});
