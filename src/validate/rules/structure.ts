/** Rules of a message as a whole: required parts. */
import { TABLES, type TableName } from "../../otlp/schema.ts";
import type { Message } from "../message.ts";
import { type Check, COLLECTOR, eachRow, type Found, PROFCHECK, PROTO, type Rule, rule } from "./rule.ts";

const TABLE_NAMES = Object.keys(TABLES) as TableName[];
export const MIB = 2 ** 20;
/** Size limit of a body, by the specification and by the Collector's default. */
const SPEC_LIMIT = 64 * MIB;
const COLLECTOR_LIMIT = 20 * MIB;

export const STRUCTURE_RULES: Rule[] = [
  rule("E01", "The message has a dictionary with all seven tables", `${PROTO}, ${PROFCHECK}`, tables),
  rule(
    "E02",
    "The first string is empty",
    `${PROTO}, ${PROFCHECK}`,
    eachRow("ProfilesDictionary", (_, message) => () => {
      const first = message.stringAt(0);
      return first === 0 ? null : ["string_table[0]", `${message.quoted(first)} where "" is due`];
    }),
  ),
  rule(
    "E03",
    "The first mapping, location, function, attribute and stack are zero values",
    `${PROTO}, ${PROFCHECK}`,
    firstRows,
  ),
  rule(
    "E04",
    "The first link is empty, or 16 and 8 zero bytes",
    `${PROTO}, ${PROFCHECK}`,
    firstLink((lengths, isZero) => (isZero && (lengths === "0/0" || lengths === "16/8") ? null : "no zero value")),
  ),
  rule("E05", "There is a resource, in each resource a scope, in each scope a profile", PROFCHECK, (message, found) => {
    for (const check of [
      eachRow("ProfilesData", some("resource_profiles")),
      eachRow("ResourceProfiles", some("scope_profiles")),
      eachRow("ScopeProfiles", some("profiles")),
    ]) {
      check(message, found);
    }
  }),
  rule(
    "W18",
    "At least one profile has samples: the Collector drops a message without samples",
    COLLECTOR,
    eachRow("ProfilesData", (_, message) => () => (message.of("Sample").rows > 0 ? null : ["", "no samples"])),
  ),
  rule("W19", "A body has at most 64 MiB", "OTLP specification", atMost(SPEC_LIMIT)),
  rule(
    "I04",
    "The first link is empty: profcheck refuses zero bytes, although they are valid",
    PROFCHECK,
    firstLink((lengths, isZero) => (isZero && lengths === "16/8" ? "16 and 8 zero bytes" : null)),
  ),
  rule(
    "I19",
    "A body has at most 20 MiB, the Collector's default limit",
    COLLECTOR,
    atMost(COLLECTOR_LIMIT, SPEC_LIMIT),
  ),
];

function tables(message: Message, found: Found): void {
  const isThere = message.of("ProfilesDictionary").rows > 0;
  const wanting = isThere ? TABLE_NAMES.filter((table) => message.sizeOf(table) === 0) : ["dictionary"];
  for (const name of wanting) {
    found(
      () => message.prefix + name,
      () => "is not there",
    );
  }
}

function firstRows(message: Message, found: Found): void {
  for (const table of TABLE_NAMES) {
    const type = TABLES[table];
    if (type === null || type === "Link" || message.isZero(type, 0)) continue;
    found(
      () => message.where(type, 0),
      () => "is not the zero value",
    );
  }
}

/** A check of the first link by the lengths of its ids and whether they are all zero. */
function firstLink(says: (lengths: string, isZero: boolean) => string | null): Check {
  return eachRow("Link", (links, { texts }) => (row) => {
    if (row > 0) return null;
    const ids = [links.ints("trace_id").get(row), links.ints("span_id").get(row)];
    const lengths = ids.map((id) => texts.get(id).length);
    const fault = says(
      lengths.join("/"),
      ids.every((id, i) => lengths[i] === 0 || texts.isAllZero(id)),
    );
    return fault === null ? null : ["", fault];
  });
}

function some(name: string): Parameters<typeof eachRow>[1] {
  return (table) => (row) => (table.children(name).first.get(row) > 0 ? null : [name, "is empty"]);
}

export function atMost(limit: number, otherwise = Number.POSITIVE_INFINITY): Check {
  return eachRow("ProfilesData", (_, { byteLength }) => () => {
    const isWrong = byteLength > limit && byteLength <= otherwise;
    return isWrong ? ["", `${(byteLength / MIB).toFixed(1)} MiB, not compressed`] : null;
  });
}
