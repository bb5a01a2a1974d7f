/** Which profiles are of work: their events tell when a request began and ended. */
import * as ProfileRow from "../../../assembly/abi/rows/profile-row.ts";
import type { Access } from "../instance/access.ts";
import { kindOf } from "../tables/meanings.ts";
import type { ProfileKind } from "../types.ts";

/** The end of a file, and a wait before the work. */
const OTHERS: readonly ProfileKind[] = ["live", "queue"];

/**
 * 1 for each row of events that are of work for a request (assembly/view/requests.ts), by the kinds of their profiles.
 */
export function workEvents(access: Pick<Access, "wasm" | "memory" | "string">): Uint8Array {
  const { wasm, memory } = access;
  return Uint8Array.from({ length: wasm.eventCount.value }, (_, event) => {
    const profile = wasm.profileAt(memory.u32(wasm.eventAt(event) + ProfileRow.EVENT_PROFILE));
    const text = (field: number) => access.string(memory.u32(profile + field));
    const type = text(ProfileRow.TYPE);
    const stated = { type, periodType: text(ProfileRow.PERIOD_TYPE), periodUnit: text(ProfileRow.PERIOD_UNIT) };
    return Number(!OTHERS.includes(kindOf(stated)));
  });
}

/** Tells the core, unless it knows. Takes no memory, so it cannot fail. */
export function tellWorkEvents(access: Access): void {
  const { wasm } = access;
  if (wasm.workEventCount.value === wasm.eventCount.value) return;
  for (const [event, isOfWork] of workEvents(access).entries()) wasm.tellWorkEvent(event, isOfWork === 1);
}
