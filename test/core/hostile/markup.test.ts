/**
 * Reports and pictures of a recording whose names have every control character, bidi controls, halves of pairs and
 * noncharacters: a strict reader of XML and one of HTML accept them, and no such character is in them.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse } from "parse5";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOOK } from "../../../src/model/query/look.ts";
import { legendFor } from "../../../src/report/legend.ts";
import { flamePicture } from "../../../src/report/picture.ts";
import { asFolder, type WrittenCall, writeStreams } from "../../kit/cdt/cdt-writer.ts";
import { columnsOf } from "../../kit/flame.ts";
import { pprofOf } from "../../kit/otlp/pprof-message.ts";
import { answerOf, subjectOf } from "../../kit/report-subject.ts";
import { buildCli, callCli } from "../../kit/run-cli.ts";

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
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

const START = Date.UTC(2024, 1, 3, 12);

let folder: string;
let recording: string;
beforeAll(async () => {
  await buildCli();
  folder = mkdtempSync(join(tmpdir(), "spanflame-markup-"));
  recording = join(folder, "host\u202e<il>e.pprof");
  writeFileSync(recording, hostileProfile(1));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

const TRACE = 0x5b8efff798038103n;
const hex = (id: number, digits: number) => id.toString(16).padStart(digits, "0");

/** A sample for each character; every third has `factor` times its value. */
function hostileProfile(factor: number): Uint8Array {
  const factorOf = (i: number) => (i % 3 === 0 ? factor : 1);
  const samples = CHARACTERS.map((character, i) => ({
    stack: [`com.${character}.shop.C.run${character}`, `${character}org.app.Main.main`],
    values: [(i + 1) * 1_000_000_000 * factorOf(i)],
    labels: {
      "thread name": `worker ${character}`,
      "trace endpoint": `GET ${character}`,
      [`key${character}`]: character,
      "of trace": `${hex(0, 16)}${TRACE.toString(16)}`,
      "of span": hex(i + 1, 16),
    },
  }));
  return pprofOf({
    types: [
      ["cpu", "nanoseconds"],
      [`t${point(1)}y<pe`, `un${point(0x202e)}it`],
      ["samples", "count"],
    ],
    samples: samples.map((sample, i) => ({ ...sample, values: [...sample.values, 7, (100 + i) * factorOf(i)] })),
    comments: CHARACTERS,
    timeNanos: "1700000000000000000",
    durationNanos: "1000000000",
    mapping: `/bin/${point(7)}<app>`,
  });
}

/** A trace with a service, an operation, attributes, an event and an error for each character. */
function hostileTrace(): string {
  const time = (ms: number) => `${1_700_000_000_000 + ms}000000`;
  const pair = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const resourceSpans = [...CHARACTERS, " last"].map((character, i) => ({
    resource: { attributes: [pair("service.name", `service${character}`), pair(`r${character}`, character)] },
    scopeSpans: [
      {
        scope: { name: `scope${character}` },
        spans: [
          {
            traceId: `${hex(0, 16)}${TRACE.toString(16)}`,
            spanId: hex(i + 1, 16),
            parentSpanId: i === 0 ? "" : hex(Math.ceil(i / 2), 16),
            name: `operation ${character}`,
            kind: 2,
            startTimeUnixNano: time(i),
            endTimeUnixNano: time(900 - i),
            attributes: [pair(`key${character}`, character), pair("http.route", `/${character}`)],
            events: [
              { timeUnixNano: time(i + 1), name: `event ${character}`, attributes: [pair("message", character)] },
            ],
            status: { code: 2, message: `failed ${character}` },
          },
        ],
      },
    ],
  }));
  return JSON.stringify({ resourceSpans });
}

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

const output = (name: string, ...args: string[]) => outputOf(recording, name, ...args);

async function outputOf(input: string, name: string, ...args: string[]): Promise<string> {
  const path = join(folder, name);
  const { err, code } = await callCli(["convert", input, "-o", path, ...args]);
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

  it("are texts in a report with a trace, in its picture and in answers for people", async () => {
    const trace = join(folder, "trace.json");
    writeFileSync(trace, hostileTrace());
    const beside = ["--trace", trace, "--trace-label", "of trace", "--span-label", "of span"];
    for (const [filter, part] of [
      [[], "operation \\u0000"],
      [["--span", "2"], "operation \\u0001 (error"],
    ] as const) {
      const html = await output("t.html", "--type", "cpu", ...filter, ...beside);
      expect(html.includes(part)).toBe(true);
      expect([faultsOfHtml(html), unseenIn(html)]).toEqual([[], undefined]);
    }
    const other = join(folder, "other.pprof");
    writeFileSync(other, hostileProfile(3));
    for (const args of [
      ["info", recording],
      ["top", recording, "--type", "cpu"],
      ["spans", recording, "--type", "cpu", "--by", "operation", ...beside],
      ["trace", recording, ...beside],
      ["why", recording, "--type", "cpu"],
      ["diff", recording, other, "--type", "samples"],
      ["diff", recording, other, "--by", "endpoint"],
    ]) {
      const { out, err, code } = await callCli(args);
      expect([args, code, unseenIn(out.toString()), unseenIn(err)]).toEqual([args, 0, undefined, undefined]);
      expect(out.length).toBeGreaterThan(20);
    }
  }, 60_000);

  it("are code in Markdown, which ends with their cell", async () => {
    const other = join(folder, "other.pprof");
    writeFileSync(other, hostileProfile(3));
    // Numbers of samples, whose changes have an error.
    const { out } = await callCli(["diff", recording, other, "--type", "samples", "--markdown", "--limit", "1000"]);
    const markdown = out.toString();
    expect(unseenIn(markdown)).toBeUndefined();
    const rows = markdown.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(CHARACTERS.length / 4);
    expect(rows.filter((line) => !/^\| `[^`]*` (\| [^`|]* ){4}\|$/.test(line.replaceAll("\\|", "")))).toEqual([]);
  });

  it("are texts in reports and pictures of a dump", async () => {
    const root = (c: string) => ({ method: `void com.${c}.Shop.run${c}()`, before: 1, after: 9, children: [] });
    const calls = CHARACTERS.map((c, i): WrittenCall => {
      const params = { [`key${c}`]: [`value${c}`], "web.url": [`/shop/${c}`] };
      return {
        threadId: i + 1,
        thread: `worker ${c}`,
        at: START + 50 * i,
        root: root(c),
        isRecorded: true,
        reactive: 0,
        params,
      };
    });
    const { streams } = writeStreams({ calls, start: START });
    for (const [name, bytes] of Object.entries(asFolder(streams, "dump"))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    const html = await outputOf(join(folder, "dump"), "d.html", "--type", "wall");
    expect([faultsOfHtml(html), unseenIn(html)]).toEqual([[], undefined]);
    const svg = await outputOf(join(folder, "dump"), "d.svg", "--type", "wall");
    expect(textsOfXml(svg).join("")).toContain("Shop.run");
    expect(unseenIn(svg)).toBeUndefined();
    const { out, code } = await callCli(["calls", join(folder, "dump")]);
    expect([code, unseenIn(out.toString())]).toEqual([0, undefined]);
  }, 60_000);

  it("are found by these readers", () => {
    expect(() => textsOfXml("<a>\u0001</a>")).toThrow();
    expect(() => textsOfXml("<a>&</a>")).toThrow();
    expect(faultsOfHtml("<!doctype html><title>x</title><p>\u0001</p>")).toHaveLength(1);
    expect(unseenIn("a\u202eb")).toBe("202e");
  });
});
