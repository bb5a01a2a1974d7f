/**
 * Resource of a run of a CDT dump, from the host: a run is one process, and has one in every message.
 *
 *   (key · value)*        text := u32 size · bytes
 */
import * as ValueKind from "../../abi/value-kind";
import { runAt } from "../../store/runs";
import { Holder, internResource } from "../../store/scopes";
import { internAttribute, internString } from "../../store/tables";
import { addToSet, internSet, newSet } from "../set";

/** Gives run `which` the attributes in the `n` bytes at `p`, which end with a text. */
export function setRunResource(which: u32, p: usize, n: u32): void {
  const end = p + n;
  const set = newSet();
  while (p < end) {
    const keySize = load<u32>(p);
    const valueAt = p + 4 + keySize;
    const key = internString(p + 4, keySize);
    const value = internString(valueAt + 4, load<u32>(valueAt));
    addToSet(set, internAttribute(key, ValueKind.Text, value));
    p = valueAt + 4 + load<u32>(valueAt);
  }
  runAt(which).scope = internResource(0, internSet(set), Holder.Run);
  set.free();
}
