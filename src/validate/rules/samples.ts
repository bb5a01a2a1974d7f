/** Rules of samples: their shape, times and identity. */

import { Tuples } from "../interner.ts";
import { type Check, CUSTOM, eachRow, PROFCHECK, PROTO, type Rule, rule } from "./rule.ts";

const TWO_64 = 1n << 64n;

export const SAMPLE_RULES: Rule[] = [
  rule(
    "E08",
    "A sample has values or timestamps; if both, as many of each; without timestamps one value",
    `${PROTO}, ${PROFCHECK}`,
    eachRow("Sample", (samples) => {
      const values = samples.ranges("values");
      const times = samples.ranges("timestamps_unix_nano");
      return (row) => {
        const v = values.count(row);
        const t = times.count(row);
        if (t === 0 ? v === 1 : v === 0 || v === t) return null;
        return ["", v + t === 0 ? "neither values nor timestamps" : `${v} values and ${t} timestamps`];
      };
    }),
  ),
  rule(
    "W01",
    "Timestamps are in [time_unix_nano, time_unix_nano + duration_nano), which ends below 2⁶⁴",
    `${PROTO}, ${PROFCHECK}`,
    (message, found) => {
      overflows(message, found);
      timesOutside(false)(message, found);
    },
  ),
  rule(
    "W02",
    "The samples of a profile have one shape: values, timestamps or both",
    `${PROTO}, ${PROFCHECK}`,
    eachRow("Sample", (samples) => {
      const values = samples.ranges("values");
      const times = samples.ranges("timestamps_unix_nano");
      const shapes = new Map<number, number>();
      return (row) => {
        const profile = samples.parent.get(row);
        const shape = Math.sign(values.count(row)) + 2 * Math.sign(times.count(row));
        const before = shapes.get(profile) ?? shape;
        shapes.set(profile, before);
        return shape === before ? null : ["", "another shape than the first sample"];
      };
    }),
  ),
  rule(
    "W03",
    "No two samples of a profile share stack, attributes and link",
    PROTO,
    eachRow("Sample", (samples) => {
      const stacks = samples.ints("stack_index");
      const links = samples.ints("link_index");
      const attributes = samples.lists("attribute_indices");
      const identities = new Tuples();
      return (row) => {
        const { size } = identities;
        const begin = identities.begin();
        const count = attributes.count(row);
        for (let i = 0; i < count; i++) identities.push(attributes.at(row, i));
        identities.sort(begin);
        identities.push(samples.parent.get(row));
        identities.push(stacks.get(row));
        identities.push(links.get(row));
        identities.end(begin);
        return identities.size > size ? null : ["", "stack, attributes and link of a sample before"];
      };
    }),
  ),
  rule(
    "W08",
    "Values are not negative",
    CUSTOM,
    eachRow("Sample", (samples) => {
      const { least } = samples.ranges("values");
      return (row) => (least.isNegative(row) ? ["values", `${least.signed(row)} is negative`] : null);
    }),
  ),
];

const overflows = eachRow("Profile", (profiles) => (row) => {
  const start = profiles.pairs("time_unix_nano").unsigned(row);
  const duration = profiles.pairs("duration_nano").unsigned(row);
  return start + duration < TWO_64 ? null : ["duration_nano", `${start} + ${duration} is above 64 bits`];
});

/** Timestamps outside of their profile's range, of which its end is a part or not. */
export function timesOutside(withEnd: boolean): Check {
  return eachRow("Sample", (samples, message) => {
    const profiles = message.of("Profile");
    const bounds = Array.from({ length: profiles.rows }, (_, row) => {
      const start = profiles.pairs("time_unix_nano").unsigned(row);
      return { start, end: start + profiles.pairs("duration_nano").unsigned(row) };
    });
    const times = samples.ranges("timestamps_unix_nano");
    return (row) => {
      const { start = 0n, end = 0n } = bounds[samples.parent.get(row)] ?? {};
      const first = times.least.unsigned(row);
      const last = times.greatest.unsigned(row);
      if (times.count(row) === 0 || (first >= start && (last < end || (withEnd && last === end)))) return null;
      const range = `[${start}, ${end}${withEnd ? "]" : ")"}`;
      return ["timestamps_unix_nano", `${first < start ? first : last} is not in ${range}`];
    };
  });
}
