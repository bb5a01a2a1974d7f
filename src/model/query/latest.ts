/**
 * A queue that asks one question at a time and keeps only the newest waiting: while the user drags or types, the worker
 * does not compute answers that are no longer needed. An answer is handed over only if no newer question was asked
 * meanwhile.
 */
export class Latest {
  private waiting: (() => Promise<void>) | null = null;
  private running = false;
  private newest = 0;

  ask<T>(job: () => Promise<T>, done: (answer: T) => void): void {
    const mine = ++this.newest;
    this.waiting = async () => {
      const answer = await job();
      if (mine === this.newest) done(answer);
    };
    if (!this.running) void this.drain();
  }

  /** Nobody wants the answers any more. */
  forget(): void {
    this.newest++;
    this.waiting = null;
  }

  private async drain(): Promise<void> {
    this.running = true;
    try {
      while (this.waiting !== null) {
        const job = this.waiting;
        this.waiting = null;
        await job();
      }
    } finally {
      this.running = false;
    }
  }
}
