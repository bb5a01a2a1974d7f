/** Root frames of the graph: the possible levels, by their names in links and in the option `--root-by`. */

import { HOLDER_KEY } from "../../core/tables/holder-key.ts";
import { LIBRARY_KEY } from "../../core/tables/library-keys.ts";
import type { ProfileSummary } from "../../core/types.ts";
import type { RootLevel } from "../../core/view-types.ts";
import { ENDPOINT_KEYS, OPERATION_KEYS } from "../lists/request-keys.ts";
import { decoded, encoded } from "../words/hash-text.ts";
import { visible } from "../words/text.ts";

export type { RootLevel };

/** More levels hide the stacks. */
export const MOST_LEVELS = 2;

const ATTRIBUTE = "attr:";
export const THREAD = "thread.name";
export const THREAD_ID = "thread.id";

/** Each of these keys in turn: a recording may have spans of several tracers. */
const ROOTS: ReadonlyMap<string, Omit<RootLevel, "by"> & { label: string }> = new Map(
  Object.entries({
    endpoint: { label: "Endpoint", keys: ENDPOINT_KEYS, pooled: false, none: "(no endpoint)" },
    operation: { label: "Operation", keys: OPERATION_KEYS, pooled: false, none: "(no operation)" },
    thread: { label: "Thread", keys: [THREAD], pooled: false, none: "(no thread)" },
    library: { label: "Library", keys: [LIBRARY_KEY], pooled: false, none: "(no library)" },
    "thread-pool": { label: "Thread pool", keys: [THREAD], pooled: true, none: "(no thread)" },
    holder: { label: "Holder", keys: [HOLDER_KEY], pooled: false, none: "unknown holders" },
  }),
);

/** Names of levels other than those by an attribute. */
export const ROOT_NAMES: readonly string[] = [...ROOTS.keys()];
/** Names of all levels, for the command line. */
export const ROOT_CHOICES: readonly string[] = [...ROOT_NAMES, `${ATTRIBUTE}KEY`];

/** The level of a name, null for a name that is not known. */
export function rootLevel(by: string): RootLevel | null {
  const known = ROOTS.has(by) ? ROOTS.get(by) : undefined;
  if (known !== undefined) return { by, keys: known.keys, pooled: known.pooled, none: known.none };
  const key = by.startsWith(ATTRIBUTE) ? by.slice(ATTRIBUTE.length) : "";
  return key === "" ? null : { by, keys: [key], pooled: false, none: `(no ${key})` };
}

/** Whether a profile has samples with a root frame of the level other than `none`. */
export function hasLevel(
  { keys }: Pick<RootLevel, "keys">,
  profile: Pick<ProfileSummary, "samplesWithAttribute" | "samplesWithHolder" | "threads">,
) {
  return keys.some((key) => {
    if (key === THREAD || key === THREAD_ID) return profile.threads > 0;
    return key === HOLDER_KEY ? (profile.samplesWithHolder ?? 0) > 0 : Object.hasOwn(profile.samplesWithAttribute, key);
  });
}

/** What the values of an attribute are: `endpoint` of `http.route`; null for an attribute of an application. */
export function nounOf(key: string): string | null {
  for (const [noun, { keys, pooled }] of ROOTS) if (!pooled && keys.includes(key)) return noun;
  return null;
}

/** The name of the level by an attribute. */
export function attributeRoot(key: string): string {
  return ATTRIBUTE + key;
}

/** `thread pool`, or the key of an attribute. */
export function rootWord(by: string): string {
  return ROOTS.get(by)?.label.toLowerCase() ?? visible(by.slice(ATTRIBUTE.length), 60);
}

/** `Thread pool`, or the key of an attribute. */
export function rootLabel(by: string): string {
  return ROOTS.get(by)?.label ?? visible(by.slice(ATTRIBUTE.length), 60);
}

/** `endpoint,thread-pool`, as in links: a comma of a key is encoded. */
export function rootsText(levels: readonly RootLevel[]): string {
  return levels.map(({ by }) => encoded(by).replace("%3A", ":")).join(",");
}

/** The levels of a text of `rootsText`. Names that are not known are left out. */
export function parseRoots(text: string): RootLevel[] {
  const names = text === "" ? [] : text.split(",").map((name) => decoded(name) ?? "");
  const levels = [...new Set(names)].flatMap((name) => rootLevel(name) ?? []);
  return levels.slice(0, MOST_LEVELS);
}
