/** Generates docs/events.md from the catalogue: `npm run docs` writes it, this test compares it with the catalogue. */
import { expect, it } from "vitest";
import { type EventRow, PROFILES, type ProfileRow, type ValueRule, wireType } from "./catalogue.ts";

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
    case "rounded":
      return `round(${code(rule.field)})`;
    case "field":
      return `${code(rule.field)}, else 1`;
    default:
      return code(rule.field);
  }
}

function notesOf({ attributes = [], skip, route, routed }: EventRow): string {
  const notes = attributes.map(([field, key]) => `${code(field)} → ${code(key)}`);
  if (skip !== undefined) notes.push(`left out where ${code(skip)}`);
  if (route !== undefined)
    notes.push(
      `${route.texts.map(code).join(", ")} in ${code(route.field)}: see the routed row${route.where === "" ? "" : `, where the pool knows ${code(route.where)}`}`,
    );
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
    facts.push(`Period in ${period.unit} from ${from.join(" or ")}.`);
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
    "<!-- Printed from src/core/catalogue.ts by `npm run docs`: change the catalogue, not this file. -->",
    "",
    "Which JFR events become samples, of which profile, with which value. Every name is the one that OTLP gets; `info`, `--type`",
    "and the page leave out the event behind the colon where a recording has one profile of the type only. JDK 9 and 10 write",
    "the events of the JDK as `com.oracle.jdk.…`: they are read by the same rows.",
    "",
    "Beside what is listed, samples carry `thread.name` and `thread.id`, a link from `spanId` and `localRootSpanId` (or",
    "`rootSpanId`), every field behind the local root under its own name (context attributes of the Datadog profiler), Pyroscope's",
    "`contextId` and `spanName`, and `trace endpoint` and `trace operation` where `datadog.Endpoint` says what their root was.",
    "",
    "Any other event is profiled by `--event NAME`, counted, or by `--value FIELD`, the sum of a number.",
    "",
    ...PROFILES.map(section),
  ].join("\n");
}

it("docs/events.md is what the catalogue says", async () => {
  await expect(document()).toMatchFileSnapshot("../../docs/events.md");
});
