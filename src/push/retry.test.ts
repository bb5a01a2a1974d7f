/** Waiting times: the receiver's request, or the default if it has none. */
import { describe, expect, it } from "vitest";
import { profilesUrl } from "./endpoint.ts";
import { backoffMs, isRetryable, retryAfterMs } from "./retry.ts";

const NOW = Date.UTC(2026, 0, 1);

describe("waiting", () => {
  it.each([
    ["120", 120_000],
    ["0", 0],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 23:59:59 GMT", 0],
    ["soon", null],
    ["", null],
    [null, null],
  ])("for Retry-After: %s is %s ms", (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });

  it("doubles with every attempt, up to a limit, and differs by chance", () => {
    expect([1, 2, 3, 4].map((attempt) => backoffMs(attempt, 0))).toEqual([500, 1000, 2000, 4000]);
    expect(backoffMs(1, 0.5)).toBe(750);
    expect(backoffMs(40, 0.999)).toBeLessThanOrEqual(30_000);
  });

  it("is for the four statuses of the specification", () => {
    const statuses = Array.from({ length: 500 }, (_, i) => 100 + i);
    expect(statuses.filter(isRetryable)).toEqual([429, 502, 503, 504]);
  });
});

describe("an endpoint", () => {
  it.each([
    ["http://localhost:4318", "http://localhost:4318/v1development/profiles"],
    ["https://otlp.example/", "https://otlp.example/v1development/profiles"],
    ["https://otlp.example?tenant=a", "https://otlp.example/v1development/profiles?tenant=a"],
    ["https://otlp.example/otlp/v1development/profiles", "https://otlp.example/otlp/v1development/profiles"],
    ["https://otlp.example/in/", "https://otlp.example/in/"],
  ])("%s is posted to at %s", (endpoint, url) => {
    expect(profilesUrl(endpoint)).toBe(url);
  });

  it.each(["localhost:4318", "ftp://localhost", "", "http://"])("%s is none", (endpoint) => {
    expect(() => profilesUrl(endpoint)).toThrow(/not an http or https address/);
  });

  it("with a password is refused, without saying it", () => {
    expect(() => profilesUrl("https://me:secret@otlp.example")).toThrow(/^(?!.*secret).*header/);
  });
});
