/** The function that the largest part of a request's time is in: the nearest of the application on most stacks. */

interface Part {
  part: string;
  nano: bigint;
}

/** Weights of the stacks of each part, those of events apart: an event has its duration, a sample its count. */
export class PartStacks {
  private readonly weights = new Map<string, Map<number, number>>();

  add(part: string, stack: number, weight: number): void {
    const own = this.weights.get(part) ?? new Map<number, number>();
    this.weights.set(part, own);
    own.set(stack, (own.get(stack) ?? 0) + weight);
  }

  /** "" where no stack of the part has such a function. `nearestOf` is that of a stack. */
  functionOf(breakdown: readonly Part[], nearestOf: (stack: number) => string): string {
    const largest = breakdown.reduce<Part | null>(
      (most, row) => (most === null || row.nano > most.nano ? row : most),
      null,
    );
    for (const part of largest === null ? [] : stacksOf(largest.part)) {
      const byName = new Map<string, number>();
      for (const [stack, weight] of this.weights.get(part) ?? []) {
        const name = nearestOf(stack);
        if (name !== "") byName.set(name, (byName.get(name) ?? 0) + weight);
      }
      const [first] = [...byName].sort(([a, one], [b, other]) => other - one || Number(a > b) - Number(a < b));
      if (first !== undefined) return first[0];
    }
    return "";
  }
}

/** Name of the stacks of events of a part. */
export const ofEvents = (part: string) => `events ${part}`;

/** What tells the function of a part, the best first. */
function stacksOf(part: string): string[] {
  if (part === "runnable" || part === "running") return ["runnable", "running", "cpu"];
  return part === "cpu" ? ["cpu", "running", "runnable"] : [ofEvents(part), part];
}
