/**
 * A part of the page that is a file of its own: nobody waits for it who does not look at it, and it is there at once when
 * it was looked at before. A fetch that failed is tried again when the part is next asked for.
 */
export class Part<T> {
  private readonly load: () => Promise<T>;
  private loading: Promise<T> | null = null;
  /** Null until it is there. */
  loaded: T | null = null;

  /** `load` is an import. */
  constructor(load: () => Promise<T>) {
    this.load = load;
  }

  fetch(): Promise<T> {
    this.loading ??= this.load().then(
      (loaded) => {
        this.loaded = loaded;
        return loaded;
      },
      (error: unknown) => {
        this.loading = null;
        throw error;
      },
    );
    return this.loading;
  }

  /** Before it is wanted; a failure is told to whoever wants it then. */
  prefetch(): void {
    this.fetch().catch(() => {});
  }
}
