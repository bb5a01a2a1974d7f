/**
 * What was read of a message of OTLP, as a hash: the same for protobuf, whatever the order of its fields, and for JSON.
 * It is of the observations, with tables numbered as they first occur, and of the texts and stacks of the dictionary.
 */
import { createHash } from "node:crypto";
import { wireFields } from "../bytes/protobuf.ts";
import type { Core } from "../core/core.ts";
import { observationColumns } from "../core/samples/store-columns.ts";
import { TAGS } from "../otlp/tags.ts";
import { HeldCore } from "../requests/held-core.ts";

const PAGE_ROWS = 1 << 15;
const DICTIONARY = TAGS.ProfilesData.dictionary;
/** Columns with rows of tables. */
const TABLED = ["event", "stack", "link", "thread", "set"] as const;
const TABLES: number[] = [TAGS.ProfilesDictionary.string_table, TAGS.ProfilesDictionary.stack_table];

/** Hash of the dictionary of a message in protobuf; null if it has none. Readers have JSON as protobuf, too. */
export function dictionaryHash(message: Uint8Array): string | null {
  const hashes = TABLES.map(() => createHash("sha256"));
  let isThere = false;
  for (const { number, wire, bytes } of wireFields(message)) {
    if (8 * number + wire !== DICTIONARY) continue;
    isThere = true;
    for (const entry of wireFields(bytes))
      hashes[TABLES.indexOf(8 * entry.number + entry.wire)]?.update(`${entry.bytes.length} `).update(entry.bytes);
  }
  return isThere ? hashes.map((hash) => hash.digest("hex")).join(" ") : null;
}

/**
 * Hash of the message that was opened as number `opened`, whose observations are [first, last) of the core. Null if it
 * has none, or no time: equal ones may be of equal work.
 */
export function readHash(core: Core, opened: number, dictionary: string, first: number, last: number): string | null {
  const { file = -1, index = -1 } = core.instance.opened[opened] ?? {};
  const message = core.instance.files[file]?.messages[index];
  if (message === undefined || message.startUnixNano === 0n || first === last) return null;
  const hash = createHash("sha256").update(`${dictionary} ${message.startUnixNano} ${message.durationNano}\n`);
  const resource = Object.entries(core.instance.files[file]!.resource).sort(([a], [b]) => (a < b ? -1 : 1));
  hash.update(JSON.stringify(resource));
  new HeldCore(core).about(null, {});
  const numbers = TABLED.map((name) => ({ name, known: new Map<number, number>() }));
  for (let next = first; next < last; ) {
    const page = observationColumns(core.instance, null, next, Math.min(PAGE_ROWS, last - next), false);
    for (const column of [page.time, page.value, page.second]) hash.update(column);
    for (const { name, known } of numbers) {
      const numbered = page[name].map((row) => {
        const number = known.get(row) ?? known.size;
        known.set(row, number);
        return number;
      });
      hash.update(numbered);
    }
    next = page.next;
  }
  return hash.digest("hex");
}
