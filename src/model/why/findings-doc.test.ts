/** Prints docs/findings.md from the table of rules: `npm run docs` writes it, this test holds it to the table. */
import { expect, it } from "vitest";
import { stateNames } from "../context/stack-states.ts";
import type { FindingRule } from "../span-time/rule-types.ts";
import { FINDING_RULES } from "./rules.ts";

const EXAMPLE = {
  rules: [
    {
      name: "Legacy pricing",
      in: ["cpu", "wall"],
      any: "^com\\.acme\\.pricing\\.(Old|Legacy)",
      unless: "^com\\.acme\\.batch\\.",
      info: 1,
      warning: 5,
      why: "The old price engine is still used.",
      advice: "Switch the tenant to the new engine.",
    },
    {
      name: "Large arrays",
      in: ["alloc-samples"],
      attribute: { key: "alloc.class", values: ["byte[]", "char[]"] },
      info: 60,
      warning: 80,
      why: "Most bytes are in arrays.",
      advice: "Look for buffers that are made for each request.",
    },
  ],
};

const UNITS: Record<FindingRule["figure"], string> = {
  share: "% of the profile",
  time: "% of the time",
  rate: "per second",
  pauses: "% of the time",
  kept: "% of the samples",
  held: "% of the time",
};

/** `^java\.util\.` as `java.util.…`. */
function namesOf(pattern: string): string {
  const names = pattern.split("|").map((each) => {
    const name = each.replace(/^\^|(?<!\\)\$$/g, "").replace(/\\(.)/g, "$1");
    return `\`${each.startsWith("^") ? "" : "…"}${name}${/[./$]$/.test(name) ? "…" : ""}\``;
  });
  return names.join(", ");
}

function finds(rule: FindingRule): string {
  const { state, any, leaf, outermost, unless, attribute, except, figure } = rule;
  if (state !== undefined) return `stacks in the state \`${state}\``;
  if (except !== undefined)
    return `all events but ${except.values.map((value) => `\`${value}\``).join(", ")} (\`${except.key}\`)`;
  if (attribute !== undefined)
    return `\`${attribute.key}\` is ${attribute.values.map((value) => `\`${value}\``).join(", ")}`;
  const parts = [
    any === undefined ? "" : namesOf(any),
    rule.files === undefined ? "" : `files ${namesOf(rule.files)}`,
    leaf === undefined ? "" : `leaf ${namesOf(leaf)}`,
    outermost === undefined ? "" : `outermost ${namesOf(outermost)}`,
    unless === undefined ? "" : `without ${namesOf(unless)}`,
  ].filter((part) => part !== "");
  if (parts.length > 0) return parts.join("; ");
  if (figure === "held") return "waits for locks whose holders are known (docs/waits.md)";
  if (figure === "kept") return "samples after the end of their span, which a trace file states";
  return figure === "pauses" ? "pauses of the collector" : "all events";
}

function row(rule: FindingRule): string {
  const { name, info, warning, figure, why, advice } = rule;
  const profiles = rule.in.map((type) => `\`${type}\``).join(", ");
  return `| ${name} | ${profiles} | ${finds(rule)} | ${info} | ${warning} ${UNITS[figure]} | ${why} ${advice} |`;
}

function document(): string {
  return [
    "# Findings",
    "",
    "<!-- Printed from src/model/why/rules.ts by `npm run docs`: change the table, not this file. -->",
    "",
    "The Overview and `spanflame why` compare each selection with these rules: a whole recording, an endpoint, one request. A rule is",
    "a finding if its figure reaches the first limit, and a warning from the second one on. A share needs at least 3 samples, a rate at",
    "least 10 events: fewer are chance. Each rule is evaluated on one profile: on the selected one if the rule is about its kind, else",
    "on the first kind of its list that has samples. Of profiles of waits (`park`, `sleep`, `socket`, `file`) the figure is the time of the",
    "threads that are not idle, in percent of the selection's time. Warnings come first, each by its time, the longest first. “Show",
    "stacks” opens the stacks in the flame graph.",
    "",
    "Limits are rules of thumb: a finding is worth a look. A function in the table stands for all functions whose names begin",
    "with it.",
    "",
    "| finding | profiles | functions | note | warning | why, and advice |",
    "|---|---|---|---|---|---|",
    ...FINDING_RULES.map(row),
    "",
    "## What a stack waits for",
    "",
    "The parts of a time, the states of threads, the sentence and three of the findings use these rows. The first row that a",
    "stack fits is its state; a monitor that the recorder names comes before them.",
    "",
    "| state | functions |",
    "|---|---|",
    ...stateNames().map(
      ({ state, names, and }) =>
        `| \`${state}\` | ${namesOf(names)}${and === "" ? "" : `; waiting in ${namesOf(and)}`} |`,
    ),
    "",
    "## Your own rules",
    "",
    "“Add rules…” in the Overview and `spanflame why --rules FILE` read a JSON file. Its rules come before those of the table.",
    "",
    "```json",
    JSON.stringify(EXAMPLE, null, 2),
    "```",
    "",
    "| field | meaning |",
    "|---|---|",
    "| `name` | up to 60 characters, each name once |",
    '| `in` | kinds of profiles (`meaning` of `info --json`), or types as `info` lists them; `["cpu", "wall"]` if absent |',
    "| `figure` | `share` of the profile's value (if absent); `time`: the events' time of all threads together as a part of the selection's time, at most 100; `rate`: events per second, if the recorder leaves out some then by the event that counts them all, else none; `pauses`: the collector's pauses as a part of the time |",
    "| `any`, `leaf`, `outermost` | pattern of a function anywhere in the stack, at its leaf, or outermost; one is enough |",
    "| `unless` | pattern of a function: stacks with it do not count. By itself: all other stacks |",
    "| `attribute` | `key` and `values`, in place of patterns: samples with one of the values |",
    "| `info`, `warning` | limits, in percent or per second |",
    "| `why`, `advice` | a sentence each, up to 400 characters |",
    "",
    "Patterns are those of frame filters: RE2 syntax, case counts if there is a capital letter. A file with an error is refused as a whole;",
    "the message names the rule and the field.",
    "",
  ].join("\n");
}

it("docs/findings.md is what the table says", async () => {
  await expect(document()).toMatchFileSnapshot("../../../docs/findings.md");
});
