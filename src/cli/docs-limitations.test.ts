/** LIMITATIONS.md can be finished: few words, one fact per line, by reader. Documents for users contain no diary. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documents } from "../../test/kit/doc-commands.ts";
import { ROOT } from "../../test/kit/run-cli.ts";

const MOST_WORDS = 2_500;
const MOST_OF_A_BULLET = 40;
const READERS = ["Page", "Command line", "Library"];

/** Conditions and history of a measurement, and a doc comment's habit, which a user does not need. */
const DIARY = [
  /\bloads? (?:average )?(?:of )?\d/,
  /\b\d+ rounds?\b/,
  /\b(?:one|two|three|five|seven|ten) rounds?\b/,
  /\|\s*before\b/,
  /, before \d/,
  /\bnow, before\b/,
  /→ now\b/,
  /\bA click on a\b/,
];
const FOR_DEVELOPERS =
  /^(?:docs\/(?:decisions|notes|api)\/|docs\/(?:fuzzing|releasing)\.md$|bench\/|test\/|CONTRIBUTING\.md$)/;

const PRINTED = /^docs\/(?:api\/|(?:diagnostics|events|findings|validator)\.md$)/;

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Items of lists with their continuation lines, without the bullet. */
function bulletsOf(text: string): string[] {
  return [...text.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, bullet = ""]) => bullet);
}

/** Matches of `DIARY` in the prose and tables of a document. */
function diaryOf(text: string): string[] {
  const prose = text.replaceAll(/^```[\s\S]*?^```/gm, "");
  return DIARY.flatMap((pattern) => pattern.exec(prose)?.[0] ?? []);
}

describe("LIMITATIONS.md", () => {
  const text = read("LIMITATIONS.md");

  it("has at most 2,500 words, and 40 in a bullet", () => {
    expect(wordsOf(text)).toBeLessThanOrEqual(MOST_WORDS);
    expect(bulletsOf(text).filter((bullet) => wordsOf(bullet) > MOST_OF_A_BULLET)).toEqual([]);
  });

  it("has a part for each reader, and nothing but bullets in it", () => {
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(READERS);
    const parts = text.slice(text.indexOf("\n## ") + 1);
    const others = parts.split("\n").filter((line) => !/^(?:#{2,3} |- | {2}\S|$)/.test(line));
    expect(others).toEqual([]);
  });
});

it.each(documents().filter((file) => !FOR_DEVELOPERS.test(file)))("%s contains no diary of measurements", (file) => {
  expect(diaryOf(read(file))).toEqual([]);
});

it("no sentence of twelve words is in two documents", () => {
  const sentences = new Map<string, string>();
  const twice: string[] = [];
  for (const file of documents().filter((each) => !PRINTED.test(each))) {
    const prose = read(file)
      .replaceAll(/^```[\s\S]*?^```/gm, "")
      .replaceAll(/\s+/g, " ");
    for (const sentence of new Set(prose.split(/(?<=[.:;|]) /))) {
      if (wordsOf(sentence) < 12) continue;
      const first = sentences.get(sentence);
      if (first !== undefined) twice.push(`${first}, ${file}: ${sentence}`);
      sentences.set(sentence, file);
    }
  }
  expect(twice).toEqual([]);
});

it.each([
  "7.1 CPU seconds, before 7.7",
  "(one round each)",
  "(load 9 to 14)",
  "| before | now |",
  "at a load of 14",
  "5 rounds",
])("a diary is found: %s", (line) => {
  expect(diaryOf(line)).not.toEqual([]);
});
