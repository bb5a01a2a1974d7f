/**
 * Reports and pictures of a recording whose names have every control character, bidi controls, halves of pairs and
 * noncharacters: a strict reader of XML and one of HTML accept them, and no such character is in them.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "parse5";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOOK } from "../../src/model/query/look.ts";
import { legendFor } from "../../src/report/legend.ts";
import { flamePicture } from "../../src/report/picture.ts";
import { columnsOf } from "../kit/flame.ts";
import { pprofOf } from "../kit/pprof-message.ts";
import { answerOf, subjectOf } from "../kit/report-subject.ts";
import { buildCli, runCli } from "../kit/run-cli.ts";

const point = (code: number) => String.fromCodePoint(code);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => point(from + i));
/** Each of them alone, so that every one is in a name. */
const CHARACTERS = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x2069),
  ...[0xad, 0x61c, 0x180e, 0xfeff, 0xfffe, 0xffff, 0x1fffe, 0xe0001].map(point),
  ...["<", ">", "&", '"', "'", "]]>", "<!--", "-->", "</script>", "</title>", "&amp;", "\ud800", "\udfff"],
];
/** As the reader of XML takes them: no other may be in a text that was escaped. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u;

let folder: string;
let recording: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-markup-"));
  recording = join(folder, "host\u202e<il>e.pprof");
  const samples = CHARACTERS.map((character, i) => ({
    stack: [`com.${character}.shop.C.run${character}`, `${character}org.app.Main.main`],
    values: [(i + 1) * 1_000_000],
    labels: {
      "thread name": `worker ${character}`,
      "trace endpoint": `GET ${character}`,
      [`key${character}`]: character,
    },
  }));
  const bytes = pprofOf({
    types: [
      ["cpu", "nanoseconds"],
      [`t${point(1)}y<pe`, `un${point(0x202e)}it`],
    ],
    samples: samples.map((sample) => ({ ...sample, values: [...sample.values, 7] })),
    comments: CHARACTERS,
    timeNanos: "1700000000000000000",
    durationNanos: "1000000000",
    mapping: `/bin/${point(7)}<app>`,
  });
  writeFileSync(recording, bytes);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Throws at the first thing that is not well-formed; all texts and values of attributes. */
function textsOfXml(xml: string): string[] {
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("text", (text) => texts.push(text));
  parser.on("opentag", ({ attributes }) => {
    for (const { value } of Object.values(attributes)) texts.push(value);
  });
  parser.write(xml).close();
  return texts;
}

/** Errors of the HTML reader. */
function faultsOfHtml(html: string): string[] {
  const faults: string[] = [];
  parse(html, { onParseError: ({ code, startLine }) => faults.push(`${code} in line ${startLine}`) });
  return faults;
}

const unseenIn = (text: string) => UNSEEN.exec(text.replaceAll("\n", ""))?.[0].codePointAt(0)?.toString(16);

async function output(name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  const { err, code } = await runCli(["convert", recording, "-o", path, ...args]);
  expect([code, err]).toEqual([0, expect.any(String)]);
  return readFileSync(path, "utf8");
}

describe("hostile names", () => {
  it.each([
    ["as it is", []],
    ["below threads", ["--root-by", "thread"]],
    ["below endpoints and an attribute", ["--root-by", `endpoint,attr:key${point(1)}`]],
    ["of a filter", ["--attr", `key${point(1)}=${point(1)}`]],
    ["of a hostile type", ["--type", `t${point(1)}y<pe`]],
    ["of a thread", ["--thread", "worker <"]],
  ])("are texts in a picture and in a report %s", async (_, args) => {
    const type = args[0] === "--type" ? [] : ["--type", "cpu"];
    const svg = await output("a.svg", ...type, ...args);
    expect(textsOfXml(svg).join("")).toContain("org.app.Main.main");
    expect(unseenIn(svg)).toBeUndefined();
    const html = await output("a.html", ...type, ...args);
    expect(faultsOfHtml(html)).toEqual([]);
    expect(unseenIn(html)).toBeUndefined();
    expect(html).not.toContain("</script>/");
  });

  it.each(["package", "kind", "origin"] as const)("are texts in a legend by %s", (colouring) => {
    const tree = ["  - 1000", ...CHARACTERS.map((_, i) => `    name${i} ${1 + (i % 9)}`)].join("\n");
    const columns = columnsOf(`\n${tree}\n`);
    columns.names = columns.names.map((name, i) => (i === 0 ? name : `com.${CHARACTERS[i % CHARACTERS.length]}.C.run`));
    const subject = subjectOf(1000, { look: { ...LOOK, colouring, own: `com.${point(27)},x` } });
    const labels = legendFor(subject, answerOf(columns)).rows.map(({ label }) => label);
    expect(labels.map(unseenIn)).toEqual(labels.map(() => undefined));
    const svg = [...flamePicture(subject, answerOf(columns), false).parts].join("");
    expect(() => textsOfXml(svg)).not.toThrow();
    expect(unseenIn(svg)).toBeUndefined();
  });

  it("are found by these readers", () => {
    expect(() => textsOfXml("<a>\u0001</a>")).toThrow();
    expect(() => textsOfXml("<a>&</a>")).toThrow();
    expect(faultsOfHtml("<!doctype html><title>x</title><p>\u0001</p>")).toHaveLength(1);
    expect(unseenIn("a\u202eb")).toBe("202e");
  });
});
