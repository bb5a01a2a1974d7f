/** Requests of a selection, and the others beside them. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { outermost, restOf } from "./request-time.ts";

/** Sizes of subtrees of a random forest, by place. */
const forest = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 40 }).map((depths) => {
  const depth: number[] = [];
  for (const each of depths) depth.push(Math.min(each, (depth.at(-1) ?? -1) + 1));
  return Uint32Array.from(depth, (own, place) => {
    const next = depth.findIndex((other, at) => at > place && other <= own);
    return (next < 0 ? depth.length : next) - place;
  });
});

test("are outermost, and the others share no span with them", () => {
  fc.assert(
    fc.property(forest, fc.infiniteStream(fc.boolean()), (size, random) => {
      const all = Uint32Array.from(size.keys());
      const picked = all.filter(() => random.next().value);
      const chosen = outermost(size, picked);
      const rest = restOf(size, all, chosen);
      const holds = (outer: number, inner: number) => outer <= inner && inner < outer + (size[outer] ?? 0);
      const within = (place: number, places: Uint32Array) => places.some((each) => holds(each, place));
      expect(picked.every((place) => within(place, chosen))).toBe(true);
      for (const group of [chosen, rest]) {
        expect(group.some((a) => group.some((b) => a !== b && holds(a, b)))).toBe(false);
      }
      // Every span that neither is in the selection nor contains one of it is in the rest.
      for (const place of all) {
        const isApart = !within(place, chosen) && !chosen.some((each) => holds(place, each));
        expect(within(place, rest)).toBe(isApart);
      }
    }),
  );
});
