/** What recordings cover, for an id that none of them knows. */
import type { FileSummary } from "../../core/types.ts";
import { formatClock, formatDay } from "../words/moments.ts";
import { visible } from "../words/text.ts";

/** Recordings that are listed. */
const MOST = 5;

/** A line for each recording: its name, its service, and its time in UTC. */
export function coveredWords(files: readonly FileSummary[]): string[] {
  const lines = files.slice(0, MOST).map(({ name, resource, chunks }) => {
    const service = resource["service.name"];
    const starts = chunks.map(({ startUnixNano }) => startUnixNano).filter((start) => start > 0n);
    const ends = chunks.map(({ startUnixNano, durationNano }) => startUnixNano + durationNano);
    const from = starts.reduce((least, each) => (each < least ? each : least), starts[0] ?? 0n);
    const to = ends.reduce((most, each) => (each > most ? each : most), 0n);
    const time = from === 0n ? "" : `${moment(from)} to ${moment(to)} UTC`;
    return [visible(name, 60), service && `service ${visible(service, 60)}`, time].filter(Boolean).join(", ");
  });
  return files.length > MOST ? [...lines, "…"] : lines;
}

const moment = (time: bigint) => `${formatDay(time)} ${formatClock(time, 0)}`;
