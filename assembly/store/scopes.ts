/**
 * Instrumentation scopes of profiles that other producers wrote, with the schema URLs around them. Row 0 is the
 * scope of our own writer.
 *
 *   scope   | name | version | attribute set | schema URL | schema URL of the resource | 0 |       strings but the set
 */
import { newRowTable, RowTable } from "../memory/row-table";

export let scopes: RowTable = changetype<RowTable>(0);

export const SCOPE_NAME: u32 = 0;
export const SCOPE_VERSION: u32 = 1;
export const SCOPE_SET: u32 = 2;
export const SCOPE_URL: u32 = 3;
export const SCOPE_RESOURCE_URL: u32 = 4;

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
  return scopes.intern();
}
