/** `--since T`: a duration before now, such as 1d, or a time. */
import { UsageError } from "../node/exit.ts";

const NANOS: ReadonlyMap<string, bigint> = new Map(
  Object.entries({
    s: 1_000_000_000n,
    m: 60_000_000_000n,
    h: 3_600_000_000_000n,
    d: 86_400_000_000_000n,
    w: 604_800_000_000_000n,
  }),
);

/** Nanoseconds since 1970. `now` in milliseconds. */
export function sinceOf(option: string, text: string, now: number): bigint {
  const [, count, unit = ""] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (count !== undefined) return BigInt(now) * 1_000_000n - BigInt(count) * (NANOS.get(unit) ?? 0n);
  const millis = /^\d{4}-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(millis)) return BigInt(millis) * 1_000_000n;
  throw new UsageError(
    `${option}: ${JSON.stringify(text)} is neither a duration such as 1d, 12h or 30m nor a time such as 2026-11-20T08:00Z`,
  );
}
