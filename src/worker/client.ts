/**
 * The page's end of the worker that holds the recording: its questions, each asked through the connection. The worker
 * starts with `startViewer`, before a file is picked.
 */
import * as Comlink from "comlink";
import type { ReadChoice } from "../core/types.ts";
import type { CallRequests } from "../requests/calls/calls.ts";
import type { PAGE } from "../requests/questions/page.ts";
import type { TraceAnswer, TraceRequests } from "../requests/traces/span-requests.ts";
import type { Failure, FramesProgress, InputFile, Overview, Progress, Result } from "./api.ts";
import { Connection } from "./connection.ts";
import { EXPORTS } from "./exports.ts";
import { MEMORY } from "./memory-limits.ts";
import type { Session } from "./session.ts";

type Question<Asked> = Asked extends (asked: never, ...given: infer Given) => infer Answer
  ? (...given: Given) => Promise<Result<Awaited<Answer>>>
  : never;
type Questions = { readonly [Name in keyof typeof PAGE]: Question<(typeof PAGE)[Name]> };

/** The worker as the page sees it: the questions of src/requests/questions by name, and the session's own methods. */
export interface Viewer
  extends Omit<Questions, "ofCalls" | "ofTraces">,
    Pick<Session, "kindsOf" | "watchFrames" | "cancelFrames"> {
  ofCalls<Name extends keyof CallRequests>(
    name: Name,
    ...given: Parameters<CallRequests[Name]>
  ): Promise<Result<Awaited<ReturnType<CallRequests[Name]>>>>;
  ofTraces<Name extends keyof TraceRequests>(
    name: Name,
    ...given: Parameters<TraceRequests[Name]>
  ): Promise<Result<TraceAnswer<Name>>>;
}

const STUCK: Failure = {
  code: "worker.stuck",
  message: "The decoder did not answer for two seconds, so the page stopped it. The recording was closed.",
  lost: true,
};

let connection: Connection<Session> | null = null;
/** Counts the calls of `cancel`. */
let cancels = 0;
/** The last call of `stopViewer`. */
let stop: { failure: Failure } | null = null;

function connect(): Connection<Session> {
  connection ??= start();
  return connection;
}

function start(): Connection<Session> {
  const started = new Connection<Session>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "spanflame" }),
    "The decoder's worker",
    () => {
      if (connection === started) connection = null;
      if (spare === started) spare = null;
      if (reading === started) reading = null;
    },
  );
  // Until this is answered the worker is being loaded, which may take long.
  void started.ask(async (remote) => ({ ok: true, value: await remote.ping() }));
  return started;
}

/** A worker without a recording, for the files that are opened next. */
let spare: Connection<Session> | null = null;
/** The worker that reads files while another one answers questions about the recording on the page. */
let reading: Connection<Session> | null = null;

const CALLED_OFF: Failure = { code: "superseded", message: "The reading was cancelled." };
const REPLACED: Failure = { code: "superseded", message: "Another recording is open." };

/** The worker that was last known to hold a recording. */
let holder: Connection<Session> | null = null;

/** Other files will probably be opened beside a recording: their worker is started. */
export function startSpare(): void {
  if (connection !== null && connection === holder) spare ??= start();
}

/** The worker, which does not wait for a question that never ends. It may need long to be loaded, though. */
async function answering(): Promise<Connection<Session>> {
  const now = connect();
  if (now.isBusy) {
    await now.loaded;
    await now.endUnlessAnswered((remote) => remote.ping(), STUCK);
  }
  return connect();
}

/** How the page is told of a reading. */
interface Told {
  onProgress: (progress: Progress) => void;
  /** Told of what has been read so far; settles when the page shows it, or is false where it does not. */
  onGrowth: (overview: Overview) => Promise<true> | false;
}

/**
 * Reads files. `former`: a recording on the page that is unaffected meanwhile. Another worker reads then, and takes the
 * place of this one after success, or once a part of entirely other files can be shown.
 */
export async function readFiles(
  former: { files: InputFile[]; bytesHeld: number } | null,
  files: InputFile[],
  choice: ReadChoice,
  { onProgress, onGrowth }: Told,
): Promise<Result<Overview>> {
  const before = { cancels, stop };
  if (former === null) await answering();
  // Stopped before the question: another worker would read the files.
  if (stop !== null && stop !== before.stop) return { ok: false, error: stop.failure };
  const reader = former === null ? connect() : (spare ?? start());
  if (former !== null) [spare, reading] = [null, reader];
  /** The reader has taken the place of the former worker. */
  let isShown = false;
  const show = () => {
    holder = reader;
    if (former === null || isShown) return;
    isShown = true;
    connection?.end(REPLACED);
    connection = reader;
    reading = null;
  };
  const grown = (overview: Overview) => {
    const shown = onGrowth(overview);
    if (shown !== false) show();
    return shown;
  };
  const progress = Comlink.proxy((p: Progress) => onProgress(p));
  const beside = former === null ? undefined : { files: former.files, room: MEMORY.all - former.bytesHeld };
  // With a part of itself, the open recording would shrink.
  const areOthers = files.every(({ blob }) => former?.files.every((file) => file.blob !== blob) ?? true);
  const growth = areOthers ? Comlink.proxy(grown) : undefined;
  const asked = reader.ask((remote) => remote.open(sent(files), choice, progress, beside, growth), "reading");
  // Cancel came before the question.
  if (former === null && cancels !== before.cancels) cancel();
  const answer = await asked;
  const isWanted = former === null || isShown || reading === reader;
  if (reading === reader) reading = null;
  if (isWanted && answer.ok && answer.value.open === "these") show();
  if (former === null || isShown) return answer;
  reader.end(CALLED_OFF);
  if (!answer.ok) return { ok: false, error: { ...answer.error, lost: false } };
  return isWanted ? { ok: true, value: { ...answer.value, open: "former" } } : { ok: false, error: CALLED_OFF };
}

/** Ends a reading in place at its next slice: what was read is kept. */
export function cancel(): void {
  cancels++;
  void connect().endUnlessAnswered((remote) => remote.cancel(), STUCK);
}

/** Ends the worker that reads beside the recording on the page, whatever it does. */
export function cancelBeside(): void {
  reading?.end(CALLED_OFF);
}

export function startViewer(): void {
  connect();
}

/** Ends the worker, and with it the recording; the next question starts another one. */
export function stopViewer(failure: Failure): void {
  stop = { failure };
  connection?.end(failure);
}

/** For how many milliseconds the oldest question has had no answer; 0 without such a question. */
export function viewerWaitingMs(): number {
  return connection?.waitingMs() ?? 0;
}

/** The methods that do more than to pass a question on. */
const own: Pick<Viewer, "kindsOf" | "watchFrames" | "cancelFrames"> = {
  /** The worker that will read the files looks at them. */
  kindsOf: async (files) => {
    startSpare();
    const reader = spare ?? (await answering());
    return reader.ask((remote) => remote.kindsOf(files));
  },

  watchFrames: (onProgress) => {
    const progress = (p: FramesProgress | null) => onProgress(p);
    void connect().ask(async (remote) => ({ ok: true, value: await remote.watchFrames(Comlink.proxy(progress)) }));
  },

  cancelFrames: () => {
    void connect().ask(async (remote) => ({ ok: true, value: await remote.cancelFrames() }));
  },
};

/** Files as a message, with the ports at which bytes of some arrive. */
function sent(files: InputFile[]): InputFile[] {
  const ports: MessagePort[] = [];
  const copies = files.map((file) => {
    const copy = { ...file };
    if (file.coming?.port) {
      ports.push(file.coming.port);
      file.coming = { ...file.coming, port: null };
    }
    return copy;
  });
  return Comlink.transfer(copies, ports);
}

/** Every answer is a Result, no call throws and no call waits for ever. */
export const viewer = new Proxy(own as Viewer, {
  get: (known, name: keyof Viewer & keyof typeof PAGE) =>
    known[name] ??
    ((...given: unknown[]) =>
      connect().ask((remote) => remote.ask(name, given), EXPORTS.has(name) ? "export" : "question")),
});
