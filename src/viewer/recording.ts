/** A recording in a worker of its element. */
import * as Comlink from "comlink";
import type { Around } from "../ui/parts/answers/surroundings.ts";
import type { Failure, InputFile, Overview, Progress, Result } from "../worker/api.ts";
import { Connection, endUnlessStarted } from "../worker/connection.ts";
import type { GraphSession } from "../worker/graph-session.ts";
import { startWorker } from "./start-worker.ts";

type Answers = Around["viewer"];
type Ask = (...given: unknown[]) => Promise<Result<never>>;

const WHAT = "The decoder's worker";
const ENDED: Failure = { code: "superseded", message: "The element shows other data." };

export class Recording {
  readonly viewer: Answers;
  private readonly connection = new Connection<GraphSession>(startWorker, WHAT);

  constructor() {
    void endUnlessStarted(this.connection, WHAT);
    const ask = (name: keyof Answers): Ask => {
      return (...given) => this.connection.ask((remote) => remote.ask(name, given) as Promise<Result<never>>);
    };
    this.viewer = {
      frames: ask("frames"),
      regroup: ask("regroup"),
      sandwich: ask("sandwich"),
      top: ask("top"),
      search: ask("search"),
      totals: ask("totals"),
      placeOf: ask("placeOf"),
    };
  }

  open(file: InputFile, onProgress: (progress: Progress) => void): Promise<Result<Overview>> {
    return this.connection.ask((remote) =>
      remote.open([file], { extra: [], inferred: false }, Comlink.proxy(onProgress)),
    );
  }

  /** Ends the worker. Questions without an answer fail as superseded. */
  end(): void {
    this.connection.end(ENDED);
  }
}

export function isSuperseded({ code }: Failure): boolean {
  return code === ENDED.code;
}
