/** Recordings of elements: each in a worker, which ends with the last element that shows it. */
import * as Comlink from "comlink";
import type { Around } from "../ui/parts/answers/surroundings.ts";
import type { Failure, GraphOverview, Graphs, InputFile, Progress, Result } from "../worker/api.ts";
import { Connection, endUnlessStarted, failed, Users } from "../worker/connection.ts";
import type { GraphSession } from "../worker/graph-session.ts";
import { Problem, problemOf } from "./problem.ts";
import { startWorker } from "./start-worker.ts";
import type { ReadyDetail, ViewerRecording } from "./types.ts";

const WHAT = "The decoder's worker";
const ENDED: Failure = { code: "superseded", message: "The element shows other data." };
const CLOSED: Failure = { code: "recording.closed", message: "The recording is closed: no element shows it any more." };

/** Reads a file in another worker. */
export function readRecording(
  file: Promise<InputFile>,
  onProgress: (progress: Progress) => void,
): Required<ViewerRecording> {
  const connection = new Connection<GraphSession>(startWorker, WHAT);
  void endUnlessStarted(connection, WHAT);
  const profiles: ReadyDetail["profiles"] = [];
  const open = async (): Promise<Result<GraphOverview>> => {
    const given = await file.catch((error: unknown) => problemOf(error));
    if ("code" in given) return failed(given);
    const choice = { extra: [], inferred: false };
    const answer = await connection.ask((remote) => remote.open([given], choice, Comlink.proxy(onProgress)));
    if (answer.ok) profiles.push(...profilesOf(answer.value));
    return answer;
  };
  let overview = open();
  const users = new Users(() => {
    connection.end(ENDED);
    overview = Promise.resolve(failed(CLOSED));
  });
  return {
    profiles,
    forGraphs: () => ({
      overview,
      ask: (name, given) => connection.ask((remote) => remote.ask(name, given) as Promise<Result<never>>),
      leave: users.join(),
    }),
  };
}

export function profilesOf({ profiles }: Pick<GraphOverview, "profiles">): ReadyDetail["profiles"] {
  return profiles.map(({ type, unit, samples }) => ({ type, unit, samples }));
}

/** Throws a Problem unless it is a recording that elements can share. */
export function graphsOf(recording: ViewerRecording): Graphs {
  if (typeof recording?.forGraphs === "function") return recording.forGraphs();
  const words = "The recording is neither of openInWorker (spanflame/worker) nor of another element.";
  throw new Problem("option.recording", words);
}

/** The answers that views ask for. */
export function viewerOf({ ask }: Graphs): Around["viewer"] {
  const by =
    (name: keyof Around["viewer"]) =>
    (...given: unknown[]) =>
      ask(name, given);
  return {
    frames: by("frames"),
    regroup: by("regroup"),
    sandwich: by("sandwich"),
    top: by("top"),
    search: by("search"),
    totals: by("totals"),
    placeOf: by("placeOf"),
  };
}

export function isSuperseded({ code }: Failure): boolean {
  return code === ENDED.code;
}
