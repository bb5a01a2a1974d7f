/**
 * Instrumentation scopes of profiles that other producers wrote, with the schema URLs around them. Row 0 is the
 * scope of our own writer; so are rows that state no more than a resource: the set of those attributes of the Resource
 * that not all Resources of the message have. Runs of dumps have such rows, because each is a process.
 *
 *   scope   | name | version | attribute set | schema URL | schema URL of the resource | resource | holder | 0 |
 *
 * The attribute set and the resource are sets, the holder is a number, all others are strings.
 *
 * A sample of a message has the attributes of its Resource in its set, so that filters find them. The message is
 * written with the set that it gave the sample:
 *
 *   written   by set and resource: the set without the attributes that only the Resource has, + 1
 */

import { KeyTable, newKeyTable } from "../memory/key-table";
import { onReset } from "../memory/resets";
import { ownRowTable, RowTable } from "../memory/row-table";
import * as ScopeRow from "./rows/scope-row";

export const scopes: RowTable = ownRowTable(8, 16);

/** What has the attributes of a resource. */
export enum Holder {
  /** A run of a dump. */
  Run,
  /** The Resource of a message. */
  Message,
  /** The Resource of a message, and its samples. */
  Samples,
}

/** 0 while no samples carry a resource. */
let written: KeyTable = changetype<KeyTable>(0);

onReset((): void => {
  written = changetype<KeyTable>(0);
});

/** 0 for a scope without any text and attribute. */
export function internScope(name: u32, version: u32, set: u32, url: u32, resourceUrl: u32): u32 {
  scopes.put(ScopeRow.NAME, name);
  scopes.put(ScopeRow.VERSION, version);
  scopes.put(ScopeRow.SET, set);
  scopes.put(ScopeRow.URL, url);
  scopes.put(ScopeRow.RESOURCE_URL, resourceUrl);
  scopes.put(ScopeRow.RESOURCE, 0);
  scopes.put(ScopeRow.HOLDER, 0);
  return scopes.intern();
}

/** The scope in a Resource with attributes of `set`; itself for the empty set. */
export function internResource(scope: u32, set: u32, holder: Holder): u32 {
  if (set === 0) return scope;
  for (let word: u32 = ScopeRow.NAME; word < ScopeRow.RESOURCE; word++) scopes.put(word, scopes.get(scope, word));
  scopes.put(ScopeRow.RESOURCE, set);
  scopes.put(ScopeRow.HOLDER, holder);
  return scopes.intern();
}

export function isRun(scope: u32): bool {
  return resourceOf(scope) !== 0 && scopes.get(scope, ScopeRow.HOLDER) === <u32>Holder.Run;
}

/** Samples of the attribute set `set` carry the set `resource`, and are written with the set `without`. */
export function noteWritten(set: u32, resource: u32, without: u32): void {
  if (changetype<usize>(written) === 0) written = newKeyTable(64);
  written.put(((<u64>set) << 32) | resource, without + 1);
}

/** The resource that samples of this scope carry; 0 if they carry none. */
export function carriedOf(scope: u32): u32 {
  return scopes.get(scope, ScopeRow.HOLDER) === <u32>Holder.Samples ? resourceOf(scope) : 0;
}

/** The set that a sample of set `set`, which carries `resource`, is written with. */
export function writtenSet(set: u32, resource: u32): u32 {
  const known = written.find(((<u64>set) << 32) | resource);
  return known === 0 ? set : known - 1;
}

/** Attribute set of the Resource of a scope, 0 if it has no separate one. */
export function resourceOf(scope: u32): u32 {
  return scopes.get(scope, ScopeRow.RESOURCE);
}

/** Whether any scope has a separate Resource. */
export function hasResources(): bool {
  for (let i: u32 = 1; i < scopes.count; i++) if (resourceOf(i) !== 0) return true;
  return false;
}

/** Whether our writer's name and schema URL are those of the scope. */
export function isOurScope(scope: u32): bool {
  for (let word: u32 = ScopeRow.NAME; word < ScopeRow.RESOURCE; word++) if (scopes.get(scope, word) !== 0) return false;
  return true;
}
