/** A moment as people type it: a duration before now, such as 1d, a date and time of ISO 8601, or ns since 1970. */

const UNITS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
    d: 86_400_000_000_000n,
    w: 604_800_000_000_000n,
  }),
);

export const NO_MOMENT =
  "is neither a duration such as 1d, 12h or 30m nor a time such as 2026-11-20T08:00Z nor ns since 1970";

/** Nanoseconds since 1970; null for a text that is none. `now` in milliseconds. */
export function momentIn(text: string, now: number): bigint | null {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) {
    const moment = BigInt(now) * 1_000_000n - BigInt(count) * (UNITS.get(unit) ?? 0n);
    return moment < 0n ? 0n : moment;
  }
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  const millis = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(millis) ? null : BigInt(millis) * 1_000_000n;
}
