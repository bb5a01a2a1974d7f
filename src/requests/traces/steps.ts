/**
 * An answer that is prepared in steps. In the background one step runs at a time, so that no question waits long; a
 * question that needs the answer runs the rest at once. A step must not rely on the selection of the one before.
 */
export class Steps<T> {
  private readonly make: () => Generator<void, T>;
  private run: Generator<void, T> | null = null;
  private answer: { value: T } | null = null;

  constructor(make: () => Generator<void, T>) {
    this.make = make;
  }

  /** Runs the next step; true after the last one. One that fails is asked again from the first step on. */
  next(): boolean {
    if (this.answer !== null) return true;
    this.run ??= this.make();
    try {
      const { done, value } = this.run.next();
      if (done !== true) return false;
      this.answer = { value };
    } catch (error) {
      this.run = null;
      throw error;
    }
    return true;
  }

  get value(): T {
    while (this.answer === null) this.next();
    return this.answer.value;
  }

  /** What the answer is made of has changed. */
  forget(): void {
    this.run = null;
    this.answer = null;
  }
}
