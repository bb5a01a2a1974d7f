/**
 * `receive --forward URL`: what arrived, sent on one file after the other. Profiles are sent as OTLP by `push`, traces
 * and logs as they came.
 */
import { readFileSync } from "node:fs";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { say } from "../../node/terminal.ts";
import { profilesUrl } from "../../push/endpoint.ts";
import { push, sendAsIs } from "../push/push.ts";

/** Files that wait for a receiver that is slow or away; the next ones are not sent on. */
const MOST_WAITING = 64;

/** A file that arrived. */
export interface Sendable {
  path: string;
  /** Where and how it came, of one that is sent on like that. */
  came: { path: string; type: `${string}/${string}`; parts: string } | null;
}

export class Forwarding {
  /** All files were taken. */
  isWhole = true;
  private readonly to: string;
  private waiting = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(to: string) {
    try {
      profilesUrl(to);
    } catch (error) {
      throw new UsageError(`--forward: ${(error as Error).message}`);
    }
    this.to = to;
  }

  /** Throws UsageError if files would come back to the receiver at `origin`. */
  check(origin: string): void {
    const { hostname, port } = new URL(profilesUrl(this.to));
    const isHere = ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && port === new URL(origin).port;
    if (isHere) throw new UsageError("--forward: the address is that of this receiver");
  }

  /** The address of a path of receivers, beside that of profiles. */
  private urlOf(path: string): string {
    const url = new URL(this.to);
    url.pathname = url.pathname.replace(/(?:\/v1(?:development)?\/profiles)?\/*$/, "") + path.replace(/^\/otlp\//, "/");
    return url.href;
  }

  add({ path, came }: Sendable): void {
    if (this.waiting >= MOST_WAITING) {
      this.isWhole = false;
      say(`spanflame: warning: ${path} is not sent on: ${MOST_WAITING} files wait`);
      return;
    }
    this.waiting++;
    this.last = this.last.then(async () => {
      try {
        const exit =
          came === null
            ? await push({ inputs: [path], values: { to: this.to } })
            : await sendAsIs(readFileSync(path), { ...came, url: this.urlOf(came.path) });
        this.isWhole &&= exit === ExitCode.Done;
      } catch (error) {
        this.isWhole = false;
        say(`spanflame: warning: ${path} was not sent on: ${(error as Error).message}`);
      }
      this.waiting--;
    });
  }

  /** Settles when all files were sent. */
  async ended(): Promise<void> {
    await this.last;
  }
}
