/**
 * Generates docs/validator.md from the table of rules: `npm run docs` writes it, this test compares it with the table.
 */
import { expect, it } from "vitest";
import type { Severity } from "../core/types.ts";
import { severityOf } from "./diagnostics.ts";
import { RULES } from "./rules/rules.ts";

const SECTIONS: [Severity, string, string][] = [
  ["error", "Errors", "What a receiver refuses, loses or cannot make sense of. One of them and the exit code is 1."],
  ["warning", "Warnings", "What receivers tolerate and writers should not write. `--strict` makes them fail."],
  ["info", "Infos", "What is no fault, and what some backends miss."],
];

function section([severity, title, about]: (typeof SECTIONS)[number]): string {
  const rows = RULES.filter(({ id }) => severityOf(id) === severity);
  return [
    `## ${title}`,
    "",
    about,
    "",
    "| rule | what has to hold | by |",
    "|---|---|---|",
    ...rows.map(({ id, text, source }) => `| ${id} | ${text} | ${source} |`),
    "",
  ].join("\n");
}

function document(): string {
  return [
    "# Validator",
    "",
    "<!-- Printed from src/validate/rules by `npm run docs`: change the rules, not this file. -->",
    "",
    "`spanflame validate FILE` holds OTLP profiles to these rules. It reads protobuf and JSON, one message or many as the",
    "Collector's file exporter writes them, packed or not, as a stream. Each rule that is broken is told once, with its",
    "first place, by the names of the .proto, and how often. `--json` gives",
    "`{valid, findings: [{rule, severity, message, where, count}]}`, and so does `validate` of the library.",
    "",
    "The column *by* says who asks for it: the comments of profiles.proto and common.proto (opentelemetry-proto v1.11), the",
    "specification of OTLP/JSON, profcheck of sig-profiling, the Collector (v0.161); *custom* is what nobody wrote down and",
    "readers count on. Where they differ the .proto holds: profcheck refuses zero bytes for the first link, which the .proto",
    "prefers; here that is an info. Nor does it count `string_value_strindex` and `key_strindex` as use of a string.",
    "",
    ...SECTIONS.map(section),
  ].join("\n");
}

it("docs/validator.md is what the rules say", async () => {
  await expect(document()).toMatchFileSnapshot("../../docs/validator.md");
});

it("no rule has the id of another", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
});
