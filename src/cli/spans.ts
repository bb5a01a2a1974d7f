/** `spanflame spans`: lists spans, local roots or attribute values by weight. */
import type { RankBy, RankRow } from "../core/types.ts";
import { formatCount, formatValue } from "../model/words/format.ts";
import { hexId, isTrace } from "../model/words/ids.ts";
import { countOf, parseFilter } from "./arguments.ts";
import { ExitCode, UsageError } from "./exit.ts";
import { chosenProfile, readSaid } from "./read.ts";
import { printJson, printTable, say } from "./terminal.ts";
import type { CallOf } from "./usage/commands.ts";
import { notOneOf } from "./usage/suggest.ts";

function rankBy(text: string): RankBy {
  if (text === "local-root" || text === "span") return { kind: text };
  if (text.startsWith("attr:") && text.length > 5) return { kind: "attribute", key: text.slice(5) };
  throw new UsageError(notOneOf("--by", text, ["local-root", "span", "attr:KEY"]));
}

/** One row of the JSON answer. */
function record(by: RankBy, { id, root, label, samples, value }: RankRow): object {
  if (by.kind === "attribute") return { key: label, samples, value };
  const own = { id, hex: hexId(id) };
  return by.kind === "span" ? { ...own, root, rootHex: hexId(root), samples, value } : { ...own, samples, value };
}

export async function spans({ inputs, values }: CallOf<"spans">): Promise<ExitCode> {
  const by = rankBy(values.by ?? "local-root");
  const filter = await parseFilter(values);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const { core, exit } = await readSaid(inputs, values);
  if (exit === ExitCode.Failed) return exit;
  const chosen = chosenProfile(core, values);
  if (chosen !== null) core.select(chosen.profile.id, filter, chosen.measure);
  const unit = chosen?.profile.measures[chosen.measure]?.unit ?? "";
  const rows = chosen === null ? [] : core.views.rank(by, 0, limit).rows;
  if (rows.length === 0) say("spanflame: no samples with that id or attribute");
  if (values.json) {
    printJson({ rows: rows.map((row) => record(by, row)) });
    return exit;
  }
  printTable(
    rows.map((row) => {
      const name = by.kind === "attribute" ? row.label : `${hexId(row.id)}  ${isTrace(row.id) ? "" : row.id}`.trimEnd();
      return [formatValue(row.value, unit), formatCount(row.samples), name];
    }),
  );
  return exit;
}
