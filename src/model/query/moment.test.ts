/** Moments as people type them and as answers print them. */
import { afterEach, describe, expect, it } from "vitest";
import { formatIso, formatMoment } from "../words/moments.ts";
import { momentIn } from "./moment.ts";

const ZONES = ["UTC", "Asia/Tokyo", "Asia/Kolkata", "America/New_York", "Pacific/Auckland"];
const NOON = 1_763_640_000_000_000_000n;
const ZONE = process.env.TZ;

afterEach(() => {
  process.env.TZ = ZONE ?? "";
});

describe.each(ZONES)("in %s", (zone) => {
  it.each([
    ["2025-11-20T12:00", NOON],
    ["2025-11-20 12:00:00", NOON],
    ["2025-11-20t12:00z", NOON],
    ["2025-11-20T12:00:00.000Z", NOON],
    ["2025-11-20 12:00:00 UTC", NOON],
    ["2025-11-20 12:00 GMT", NOON],
    ["2025-11-20T21:00:00+09:00", NOON],
    ["2025-11-20T21:00+0900", NOON],
    ["2025-11-20T07:00:00-05", NOON],
    ["2025-11-20T17:30+05:30", NOON],
    ["2025-11-20", NOON - 43_200_000_000_000n],
    ["2025-11-20T12:00:00.123456789", NOON + 123_456_789n],
    ["2025-11-20 12:00:00,5Z", NOON + 500_000_000n],
    ["2025-11-20T12:00:00.1234567891", NOON + 123_456_789n],
    ["1763640000000000000", NOON],
  ])("%s is one moment", (text, moment) => {
    process.env.TZ = zone;
    expect(momentIn(text, 0)).toBe(moment);
  });

  it("a printed moment is read back", () => {
    process.env.TZ = zone;
    for (const moment of [NOON, NOON + 123_456_789n, 1n << 60n, 951_782_400_000_000_000n]) {
      expect(momentIn(formatMoment(moment, 9), 0)).toBe(moment);
      expect(momentIn(formatIso(moment, 9), 0)).toBe(moment);
    }
  });
});

it("a duration is before now", () => {
  expect(momentIn("2h", 7_200_000)).toBe(0n);
  expect(momentIn("1d", 86_400_001)).toBe(1_000_000n);
});

it.each([
  ["2026-02-30"],
  ["2026-11-20T25:00Z"],
  ["2026-11-20T08:61Z"],
  ["2026-11-20T08:00.5Z"],
  ["2026-11-20T08:00 JST"],
  ["2026-11-20T08:00+15:00"],
  ["2026-11-20T08:00+09:60"],
  ["2026-11-20Z"],
  ["20:59:32"],
  ["yesterday"],
  [""],
])("%j is no moment", (text) => {
  expect(momentIn(text, 0)).toBeNull();
});
