/** Times and time spans in nanoseconds, by the unit that a field's annotation names; without one they are ticks. */
import { startNanos, ticksToNanos, ticksToTime } from "./header";
import { Unit } from "./metadata";

/** A time span as nanoseconds; an amount of bytes as it is. */
export function spanOf(value: i64, unit: Unit): i64 {
  switch (unit) {
    case Unit.Nanoseconds:
    case Unit.Bytes:
      return value;
    case Unit.Microseconds:
      return value * 1_000;
    case Unit.Milliseconds:
      return value * 1_000_000;
    case Unit.Seconds:
      return value * 1_000_000_000;
    default:
      return ticksToNanos(value);
  }
}

/** A time as ns since 1970; one in wall-clock units that is no epoch time counts from the chunk's start. */
export function timeOf(value: i64, unit: Unit): i64 {
  if (unit === Unit.MillisecondsSinceEpoch) return value * 1_000_000;
  if (unit === Unit.None || unit === Unit.Ticks) return ticksToTime(value);
  return startNanos + spanOf(value, unit);
}
