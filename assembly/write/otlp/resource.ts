/**
 * Attributes of the Resource of a scope: those of the plan, which all Resources of the message have, then those that
 * only this one has.
 */
import { resourceOf } from "../../store/scopes";
import { ATTRIBUTE_KEY, attributes, sets } from "../../store/tables";
import { at, put } from "../columns";
import { scratch } from "../output";
import { decidesKey, resourceAttribute, resourceCount } from "../plan";

let list: usize = 0;
/** Attributes of the scope that `listResource` was called for. */
export let listed: u32 = 0;

/** Lists the attributes of the Resource of this scope. */
export function listResource(scope: u32): void {
  const set = resourceOf(scope);
  const own = sets.size(set) >> 2;
  list = scratch((<u64>(resourceCount + own)) << 2);
  listed = 0;
  for (let i: u32 = 0; i < resourceCount; i++) put(list, listed++, resourceAttribute(i));
  for (let i: u32 = 0; i < own; i++) {
    const attribute = at(sets.pointer(set), i);
    if (!decidesKey(attributes.get(attribute, ATTRIBUTE_KEY))) put(list, listed++, attribute);
  }
}

/** An attribute of the listed ones. */
export function listedAttribute(i: u32): u32 {
  return at(list, i);
}

/** Whether the Resource of this scope has attributes that others of the message do not have. */
export function isSeparate(scope: u32): bool {
  const set = resourceOf(scope);
  for (let i: u32 = 0; i < sets.size(set) >> 2; i++) {
    if (!decidesKey(attributes.get(at(sets.pointer(set), i), ATTRIBUTE_KEY))) return true;
  }
  return false;
}
