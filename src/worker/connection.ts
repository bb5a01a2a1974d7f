/** A worker and comlink's way to it: every answer is a Result, and a dead worker is one too. */
import * as Comlink from "comlink";
import type { Failure, Result } from "./api.ts";

export function failed(error: Failure): Result<never> {
  return { ok: false, error };
}

export class Connection<T> {
  /** Kept here for as long as the worker lives: calls in flight hang once a comlink proxy is collected. */
  private readonly remote: Comlink.Remote<T>;
  /** Settles only when the worker is gone; comlink's calls would wait for ever. */
  private readonly death: Promise<Result<never>>;
  private die: (failure: Failure) => void = () => {};

  /** `what` the worker is, to say so when it stops. */
  constructor(worker: Worker, what: string, onDeath: () => void = () => {}) {
    this.remote = Comlink.wrap<T>(worker);
    this.death = new Promise((resolve) => {
      this.die = (failure) => {
        worker.terminate();
        onDeath();
        resolve(failed(failure));
      };
    });
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const reason = event.message === undefined || event.message === "" ? "it could not be loaded" : event.message;
      this.die({ code: "worker.failed", message: `${what} stopped: ${reason}.` });
    });
  }

  /** One call: its answer, or the failure of the worker under it. */
  async ask<R>(call: (remote: Comlink.Remote<T>) => Promise<Result<R>>): Promise<Result<R>> {
    try {
      return await Promise.race([call(this.remote), this.death]);
    } catch (error) {
      return failed({ code: "worker.call", message: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Stops the worker; whoever waits for an answer gets this one. */
  end(failure: Failure): void {
    this.die(failure);
  }
}
