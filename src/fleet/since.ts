/** `--since T`: a duration before now, such as 1d, or a time. */
import { momentIn, NO_MOMENT } from "../model/query/moment.ts";
import { UsageError } from "../node/exit.ts";

/** Nanoseconds since 1970. `now` in milliseconds. */
export function sinceOf(option: string, text: string, now: number): bigint {
  const moment = momentIn(text, now);
  if (moment === null) throw new UsageError(`${option}: ${JSON.stringify(text)} ${NO_MOMENT}`);
  return moment;
}
