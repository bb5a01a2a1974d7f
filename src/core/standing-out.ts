/** Attribute values that are more or less frequent in the selection than in the rest. */

export interface ValueCount {
  key: string;
  value: string;
  samples: number;
}

/** A value of an attribute that is more or less frequent in a selection than elsewhere. */
export interface StandingOut {
  key: string;
  value: string;
  /** Share of the selection's samples, and of all other samples. */
  share: number;
  restShare: number;
  /** Distance from the expected share, in standard deviations. */
  deviations: number;
}

/** Below this many standard deviations it may well be chance. */
const LEAST = 3;

/**
 * Compares how often the values occur in a selection of `samples` with how often in everything, `of` samples of which
 * the selection is a part. Strongest first.
 */
export function standingOut(
  selection: readonly ValueCount[],
  samples: number,
  everything: readonly ValueCount[],
  of: number,
): StandingOut[] {
  const rest = of - samples;
  if (samples === 0 || rest <= 0) return [];
  const here = new Map(selection.map((count) => [nameOf(count), count.samples]));
  const found = everything.flatMap((count): StandingOut[] => {
    const inside = here.get(nameOf(count)) ?? 0;
    const share = inside / samples;
    const restShare = Math.max(0, count.samples - inside) / rest;
    // Two proportions, pooled.
    const pooled = count.samples / of;
    const spread = Math.sqrt(pooled * (1 - pooled) * (1 / samples + 1 / rest));
    const deviations = spread === 0 ? 0 : (share - restShare) / spread;
    return Math.abs(deviations) < LEAST ? [] : [{ key: count.key, value: count.value, share, restShare, deviations }];
  });
  return found.sort((a, b) => Math.abs(b.deviations) - Math.abs(a.deviations));
}

function nameOf({ key, value }: ValueCount): string {
  return JSON.stringify([key, value]);
}
