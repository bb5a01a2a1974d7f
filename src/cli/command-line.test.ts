/** The command line reads the command that the export dialog shows, with the same meaning. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FILTER_CHIPS } from "../../test/kit/filter-chips.ts";
import { POSIX } from "../../test/kit/needs.ts";
import { profileSummary } from "../../test/kit/otlp/profile.ts";
import type { CallFilter } from "../model/calls/call-filter.ts";
import { chipWords } from "../model/query/chip-words.ts";
import { argsOf, FILTER_KINDS } from "../model/query/filters.ts";
import { EMPTY_QUERY, filterOf, type QueryState, reduceQuery } from "../model/query/query.ts";
import { parseRoots } from "../model/query/root-by.ts";
import { parseRules } from "../model/query/run-rules.ts";
import { withTruncated } from "../model/query/truncated.ts";
import { type CommandSubject, commandOf, shellWords } from "../model/query/written/command-line.ts";
import { firstChoice, settled, type WriteChoice, writeOptions } from "../model/query/written/export-choice.ts";
import { parseFilter, presetOf, resourceOf, shapeOf, truncatedAs } from "../node/arguments.ts";
import { COMMANDS } from "../node/usage/commands.ts";
import { parse } from "../node/usage/parser.ts";
import { callFilter } from "./calls/dump-calls.ts";

const SAID = { "service.name": "shop", "process.pid": 3n };
const CHOICE = { ...firstChoice(SAID), all: false };
const CPU = profileSummary({ type: "cpu" });
const ALLOC = {
  ...profileSummary({
    type: "alloc-samples",
    measures: [
      { name: "bytes", type: "alloc-samples", unit: "bytes", value: 9n },
      { name: "objects", type: "alloc-objects", unit: "count", value: 1n },
    ],
  }),
  measure: 1,
};

function subject(query: Partial<QueryState>, choice: Partial<WriteChoice> = {}, profile = CPU): CommandSubject {
  return {
    names: ["shop.jfr", "-odd name's.jfr"],
    query: { ...EMPTY_QUERY, ...query },
    profile,
    choice: settled({ ...CHOICE, ...choice }),
    said: SAID,
    output: "shop.cpu.pb",
    endpoint: "https://collector:4318",
  };
}

/** What the conditions on calls are read as. */
const OF_CALLS: Partial<CallFilter>[] = [
  { ids: ["web/1:1:8:0", "web/1:1:9:0~2"] },
  { min: 1500n },
  { query: "-health" },
  { params: [{ key: "tenant", value: "c=d", exclude: true }] },
];
const NO_CALLS = callFilter({}, {}, "all");

const read = (made: CommandSubject) => parse("convert", COMMANDS.convert, commandOf(made).args.slice(1));

describe("the command of an export", () => {
  it("selects the same samples, whatever the filters", async () => {
    const queries: Partial<QueryState>[] = [
      {},
      { filter: { localRoot: [4264665117096331295n, 7n] } },
      { filter: { localRoot: [0x6b00_0000_0000_0000_0000_0000_0000_0148n] } },
      { filter: { span: [10n], time: { from: 5n, to: 1_800_000_000_000_000_000n } } },
      { filter: { noSpan: true } },
      {
        filter: {
          attributes: [
            { key: "tenant", value: "a=b 'c'" },
            { key: "thread.name", value: "-worker $HOME", exclude: true },
          ],
          frames: [{ pattern: "^a.*b$" }, { pattern: "-x|y", exclude: true }],
        },
      },
      { look: { ...EMPTY_QUERY.look, rawNames: true } },
      { shape: { ...EMPTY_QUERY.shape, from: "Shop.report" } },
    ];
    for (const query of queries) {
      const made = subject(query);
      const { values, inputs } = read(made);
      expect(await parseFilter(values)).toEqual(filterOf(made.query));
      expect(inputs).toEqual(["shop.jfr", "./-odd name's.jfr"]);
      expect(commandOf(made).missing).toEqual([]);
    }
  });

  it.each(FILTER_KINDS)("has each condition by %s, or says that no option states it", async (kind) => {
    for (const [i, chip] of FILTER_CHIPS[kind].entries()) {
      const { filter } = reduceQuery(EMPTY_QUERY, { kind: "add", chip });
      const made = subject({ filter });
      const { missing } = commandOf(made);
      const { values } = read(made);
      const given = await parseFilter(values);
      if (kind === "file") expect(missing).toEqual(["the choice of a b.jfr"]);
      else if (missing.length > 0) expect(missing).toEqual([`the filter ${chipWords(chip, []).full}`]);
      else if (kind === "calls") expect(callFilter(values, given, "all")).toEqual({ ...NO_CALLS, ...OF_CALLS[i] });
      else expect(given).toEqual(filter);
    }
  });

  it("has a chosen file as its input", () => {
    expect(read(subject({ filter: { file: "shop.jfr" } })).inputs).toEqual(["shop.jfr"]);
  });

  it("has profile, measure, preset, resource and options of the choice", () => {
    const attributes = [
      { key: "service.name", value: "a shop" },
      { key: "team", value: "x=y" },
    ];
    const made = subject({}, { preset: "otel", attributes, gzip: true, normaliseNames: true }, ALLOC);
    const { values } = read(made);
    const options = writeOptions(made.choice as WriteChoice, ALLOC, SAID);
    expect(presetOf(values.preset)).toBe(options.preset);
    expect(resourceOf(values.resource)).toEqual(options.resource);
    expect(values).toMatchObject({ output: "shop.cpu.pb", format: "otlp", type: "alloc-samples", gzip: true });
    expect(values).toMatchObject({ "normalise-names": true });
    expect(values.value).toBeUndefined();
    expect(read(subject({}, {}, ALLOC)).values.value).toBe("objects");
    expect(read(subject({}, { all: true }, ALLOC)).values.type).toBeUndefined();
    expect(read(subject({}, { format: "otlp-json", pretty: true })).values).toMatchObject({ pretty: true });
    expect(read(subject({}, { format: "pprof", timestamps: true })).values).toMatchObject({ timestamps: true });
    expect(read(subject({}, { withRecordings: true })).values).toMatchObject({ "include-payload": true });
  });

  it("has root frames and rules for runs where the format has them", async () => {
    const runs = parseRules(["jdk", "A %3D b=^a=|b$"]);
    const shape = { ...EMPTY_QUERY.shape, roots: parseRoots("endpoint,attr:a%2Cb"), runs };
    const collapsed = subject({ shape }, { format: "collapsed" });
    expect(await shapeOf(read(collapsed).values)).toEqual(shape);
    expect(read(subject({ shape })).values["root-by"]).toBeUndefined();
  });

  it("has truncated stacks as the page shows them", async () => {
    const atRoot = withTruncated(EMPTY_QUERY, "at-root");
    const { truncated } = read(subject(atRoot, { format: "collapsed" })).values;
    expect(truncatedAs(EMPTY_QUERY, truncated).shape).toEqual(atRoot.shape);
    expect(read(subject(atRoot)).values.truncated).toBeUndefined();
    const leftOut = withTruncated(EMPTY_QUERY, "left-out");
    expect(await parseFilter(read(subject(leftOut)).values)).toEqual(filterOf(leftOut));
    expect(truncatedAs(EMPTY_QUERY, "left-out")).toEqual(leftOut);
    expect(() => truncatedAs(EMPTY_QUERY, "away")).toThrow("not one of shown, left-out, at-root");
  });

  it("names an event that was made a profile", () => {
    const event = { event: "jdk.ThreadStart", value: "n" };
    const profile = profileSummary({ type: "jdk.ThreadStart.n" });
    expect(read(subject({ extra: [event] }, {}, profile)).values).toMatchObject({ ...event });
    expect(commandOf(subject({ extra: [event] }, { all: true })).missing).toEqual(["profiles of other events"]);
  });

  it("says what no option does", () => {
    const all = FILTER_KINDS.flatMap((kind) => FILTER_CHIPS[kind]);
    expect(argsOf(all).missing.map((words) => words.replace("the filter ", ""))).toEqual([
      "a=b ≠ c",
      "a! = c",
      "a=b c",
      "calls of shop.Cart.add",
      "spans: slowest 5 %, GET /a, b, 1 ms – 2 ms",
    ]);
    const drawn = subject({ focus: 3, search: "x", shape: { ...EMPTY_QUERY.shape, recursion: "all" } });
    expect(commandOf({ ...drawn, choice: { ...drawn.choice, format: "svg" } }).missing).toEqual([
      "changes of the call tree",
      "the zoom",
      "the marks of the search",
    ]);
  });

  it("sends to the receiver, without its headers", async () => {
    const made = subject({ filter: { span: [7n] } }, { target: "receiver", format: "otlp-json" });
    const { args } = commandOf(made);
    expect(args[0]).toBe("push");
    const { values } = parse("push", COMMANDS.push, args.slice(1));
    expect(values).toMatchObject({ to: "https://collector:4318", encoding: "json", type: "cpu" });
    expect(await parseFilter(values)).toEqual({ span: [7n] });
  });

  POSIX.it("is one word for each argument to a shell", () => {
    const args = ["plain", "a b", "it's", '$HOME `x` "y" \\', "", "a\nb", "*", "k=v"];
    const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${shellWords(args)}`], { encoding: "utf8" });
    expect(printed.split("\0").slice(0, -1)).toEqual(args);
  });
});
