/**
 * Events whose times are those of work for a request. A live object is noted at the end of its file, and a wait in a
 * queue begins before the work, so neither tells how long a request took.
 */
import { MAX_EVENTS } from "../store/profiles";
import { SAMPLE_EVENT, sampleAt } from "../store/samples";

/** u8 per row of events: 1 for events of work. Rows after the last one are of work. */
const events: usize = memory.data(<i32>MAX_EVENTS);
/** Rows that the host told apart. */
export let workEventCount: u32 = 0;

export function resetWorkEvents(): void {
  workEventCount = 0;
}

/** The host tells them in order, by their profiles, as it knows the catalogue. */
export function tellWorkEvent(event: u32, isOfWork: bool): void {
  store<u8>(events + event, u8(isOfWork));
  workEventCount = event + 1;
}

export function isOfWork(row: u32): bool {
  const event = load<u32>(sampleAt(row), SAMPLE_EVENT);
  return event >= workEventCount || load<u8>(events + event) !== 0;
}
