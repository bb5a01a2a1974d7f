/** Times and time spans in nanoseconds, by the unit that a field's annotation names; without one they are ticks. */
import { startNanos, ticksToNanos, ticksToTime } from "./header";
import { Unit } from "./metadata";

/** The value that a recorder writes for an unavailable span or time. */
export const NOT_AVAILABLE: i64 = i64.MIN_VALUE;

/** `value · factor`, or the nearest number that fits: i64.MAX_VALUE means "forever". */
function times(value: i64, factor: i64): i64 {
  if (value > i64.MAX_VALUE / factor) return i64.MAX_VALUE;
  return value < i64.MIN_VALUE / factor ? i64.MIN_VALUE : value * factor;
}

/** A time span as nanoseconds, 0 where it is not available; an amount of bytes unchanged. */
export function spanOf(value: i64, unit: Unit): i64 {
  if (unit === Unit.Bytes) return value;
  if (value === NOT_AVAILABLE) return 0;
  switch (unit) {
    case Unit.Nanoseconds:
      return value;
    case Unit.Microseconds:
      return times(value, 1_000);
    case Unit.Milliseconds:
      return times(value, 1_000_000);
    case Unit.Seconds:
      return times(value, 1_000_000_000);
    default:
      return ticksToNanos(value);
  }
}

/** Nanoseconds of a unit of time, 1000 of one without a unit that is a float; 1 for all others. */
export function sizeOf(unit: Unit): f64 {
  if (unit === Unit.Thousandths) return 1000;
  return unit >= Unit.Nanoseconds && unit <= Unit.Seconds ? <f64>spanOf(1, unit) : 1;
}

/** The end of an event; a duration that is negative or not available is 0, and "forever" ends at the last time. */
export function endOf(start: i64, length: i64): i64 {
  if (length <= 0) return start;
  return start > i64.MAX_VALUE - length ? i64.MAX_VALUE : start + length;
}

/** A time as ns since 1970; one in wall-clock units that is no epoch time counts from the chunk's start. */
export function timeOf(value: i64, unit: Unit): i64 {
  if (unit === Unit.MillisecondsSinceEpoch) return value * 1_000_000;
  if (unit === Unit.None || unit === Unit.Ticks) return ticksToTime(value);
  return startNanos + spanOf(value, unit);
}
