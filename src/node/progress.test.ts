/** The progress line, with a clock and a terminal of the test. */
import { describe, expect, it } from "vitest";
import { ProgressLine } from "./progress.ts";

const CLEAR = "\r\u001b[K";

function lineOf(columns: number | null = 40) {
  let now = 1000;
  const drawn: string[] = [];
  const line = new ProgressLine({ now: () => now, columns: () => columns, write: (text) => void drawn.push(text) });
  const at = (ms: number, words = `at ${ms}`) => {
    now = 1000 + ms;
    line.show(() => words);
  };
  return { line, drawn, at };
}

describe("the progress line", () => {
  it("appears after half a second, and is drawn ten times a second at most", () => {
    const { drawn, at } = lineOf();
    for (const ms of [0, 100, 499, 500, 501, 599, 600, 650, 700]) at(ms);
    expect(drawn).toEqual([500, 600, 700].map((ms) => `\rat ${ms}\u001b[K`));
  });

  it("does not ask for words that it does not draw", () => {
    const { line } = lineOf();
    line.show(() => {
      throw new Error("too early");
    });
  });

  it("is deleted once before other output, and only if it is there", () => {
    const { line, drawn, at } = lineOf();
    line.clear();
    at(500);
    line.clear();
    line.clear();
    at(600);
    expect(drawn).toEqual(["\rat 500\u001b[K", CLEAR, "\rat 600\u001b[K"]);
  });

  it("is not drawn where there is no terminal", () => {
    const { line, drawn, at } = lineOf(null);
    at(5000);
    line.clear();
    expect(drawn).toEqual([]);
  });

  it("is narrower than the terminal, and shows control characters of names as escapes", () => {
    const { drawn, at } = lineOf(20);
    at(500, `reading ${"a".repeat(50)}`);
    at(600, "a\nb\u001b[2J");
    expect(drawn).toEqual(["\rreading aaaaaaaaaa…\u001b[K", "\ra\\u000ab\\u001b[2J\u001b[K"]);
  });

  it("returns what was awaited, and ends with it", async () => {
    const { line, drawn } = lineOf();
    expect(await line.during(() => "waiting", Promise.resolve(7))).toBe(7);
    await expect(line.during(() => "waiting", Promise.reject(new Error("refused")))).rejects.toThrow("refused");
    expect(drawn).toEqual([]);
  });
});
