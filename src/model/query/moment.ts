/**
 * A moment as people type it: a duration before now, such as 1d, a date and time of ISO 8601, or ns since 1970. A time
 * without a zone is UTC, because all printed times are: what an answer prints can be given back on any machine.
 */

const UNITS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
    d: 86_400_000_000_000n,
    w: 604_800_000_000_000n,
  }),
);

/** `2026-11-20`, `2026-11-20 20:59:32.532 UTC`, `2026-11-20T21:59+01:00`. */
const DATE =
  /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)? ?(Z|UTC|GMT|([+-]\d\d):?(\d\d)?)?)?$/i;
const NANO_DIGITS = 9;

export const NO_MOMENT =
  "is neither a duration such as 1d, 12h or 30m nor a time such as 2026-11-20T08:00Z (UTC without a zone) nor ns since 1970";

/** Nanoseconds since 1970; null for a text that is none. `now` in milliseconds. */
export function momentIn(text: string, now: number): bigint | null {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) {
    const moment = BigInt(now) * 1_000_000n - BigInt(count) * (UNITS.get(unit) ?? 0n);
    return moment < 0n ? 0n : moment;
  }
  return /^\d{1,19}$/.test(text) ? BigInt(text) : dateIn(text.trim());
}

/** Nanoseconds since 1970 of a date and time, all digits of its fraction; null for a text that is none. */
function dateIn(text: string): bigint | null {
  const [whole, date = "", time = "00:00", seconds = ":00", fraction = "", , hours = "", minutes = "00"] =
    DATE.exec(text) ?? [];
  if (whole === undefined) return null;
  const day = date.length === "2026-11".length ? `${date}-01` : date;
  const local = Date.parse(`${day}T${time}${seconds}Z`);
  // Date.parse reads 30 February as a day of March.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day);
  if (Number.isNaN(local) || !isDay || Math.abs(Number(hours)) > 14 || Number(minutes) > 59) return null;
  const offset = (Math.abs(Number(hours)) * 60 + Number(minutes)) * (hours.startsWith("-") ? -60_000 : 60_000);
  const nanos = BigInt(fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, "0"));
  return BigInt(local - offset) * 1_000_000n + nanos;
}
