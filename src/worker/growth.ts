/**
 * A recording that is open while it is read: questions about what has been read are answered between two of its chunks.
 *
 *   chunk ─ between ─ chunk ─ between ─ …
 *              └ the page is told and asks, while the next bytes are loaded. A question during a chunk waits
 */
import type { ReadProgress } from "../input/open.ts";

/** The page is told at most so often, */
const EVERY_MS = 250;
/** not shortly before everything is read, unless the next bytes take longer, */
const SOON_MS = 500;
const SLOW_MS = 150;
/** and so seldom that reading has most of the time: this many times what it waited for the page. */
const SHARE = 12;
/** After this time the reading goes on without the page. */
const PATIENCE_MS = 1000;

interface Owner {
  /** More was read since the last question. No question is being answered. */
  renew(): void;
  /** Tells the page; settles when it has asked what it shows. Null if there is nothing to show. */
  tell(progress: ReadProgress): Promise<unknown> | null;
}

export class Growth {
  private readonly owner: Owner;
  private readonly began = performance.now();
  /** When the page may be told next. */
  private due = this.began;
  private progress: ReadProgress = { bytes: 0, total: 0, samples: 0 };
  /** The page was told of the recording, and asks about it. */
  isTold = false;
  private running = 0;
  private onIdle = () => {};
  /** While a chunk is read: settles after it. */
  private chunk: Promise<void> | null = null;
  private reopen = () => {};
  private isOver = false;
  /** Settles when the reading has ended. */
  readonly ended: Promise<void>;
  private settle = () => {};
  private readonly stopped: Promise<void>;
  /** Bytes that are being loaded are of no use any more. */
  stop = () => {};

  constructor(owner: Owner) {
    this.owner = owner;
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.stopped = new Promise((resolve) => {
      this.stop = resolve;
    });
  }

  note(progress: ReadProgress): void {
    this.progress = progress;
  }

  /** Answers a question when no chunk is being read. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    while (this.isTold && this.chunk !== null) await this.chunk;
    this.running++;
    try {
      return await question();
    } finally {
      this.running--;
      if (this.running === 0) this.onIdle();
    }
  }

  /** Answers questions at least until the next bytes are there. `mustShow`: the page is told in any case. */
  async between(loading: Promise<unknown>, mustShow = false): Promise<void> {
    let loaded = Number.POSITIVE_INFINITY;
    const there = Promise.race([loading.catch(() => {}), this.stopped]).then(() => {
      loaded = performance.now();
      return true;
    });
    if (this.isTold && !this.isOver) this.owner.renew();
    this.open();
    const later = () => after(Math.max(this.due - performance.now(), SLOW_MS));
    const isDue = (mustShow && !this.isTold) || this.isDue() || !(await Promise.race([there, later()]));
    const told = isDue && !this.isOver ? this.tell() : null;
    await Promise.all([there, told]);
    while (this.running > 0) {
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    }
    const now = performance.now();
    if (told !== null) this.due = now + Math.max(EVERY_MS, SHARE * (now - loaded));
    if (this.isOver) return;
    this.chunk = new Promise((resolve) => {
      this.reopen = resolve;
    });
  }

  /** Questions wait for nothing any more. */
  end(): void {
    this.isOver = true;
    this.stop();
    this.open();
    this.settle();
  }

  private open(): void {
    this.chunk = null;
    this.reopen();
  }

  private isDue(): boolean {
    const { bytes, total } = this.progress;
    const now = performance.now();
    const left = total === 0 ? Number.POSITIVE_INFINITY : total - bytes;
    return bytes > 0 && now >= this.due && ((now - this.began) * left) / bytes > SOON_MS;
  }

  private tell(): Promise<unknown> | null {
    const told = this.owner.tell(this.progress);
    this.isTold ||= told !== null;
    return told && Promise.race([told.catch(() => {}), after(PATIENCE_MS)]);
  }
}

const after = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms));
