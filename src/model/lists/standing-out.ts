/** Which attribute values the selection has more often, or less often, than the rest: what a slow span is about. */

export interface ValueCount {
  key: string;
  value: string;
  samples: number;
}

export interface StandingOut {
  key: string;
  value: string;
  /** Share of the selection's samples, and of all other samples. */
  share: number;
  restShare: number;
  /** How far beyond chance, in standard deviations. */
  deviations: number;
}

/** Below this many standard deviations it may well be chance. */
const LEAST = 3;

/**
 * Compares how often the values occur in a selection of `samples` with how often in everything, `of` samples of which the
 * selection is a part. Strongest first.
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

/**
 * Between which shares the true one lies, 95 times of 100, when `part` of `whole` samples were seen (Wilson's interval,
 * which holds for few samples too).
 */
export function likelyShare(part: number, whole: number): [least: number, most: number] {
  if (whole <= 0) return [0, 1];
  const z = 1.96;
  const share = part / whole;
  const middle = (share + (z * z) / (2 * whole)) / (1 + (z * z) / whole);
  const half = (z / (1 + (z * z) / whole)) * Math.sqrt((share * (1 - share)) / whole + (z * z) / (4 * whole * whole));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

/** What so many samples are good for. */
export function confidenceWords(samples: number): string {
  if (samples < 5) return "Too few samples to tell where the time went: look at the operation instead of one span.";
  if (samples < 30) return "Few samples: only the largest shares mean something.";
  if (samples < 300) return "Enough samples for the larger shares.";
  return "Enough samples for shares of a percent.";
}
