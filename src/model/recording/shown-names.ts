/** Names of the open files for people: the stream files of a dump beside each other are one name. */
import { streamFilePrefix } from "../../core/inputs/bundle-paths.ts";

/** `PREFIX` for files `PREFIX.calls.0.protocol`, `PREFIX.dictionary.protocol`; other names as they are. */
export function shownNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => streamFilePrefix(name) ?? name))];
}
