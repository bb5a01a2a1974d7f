/**
 * The time that requests take over a network, computed and not measured: processors take no time, so the load of the
 * machine does not matter. A request waits for one of the connections, then a round trip, then for the link.
 */
export class VirtualNetwork {
  ms = 0;
  #roundTripMs;
  #bytesPerMs;
  /** When each connection is free. */
  #free;
  #linkFree = 0;
  #open = [];

  constructor({ roundTripMs, megabits, connections }) {
    this.#roundTripMs = roundTripMs;
    this.#bytesPerMs = (megabits * 1e6) / 8 / 1000;
    this.#free = new Array(connections).fill(0);
  }

  /** Resolves when so many bytes would have arrived, once the program has nothing else to do. */
  arrived(bytes) {
    const connection = this.#free.indexOf(Math.min(...this.#free));
    const sent = Math.max(this.ms, this.#free[connection]);
    this.#linkFree = Math.max(this.#linkFree, sent + this.#roundTripMs) + bytes / this.#bytesPerMs;
    this.#free[connection] = this.#linkFree;
    return new Promise((resolve) => {
      this.#open.push({ at: this.#linkFree, resolve });
      if (this.#open.length === 1) setImmediate(() => this.#next());
    });
  }

  #next() {
    this.#open.sort((a, b) => a.at - b.at);
    const { at, resolve } = this.#open.shift();
    this.ms = at;
    resolve();
    if (this.#open.length > 0) setImmediate(() => this.#next());
  }
}
