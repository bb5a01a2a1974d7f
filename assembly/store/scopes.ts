/**
 * Instrumentation scopes of profiles that other producers wrote, with the schema URLs around them. Row 0 is the
 * scope of our own writer. So is a row with a resource only: the set of those attributes of the Resource that not all
 * Resources of the message have. Runs of dumps have such rows, because each is a process.
 *
 *   scope   | name | version | attribute set | schema URL | schema URL of the resource | resource |
 *
 * The attribute set and the resource are sets, all others are strings.
 */
import { newRowTable, RowTable } from "../memory/row-table";

export let scopes: RowTable = changetype<RowTable>(0);

export const SCOPE_NAME: u32 = 0;
export const SCOPE_VERSION: u32 = 1;
export const SCOPE_SET: u32 = 2;
export const SCOPE_URL: u32 = 3;
export const SCOPE_RESOURCE_URL: u32 = 4;
export const SCOPE_RESOURCE: u32 = 5;

export function resetScopes(): void {
  scopes = newRowTable(6, 16);
}

/** 0 for a scope without any text and attribute. */
export function internScope(name: u32, version: u32, set: u32, url: u32, resourceUrl: u32): u32 {
  scopes.put(SCOPE_NAME, name);
  scopes.put(SCOPE_VERSION, version);
  scopes.put(SCOPE_SET, set);
  scopes.put(SCOPE_URL, url);
  scopes.put(SCOPE_RESOURCE_URL, resourceUrl);
  scopes.put(SCOPE_RESOURCE, 0);
  return scopes.intern();
}

/** Our own scope in a Resource with attributes of `set`; 0 for the empty set. */
export function internResource(set: u32): u32 {
  for (let word: u32 = SCOPE_NAME; word < SCOPE_RESOURCE; word++) scopes.put(word, 0);
  scopes.put(SCOPE_RESOURCE, set);
  return scopes.intern();
}

/** Attribute set of the Resource of a scope, 0 if it has no separate one. */
export function resourceOf(scope: u32): u32 {
  return scopes.get(scope, SCOPE_RESOURCE);
}

/** Whether any scope has a separate Resource. */
export function hasResources(): bool {
  for (let i: u32 = 1; i < scopes.count; i++) if (resourceOf(i) !== 0) return true;
  return false;
}

/** Whether our writer's name and schema URL are those of the scope. */
export function isOurScope(scope: u32): bool {
  return scope === 0 || resourceOf(scope) !== 0;
}
