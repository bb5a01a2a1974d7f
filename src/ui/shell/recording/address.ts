/**
 * The page's address, written a moment after a change. A new entry in the history keeps the browser's own
 * process busy for as long as the core needs for an answer, on machines with few cores in its way; so the answer goes
 * first.
 */
import type { InputFile } from "../../../worker/api.ts";

const AFTER_MS = 150;

let waiting: { url: string; replace: boolean; timer: ReturnType<typeof setTimeout> } | null = null;

/** A recording that an entry of the history belongs to: Back and Forward lead to it as long as the page lives. */
interface Entered {
  files: InputFile[];
  /** The address opens it by this. */
  search: string;
}

/** Files are handles of the browser, yet who goes back goes back a few steps. */
const RECORDINGS_KEPT = 8;
const entered = new Map<string, Entered>();
/** The recording that new entries belong to. */
let current = "";

/** Names and sizes of files, as an address or an entry of the history has them. */
export const textsOf = (files: readonly InputFile[]) =>
  files.slice(0, 5).map(({ name, blob }) => `${name}~${blob.size}`);

const HASH = new URLSearchParams(location.hash.slice(1));
/** The files that the address names. They stay in it until a recording is open. */
const NAMED = HASH.getAll("of").slice(0, 5);
/** The files that were open before the page was loaded again. */
const CLOSED: string[] = NAMED.length > 0 ? [] : (history.state?.files ?? []);
export const LINKED = NAMED.length > 0 ? NAMED : CLOSED;
/** The page was loaded again. */
export const RELOADED = CLOSED.length > 0;
/** The hash of a link of another tool (linked-trace.ts), else "". It stays, too. */
export const ASKED = HASH.has("around") ? location.hash : "";

/** A hash with the names of files. */
export function withFiles(hash: string, files: readonly string[]): string {
  const params = new URLSearchParams(hash.slice(1));
  if (files.length === 0 && !params.has("of")) return hash;
  params.delete("of");
  for (const file of files) params.append("of", file);
  return params.size === 0 ? "" : `#${params}`;
}

/** Another recording is on the page. The first one takes the entry of the welcome page. */
export function enterRecording(files: InputFile[], hash: string, isFirst: boolean): void {
  settleAddress();
  const before = entered.get(current)?.files ?? [];
  if (before.length === files.length && before.every(({ blob }, i) => blob === files[i]?.blob)) return;
  current = crypto.randomUUID?.() ?? `${performance.timeOrigin + performance.now()}`;
  // `?url=` and its like name the first recording only.
  const search = isFirst ? location.search : "";
  entered.set(current, { files, search });
  for (const id of [...entered.keys()].slice(0, -RECORDINGS_KEPT)) entered.delete(id);
  put(
    isFirst ? `${location.pathname}${location.search}${withFiles(location.hash, [])}` : `${location.pathname}${hash}`,
    isFirst,
  );
}

/** The recording that an entry of the history leads to, where that is not the one on the page. */
export function otherRecording(state: unknown): { id: string; files: InputFile[] } | null {
  const id = idIn(state);
  const found = id === current ? undefined : entered.get(id);
  return found === undefined ? null : { id, files: found.files };
}

/** The page followed the history to this recording, */
export function arriveAt(id: string): void {
  current = id;
}

/** or it did not, and stays where it was. */
export function stayHere(hash: string): void {
  put(`${location.pathname}${entered.get(current)?.search ?? ""}${hash}`, false);
}

function idIn(state: unknown): string {
  const isOurs = typeof state === "object" && state !== null && "recording" in state;
  return isOurs && typeof state.recording === "string" ? state.recording : "";
}

function put(url: string, replace: boolean): void {
  const state = { recording: current, files: current === "" ? CLOSED : textsOf(entered.get(current)?.files ?? []) };
  const [path, hash = ""] = url.split("#");
  const waits = current === "" && (NAMED.length > 0 || ASKED !== "");
  const address = waits ? `${path}${withFiles(ASKED || `#${hash}`, NAMED)}` : url;
  try {
    if (replace) history.replaceState(state, "", address);
    else history.pushState(state, "", address);
  } catch {
    // Safari refuses more than a hundred in some seconds. The page goes on; the next change writes the address.
  }
}

/** Every call adds an entry to the history, except those that replace the one before. */
export function writeAddress(url: string, replace: boolean): void {
  settleAddress();
  if (url === `${location.pathname}${location.search}${location.hash}`) {
    if (idIn(history.state) !== current) put(url, true);
    return;
  }
  waiting = { url, replace, timer: setTimeout(settleAddress, AFTER_MS) };
}

/** Writes what waits, at once. */
export function settleAddress(): void {
  if (waiting === null) return;
  const { url, replace, timer } = waiting;
  clearTimeout(timer);
  waiting = null;
  put(url, replace);
}

/** The user went elsewhere in the history: what waits has no place there. */
export function forgetAddress(): void {
  if (waiting !== null) clearTimeout(waiting.timer);
  waiting = null;
}

/** The page as on its first visit: nothing is filtered. */
export function clearAddress(): void {
  forgetAddress();
  put(`${location.pathname}${location.search}`, true);
}
