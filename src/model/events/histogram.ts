/** A histogram of the values of a field: bins whose edges are round numbers. */

export interface Bin {
  from: number;
  /** Exclusive, but for the last one. */
  to: number;
  count: number;
}

const MOST_BINS = 32;
/** Values so many times as large as half of them are seen on a logarithmic axis only. */
const SKEWED = 40;

/** Numbers that are round: these times a power of the base. */
interface Round {
  base: number;
  times: readonly number[];
}

const DECIMAL: Round = { base: 10, times: [1, 2, 5] };
const BINARY: Round = { base: 2, times: [1] };
/** Logarithms are not exact. */
const NEARLY = 1e-9;

/**
 * In equal steps, or in growing ones where few values are far above the others. Edges are 1, 2 and 5 times powers of
 * ten; those of bytes are powers of two, or multiples of one.
 */
export function histogramOf(values: readonly number[], unit = ""): Bin[] {
  if (values.length === 0) return [];
  const sorted = Float64Array.from(values).sort();
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  const half = sorted[sorted.length >> 1]!;
  const round = unit === "bytes" ? BINARY : DECIMAL;
  const edges = least > 0 && most > SKEWED * half ? growingEdges(least, most, round) : equalEdges(least, most, round);
  const bins = edges.slice(1).map((to, i): Bin => ({ from: edges[i]!, to, count: 0 }));
  let bin = 0;
  for (const value of sorted) {
    while (bin + 1 < bins.length && value >= bins[bin]!.to) bin++;
    bins[bin]!.count++;
  }
  return bins;
}

function equalEdges(least: number, most: number, round: Round): number[] {
  const step = roundUp((most - least) / (MOST_BINS - 1) || Math.abs(most) || 1, round);
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.floor(most / step) + 1);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

function growingEdges(least: number, most: number, { base, times }: Round): number[] {
  const edges: number[] = [];
  const from = Math.floor(Math.log(least) / Math.log(base) + NEARLY);
  for (let power = base ** from; power <= most * base; power *= base) {
    for (const each of times) edges.push(each * power);
  }
  const first = edges.findLastIndex((edge) => edge <= least);
  return edges.slice(first, edges.findIndex((edge) => edge > most) + 1);
}

/** The next round number. */
function roundUp(step: number, { base, times }: Round): number {
  const power = base ** Math.floor(Math.log(step) / Math.log(base) + NEARLY);
  return power * [...times, base].find((each) => each * power >= step * (1 - NEARLY))!;
}
