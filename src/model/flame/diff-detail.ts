/** Details of one frame of a comparison in words. */
import { leastObservations } from "../../core/tables/quantities.ts";
import type { SelectionTotals } from "../../core/types.ts";
import { countedSide, isBeyondChance } from "../diff/difference.ts";
import { formatPercent, formatPoints, formatProfileValue } from "../words/format.ts";
import type { Measured } from "../words/measure.ts";
import { visible } from "../words/text.ts";
import type { FrameDetail } from "./detail.ts";
import { frameName } from "./flame.ts";
import { kindWords } from "./frame-types.ts";
import type { DiffColumns } from "./prefix.ts";

export type Compared = DiffColumns & { totals: SelectionTotals; baseTotals: SelectionTotals };

export function describeChange(diff: Compared, row: number, profile: Measured, rootName: string): FrameDetail {
  const { frames } = diff.frames;
  const own = side(diff.total[row], diff.totals, profile);
  const base = side(diff.baseTotal[row], diff.baseTotals, profile);
  const baseName = diff.baseNames.get(row);
  return {
    name: frameName(frames, row, rootName),
    kind: kindWords(frames, row),
    value: `selection ${own.words}`,
    self: `baseline ${base.words}${baseName === undefined ? "" : `, as ${visible(baseName)}`}`,
    ofTotal: changeWords(own.share, base.share) + (isSureChange(diff, row, profile) ? "" : ", not significant"),
    ofParent: "",
    hidden: "",
  };
}

function side(value: number, totals: SelectionTotals, profile: Measured): { share: number; words: string } {
  const whole = Number(totals.value);
  const words = `${formatPercent(value, whole)} (${formatProfileValue(value, profile)})`;
  return { share: whole === 0 ? 0 : value / whole, words };
}

/**
 * Whether a frame's shares differ beyond chance: always if values are exact. Values are taken for observations by the
 * average one.
 */
export function isSureChange(
  { total, baseTotal, totals, baseTotals }: Compared,
  row: number,
  profile: Pick<Measured, "exact" | "meaning" | "measure" | "otlpType">,
): boolean {
  if (profile.exact) return true;
  const sideOf = (value: number, whole: SelectionTotals) => {
    const samples = leastObservations(profile, whole);
    return countedSide(whole.value === 0n ? 0 : (value / Number(whole.value)) * samples, samples);
  };
  return isBeyondChance(sideOf(total[row], totals), sideOf(baseTotal[row], baseTotals));
}

/** `+12.3 pp (2.4×)`. */
function changeWords(share: number, base: number): string {
  const times = base > 0 && share > 0 ? ` (${(share / base).toPrecision(2)}×)` : "";
  return `${formatPoints(share - base)}${times}`;
}
