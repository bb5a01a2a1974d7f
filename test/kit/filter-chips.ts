import type { FilterChip, FilterKind } from "../../src/model/query/filters.ts";

/** Conditions of each kind: every form that a kind has. */
export const FILTER_CHIPS: Readonly<Record<FilterKind, readonly FilterChip[]>> = {
  file: [{ kind: "file", name: "a b.jfr" }],
  "local-root": [
    { kind: "local-root", id: 255n },
    { kind: "local-root", id: 0x6b00_0000_0000_0000_0000_0000_0000_0148n },
  ],
  span: [{ kind: "span", id: 7n }],
  "no-span": [{ kind: "no-span" }],
  attribute: [
    { kind: "attribute", key: "tenant", value: "a=b 'c'" },
    { kind: "attribute", key: "thread.name", value: "-worker $HOME", exclude: true },
    { kind: "attribute", key: "a=b", value: "c", exclude: true },
    { kind: "attribute", key: "a!", value: "c" },
  ],
  frame: [
    { kind: "frame", pattern: "^x&" },
    { kind: "frame", pattern: "-x|y", exclude: true },
  ],
  "root-frame": [
    { kind: "root-frame", by: "thread-pool", name: "http-*" },
    { kind: "root-frame", by: "endpoint", name: "GET /a=b" },
    { kind: "root-frame", by: "endpoint", name: "GET /a", exclude: true },
    { kind: "root-frame", by: "attr:a=b", name: "c" },
  ],
  time: [{ kind: "time", from: 1n, to: 2_000_000_001n }],
  calls: [
    { kind: "calls", part: "ids", ids: ["web/1:1:8:0", "web/1:1:9:0~2"] },
    { kind: "calls", part: "min", text: "1500" },
    { kind: "calls", part: "text", text: "-health" },
    { kind: "calls", part: "not-param", text: "tenant=c=d" },
    { kind: "calls", part: "method", text: "shop.Cart.add" },
  ],
  spans: [{ kind: "spans", operation: "GET /a, b", slowest: 5, duration: { from: 1_000_000n, to: 2_000_000n } }],
};
