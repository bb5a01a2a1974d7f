/**
 * Documents for users have a size that people read: words, and words of a paragraph. They contain no diary, and no
 * sentence twice. LIMITATIONS.md has one fact in a bullet.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { documents } from "../../test/kit/doc-commands.ts";
import { ROOT } from "../../test/kit/run-cli.ts";

const MOST_WORDS = 2_500;
const MOST_OF_A_PARAGRAPH = 60;
const MOST_OF_A_BULLET = 40;
const MOST_LINES_OF_CHANGES = 40;

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

/** A text without code and printed parts. */
const proseOf = (text: string) =>
  text
    .replaceAll(/<!-- Printed from[\s\S]*?(?:<!-- Printed until here. -->|$)/g, "\n\n")
    .replaceAll(/^ *```[\s\S]*?^ *```/gm, "\n\n");

/** Paragraphs and items of lists that have too many words. */
function longOf(text: string): string[] {
  const paragraphs = proseOf(text).split(/\n\s*\n|\n(?=\s*(?:-|\d+\.) )/);
  return paragraphs.filter((each) => !/^\s*[|#]/.test(each) && wordsOf(each) > MOST_OF_A_PARAGRAPH);
}

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

  it("has at most 40 words in a bullet", () => {
    expect(bulletsOf(text).filter((bullet) => wordsOf(bullet) > MOST_OF_A_BULLET)).toEqual([]);
  });

  it("has a part for each reader, and nothing but bullets in it", () => {
    expect([...text.matchAll(/^## (.*)$/gm)].map(([, title]) => title)).toEqual(READERS);
    const parts = text.slice(text.indexOf("\n## ") + 1);
    const others = parts.split("\n").filter((line) => !/^(?:#{2,3} |- | {2}\S|$)/.test(line));
    expect(others).toEqual([]);
  });
});

const EXAMPLES = readdirSync(join(ROOT, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => /^(?:[^/]+\/)?README\.md$/.test(path))
  .map((path) => `examples/${path}`);
const FOR_USERS = [...documents().filter((file) => !FOR_DEVELOPERS.test(file)), ...EXAMPLES];

describe("the size of documents for users", () => {
  it.each(FOR_USERS)("%s: 2,500 words, 60 in a paragraph", (file) => {
    expect(wordsOf(proseOf(read(file)))).toBeLessThanOrEqual(MOST_WORDS);
    expect(longOf(read(file))).toEqual([]);
  });

  it("of the changes of a version is at most 40 lines", () => {
    const [, ...versions] = read("CHANGELOG.md").split(/^## /m);
    const long = versions.filter((text) => text.trimEnd().split("\n").length > MOST_LINES_OF_CHANGES);
    expect(long.map((text) => text.slice(0, text.indexOf("\n")))).toEqual([]);
  });

  it("counts paragraphs and items, and leaves out code, tables and what is printed", () => {
    const long = "word ".repeat(61).trim();
    expect(longOf(`# Title\n\n${long}\n\n- ${long}\n- ${long}\n  word\n\n1. ${long}`)).toHaveLength(4);
    expect(longOf(`- ${"word ".repeat(40)}\n- ${"word ".repeat(40)}`)).toEqual([]);
    const printed = `<!-- Printed from a.ts. -->\n\n${long}\n\n<!-- Printed until here. -->`;
    expect(longOf(`\`\`\`sh\n${long}\n\`\`\`\n\n| ${long} |\n\n${printed}`)).toEqual([]);
  });
});

it.each(FOR_USERS)("%s contains no diary of measurements", (file) => {
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
