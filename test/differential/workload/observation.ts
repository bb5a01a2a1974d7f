/** Observations of a decoded message, for the comparison: thread, stack, span, count and value. */
import type { FlatProfile, Scalar } from "../../kit/otlp/otlp-schema.ts";

export interface Observation {
  /** Type of its profile. */
  profile: string;
  /** Unsigned decimal, "0": none. */
  span: string;
  root: string;
  thread: string;
  /** Context attributes only. */
  attributes: Record<string, string>;
  /** The recording's attribute of the root, from its separate event; "" if there is none. */
  endpoint: string;
  /** Leaf first. */
  frames: string[];
  samples: number;
  value: number;
}

/** Keys that we write ourselves, about the sample or its root; all others came with the recording's context. */
const OWN = /^(profile\.|thread\.|alloc\.|jfr\.|span\.|local_root_span\.|trace )/;

const decimal = (hex: Scalar | undefined): string => (hex == null ? "0" : String(BigInt(`0x${hex}`)));

export function observe(profiles: FlatProfile[]): Observation[] {
  return profiles.flatMap((profile) =>
    profile.samples.map(({ stack, attributes, link, values }) => ({
      profile: profile.type,
      // A sample with one of the two ids has no link; the id is an attribute then.
      span: decimal(link?.spanId ?? attributes["span.id"]),
      root: decimal(link?.traceId ?? attributes["local_root_span.id"]),
      thread: String(attributes["thread.name"] ?? ""),
      attributes: Object.fromEntries(
        Object.entries(attributes).flatMap(([key, value]) => (OWN.test(key) ? [] : [[key, String(value)]])),
      ),
      endpoint: ["trace operation", "trace endpoint"].flatMap((key) => attributes[key] ?? []).join(" | "),
      // A frame that is known by its address has no name.
      frames: stack.map(({ name, buildId }) => name || buildId),
      samples: values.length,
      value: values.reduce((sum, value) => sum + Number(value), 0),
    })),
  );
}

export interface Cell {
  samples: number;
  value: number;
}

/** Observations counted by the key that `keyOf` returns; null: not counted. */
export function tally(seen: Observation[], keyOf: (o: Observation) => string | null): Map<string, Cell> {
  const cells = new Map<string, Cell>();
  for (const o of seen) {
    const key = keyOf(o);
    if (key === null) continue;
    const cell = cells.get(key) ?? { samples: 0, value: 0 };
    cells.set(key, { samples: cell.samples + o.samples, value: cell.value + o.value });
  }
  return cells;
}
