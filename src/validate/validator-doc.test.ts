/**
 * Generates docs/validator.md from the table of rules: `npm run docs` writes it, this test compares it with the table.
 */
import { expect, it } from "vitest";
import type { Severity } from "../core/types.ts";
import { severityOf } from "./diagnostics.ts";
import { RECEIVERS, type Receiver } from "./rules/receivers.ts";
import type { Rule } from "./rules/rule.ts";
import { RULES } from "./rules/rules.ts";

const SECTIONS: [Severity, string, string][] = [
  ["error", "Errors", "Faults that make a receiver refuse, lose or misread data. Any of them makes the exit code 1."],
  [
    "warning",
    "Warnings",
    "Faults that receivers tolerate, but that writers should avoid. `--strict` makes them errors.",
  ],
  ["info", "Infos", "Not faults, but some backends need the data."],
];

function section([severity, title, about]: (typeof SECTIONS)[number]): string {
  const rows = RULES.filter(({ id }) => severityOf(id) === severity);
  return [`## ${title}`, "", about.replaceAll(". ", ".\n"), "", ...table(rows, "by"), ""].join("\n");
}

function table(rules: readonly Rule[], source: string): string[] {
  return [
    `| rule | requirement | ${source} |`,
    "|---|---|---|",
    ...rules.map((rule) => `| ${rule.id} | ${rule.text} | ${rule.source} |`),
  ];
}

function receiverSection({ name, title, about, rules }: Receiver): string {
  return [`### ${title}: \`--for ${name}\``, "", about.replaceAll(". ", ".\n"), "", ...table(rules, "source"), ""].join(
    "\n",
  );
}

function document(): string {
  return [
    "# Validator",
    "",
    "<!-- Printed from src/validate/rules by `npm run docs`: change the rules, not this file. -->",
    "",
    "`spanflame validate FILE` checks OTLP profiles against these rules. It reads protobuf and JSON, one message or many as the",
    "Collector's file exporter writes them, compressed or not, as a stream. Each violated rule is reported once, with its",
    "first location (in names of the .proto) and the number of violations. `--json` prints",
    "`{valid, findings: [{rule, severity, message, where, count}]}`, and so does `validate` of the library.",
    "",
    "The column *by* names the source: the comments of profiles.proto and common.proto (opentelemetry-proto v1.11), the",
    "specification of OTLP/JSON, profcheck of sig-profiling, the Collector (v0.165); *custom* means that no document has the",
    "rule, but readers rely on it. The .proto overrides the others: profcheck refuses zero bytes for the first link, which the",
    ".proto prefers; here that is an info. Profcheck also ignores `string_value_strindex` and `key_strindex` as uses of a",
    "string.",
    "",
    ...SECTIONS.map(section),
    "## Receivers",
    "",
    "`--for NAME` adds the rules of a receiver; repeat it for several receivers. The library has the option `for` of `validate`.",
    "An `E` rule is for messages that the receiver refuses, a `W` rule for data that it loses, an `I` rule for data that it",
    "ignores by design. The rules were read from the source of the receivers; only the Collector was run.",
    "",
    ...RECEIVERS.map(receiverSection),
  ].join("\n");
}

it("docs/validator.md agrees with the rules", async () => {
  await expect(document()).toMatchFileSnapshot("../../docs/validator.md");
});

it("no rule has the id of another", () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
});
