/** A worker and comlink's way to it: every answer is a Result, and a dead worker gives one, too. */
import * as Comlink from "comlink";
import type { Failure, Result } from "./api.ts";

export function failed(error: Failure): Result<never> {
  return { ok: false, error };
}

/**
 * A worker that leaves a question unanswered for so long is stuck. Ticks and not one timer count the time: while the
 * page itself is busy or the machine sleeps, answers wait as long as the clock does.
 */
const STUCK_MS = 2000;
const TICK_MS = 250;
/** For a worker's start, which loads its script. */
const START_MS = 10_000;

/** A question without an answer. A reading lasts as long as it lasts, and exports wait for it. */
interface Waiting {
  since: number;
  kind: "question" | "reading" | "export";
}

export class Connection<T> {
  /** Kept here for as long as the worker lives: calls in flight hang once a comlink proxy is collected. */
  private remote: Comlink.Remote<T> | null;
  /** Settles only when the worker is gone; comlink's calls would wait for ever. */
  private readonly death: Promise<Result<never>>;
  private die: (failure: Failure) => void = () => {};
  private isDead = false;
  /** When each question without an answer was asked, in milliseconds of `performance.now()`. */
  private readonly waiting = new Set<Waiting>();
  /** Settles with its first answer, when it is loaded, or with its end. */
  readonly loaded: Promise<unknown>;
  private answered: () => void = () => {};

  /**
   * `what` is the worker's name for the message when it stops. If `start` throws, every request is answered with that
   * error.
   */
  constructor(start: () => Worker, what: string, onDeath: () => void = () => {}) {
    const stopped = (reason: string): Failure => {
      return { code: "worker.failed", message: `${what} stopped: ${reason}.`, lost: true };
    };
    let worker: Worker | null = null;
    try {
      worker = start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      // Not before the constructor has returned: `onDeath` may compare connections.
      queueMicrotask(() => this.die(stopped(reason)));
    }
    this.remote = worker === null ? null : Comlink.wrap<T>(worker);
    this.death = new Promise((resolve) => {
      this.die = (failure) => {
        if (this.isDead) return;
        this.isDead = true;
        worker?.terminate();
        // comlink keeps the worker until its proxy is released, and the worker's listeners keep this connection.
        this.remote?.[Comlink.releaseProxy]();
        this.remote = null;
        onDeath();
        resolve(failed(failure));
      };
    });
    this.loaded = Promise.race([
      this.death,
      new Promise<void>((resolve) => {
        this.answered = resolve;
      }),
    ]);
    worker?.addEventListener("error", (event) => {
      event.preventDefault();
      const reason = event.message === undefined || event.message === "" ? "it could not be loaded" : event.message;
      this.die(stopped(reason));
    });
  }

  /** One call: its answer, or the failure of the worker under it. */
  async ask<R>(
    call: (remote: Comlink.Remote<T>) => Promise<Result<R>>,
    kind: Waiting["kind"] = "question",
  ): Promise<Result<R>> {
    if (this.remote === null) return this.death;
    const entry = { since: performance.now(), kind };
    this.waiting.add(entry);
    try {
      return await Promise.race([this.noted(call(this.remote)), this.death]);
    } catch (error) {
      return failed({ code: "worker.call", message: error instanceof Error ? error.message : String(error) });
    } finally {
      this.waiting.delete(entry);
      // What waited for the reading has begun.
      if (kind === "reading") for (const other of this.waiting) other.since = performance.now();
    }
  }

  private async noted<R>(answer: Promise<R>): Promise<R> {
    const value = await answer;
    this.answered();
    return value;
  }

  get isBusy(): boolean {
    return this.waiting.size > 0;
  }

  /** For how many milliseconds the oldest question has had no answer; 0 without such a question. */
  waitingMs(): number {
    const all = [...this.waiting];
    const isReading = all.some(({ kind }) => kind === "reading");
    const oldest = all.find(({ kind }) => kind === "question" || (kind === "export" && !isReading));
    return oldest === undefined ? 0 : performance.now() - oldest.since;
  }

  /** Ends the worker with `failure` unless it answers `call` within `limit` milliseconds. */
  async endUnlessAnswered(
    call: (remote: Comlink.Remote<T>) => Promise<unknown>,
    failure: Failure,
    limit = STUCK_MS,
  ): Promise<void> {
    if (this.remote === null) return;
    let isAnswered = false;
    const answer = this.noted(call(this.remote)).finally(() => {
      isAnswered = true;
    });
    const ticks = async () => {
      for (let ms = 0; ms < limit && !isAnswered; ms += TICK_MS)
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    };
    await Promise.race([answer, this.death, ticks()]).catch(() => {});
    if (!isAnswered) this.end(failure);
  }

  /** Stops the worker; pending requests get this answer. */
  end(failure: Failure): void {
    this.die(failure);
  }
}

/** Counts who uses a recording; the last one who leaves ends it. */
export class Users {
  private count = 0;
  private readonly end: () => void;

  constructor(end: () => void) {
    this.end = end;
  }

  /** The answer is how to leave; leaving twice does nothing. */
  join(): () => void {
    this.count++;
    let isHere = true;
    return () => {
      if (isHere && --this.count === 0) this.end();
      isHere = false;
    };
  }
}

/** Ends a worker that does not start. A bundler can write a script that loads and never runs, which has no event. */
export function endUnlessStarted(connection: Connection<{ ping(): void }>, what: string): Promise<void> {
  const message =
    `${what} did not start within ${START_MS / 1000} seconds. Its script does not run, as in some bundles of webpack with ESM output, ` +
    "or takes too long to load (docs/bundlers.md).";
  return connection.endUnlessAnswered(
    async (remote) => remote.ping(),
    { code: "worker.failed", message, lost: true },
    START_MS,
  );
}
