/** Which events have times of work for a request (assembly/view/work-events.ts), by the types of their profiles. */
import { EVENT_PROFILE, PROFILE_TYPE } from "../../assembly/abi/profile-row.ts";
import type { Access } from "./access.ts";

/** The end of a file, and a wait before the work. */
const OTHERS = new Set(["live-heap", "queue-time"]);

/** 1 for each row of events that are of work. */
export function workEvents(access: Pick<Access, "wasm" | "memory" | "string">): Uint8Array {
  const { wasm, memory } = access;
  return Uint8Array.from({ length: wasm.eventCount.value }, (_, event) => {
    const profile = wasm.profileAt(memory.u32(wasm.eventAt(event) + EVENT_PROFILE));
    return Number(!OTHERS.has(access.string(memory.u32(profile + PROFILE_TYPE))));
  });
}

/** Tells the core, unless it knows. Takes no memory, so it cannot fail. */
export function tellWorkEvents(access: Access): void {
  const { wasm } = access;
  if (wasm.workEventCount.value === wasm.eventCount.value) return;
  for (const [event, isOfWork] of workEvents(access).entries()) wasm.tellWorkEvent(event, isOfWork === 1);
}
