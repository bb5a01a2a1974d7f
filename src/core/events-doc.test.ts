/** Generates docs/events.md from the catalogue: `npm run docs` writes it, this test compares it with the catalogue. */
import { expect, it } from "vitest";
import { type EventRow, PROFILES, type ProfileRow, type ValueRule, wireType } from "./tables/catalogue.ts";

const code = (text: string) => `\`${text}\``;

function valueText(rule: ValueRule): string {
  switch (rule.rule) {
    case "count":
      return "1";
    case "scaled":
      return `round(${code(rule.size)} × ${code(rule.weight)}), else ${code(rule.fallback)}`;
    case "scaled-duration":
      return `round(${code(rule.field)} × ${code(rule.weight)})`;
    case "amount":
      return rule.fallback === undefined ? code(rule.field) : `${code(rule.field)}, else ${code(rule.fallback)}`;
    case "freed":
      return `none; ${code(rule.address)} → \`alloc.freed\` of the allocation before it`;
    case "rounded":
      return `round(${code(rule.field)})`;
    case "field":
      return `${code(rule.field)}, else 1`;
    default:
      return code(rule.field);
  }
}

function notesOf({ attributes = [], skip, route, routed, call }: EventRow): string {
  const notes = attributes.map(([field, key]) => `${code(field)} → ${code(key)}`);
  if (skip !== undefined) notes.push(`left out if ${code(skip)}`);
  if (route !== undefined && "lacks" in route) notes.push(`without ${code(route.lacks)}: see the routed row`);
  else if (route !== undefined)
    notes.push(
      `${route.texts.map(code).join(", ")} in ${code(route.field)}: see the routed row${route.where === "" ? "" : `, if the pool contains ${code(route.where)}; all of them, if the chunk states ${code("event=wall")}; a profile of another name, if ${code("event=")} has one`}`,
    );
  if (call === true) notes.push(`the method in ${code("method")} is the leaf; without the time of traced calls inside`);
  if (routed === true) notes.push("routed from the row above");
  return notes.join("; ");
}

function section(profile: ProfileRow, id: number): string {
  const { label, about, unit, second, period, setting, snapshot, events } = profile;
  const lines = [`### ${code(wireType(PROFILES, id))}`, "", `${label}: ${about}`, ""];
  const rows = [
    "| event | value | second | attributes and conditions |",
    "|---|---|---|---|",
    ...events.map(
      (row) =>
        `| ${code(row.event)} | ${valueText(row.value)} | ${row.second === undefined ? "" : valueText(row.second)} | ${notesOf(row)} |`,
    ),
  ];
  const facts = [
    `Value in ${unit}${second === undefined ? "" : `; second measure ${code(second.name)} (${code(second.type)}, ${second.unit})`}.`,
  ];
  if (period !== undefined) {
    const from = [
      ...(period.configField === undefined ? [] : [code(`datadog.DatadogProfilerConfig#${period.configField}`)]),
      ...period.settings.map(code),
      ...(period.wallSettings ?? []).map((name) => `${code(name)} (in wall mode, \`event=wall\`)`),
    ];
    const unset = period.unset === undefined ? "" : `; \`0\` is the recorder's default, ${period.unset / 1e6} ms`;
    facts.push(`Period in ${period.unit} from ${from.join(" or ")}${unset}.`);
  }
  if (snapshot === true)
    facts.push("Every chunk writes the whole list; in a file only the list of the last chunk counts.");
  facts.push(`Recorded by: ${setting}`);
  return [...lines, ...rows, "", facts.join(" "), ""].join("\n");
}

function document(): string {
  return [
    "# Events",
    "",
    "<!-- Printed from src/core/tables/catalogue.ts by `npm run docs`: change the catalogue, not this file. -->",
    "",
    "JFR events that become samples, with their profile and value. Names are those in OTLP; `info`, `--type`",
    "and the page leave out the event after the colon if a recording has only one profile of the type. JDK 9 and 10 write",
    "the events of the JDK as `com.oracle.jdk.…`: they are read by the same rows.",
    "",
    "In addition, samples carry `thread.name` and `thread.id`, a link from `spanId` and `localRootSpanId` (or",
    "`rootSpanId`), every field after the local root under its name (context attributes of the Datadog profiler), Pyroscope's",
    "`contextId` and `spanName`, and `trace endpoint` and `trace operation` if `datadog.Endpoint` describes their root.",
    "",
    "A thread is its id in a process, that of the JVM before that of the system, and its name is the last one that it had. Lists",
    "have `worker #27` where 2 to 100 threads are called `worker`, and one row for all *unnamed threads*; `--thread` takes",
    "names and these labels. Where files are of several processes, and in pprof, a renamed thread is several. Files that state no",
    "process are taken for those of one; so is one OTLP file of another writer, and several are not.",
    "",
    "`--event NAME` makes a profile of any other event: counted, or with `--value FIELD` the sum of a numeric field. Events without",
    "a stack that name a `method` have it as their frame.",
    "",
    "Three kinds of fields are no such sums. *Counters* since a start (`jdk.MethodTiming#invocations`,",
    "`jdk.ThreadAllocationStatistics#allocated`; src/core/tables/readings.ts has all) count their growth: the first value has",
    "all before it, and files of one process continue each other in any order. *Levels* (`heapUsed`, loads, other fields of",
    "statistics, `@Percentage`, times since 1970, names such as `average` or `peak`) are refused, because states do not add up.",
    "*Unknown* values (the smallest integer, NaN) are left out, with `jfr.value.missing`. Fractions without a unit are thousandths.",
    "",
    ...PROFILES.map(section),
  ].join("\n");
}

it("docs/events.md agrees with the catalogue", async () => {
  await expect(document()).toMatchFileSnapshot("../../docs/events.md");
});
