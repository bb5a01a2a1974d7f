/**
 * Whether the page may read from another host. The first time it asks, before any request leaves; a yes may be kept
 * for the host. The question is loaded when it is asked.
 */
import { storage } from "../panes/use-stored.ts";

/** What a request to another host is for. */
export interface Question {
  /** The host's origin, which is all that is remembered. */
  origin: string;
  /** What is read there, a line each. */
  what: readonly string[];
  /** How much, in a sentence. */
  amount: string;
  /** What the host learns beside the address of this machine. */
  sent: string;
  /** Asks the host for the number of bytes: a request as well, so only if the user wants it. */
  size?: (signal: AbortSignal) => Promise<string>;
}

/** The user did not allow it. */
export class Declined extends Error {
  override readonly name = "Declined";
  constructor(origin: string) {
    super(`Nothing was read from ${hostOf(origin)}: you did not allow it.`);
  }
}

const KEY = "hosts";

export const hostOf = (origin: string) => origin.replace(/^https:\/\//, "");

/** Origins that need no question. */
export function allowedHosts(): string[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((origin) => typeof origin === "string") : [];
  } catch {
    return [];
  }
}

export function allowHost(origin: string): void {
  storage.setItem(KEY, JSON.stringify([...new Set([...allowedHosts(), origin])]));
}

export function forgetHosts(): void {
  storage.setItem(KEY, "[]");
}

/** One question after the other. */
let last: Promise<unknown> = Promise.resolve();

/** Returns once the page may read there; throws Declined otherwise. The page's own host needs no question. */
export async function mayRead(question: Question, signal: AbortSignal): Promise<void> {
  const { origin } = question;
  if (origin === location.origin) return;
  const asked = last.then(async () => {
    if (allowedHosts().includes(origin)) return true;
    // What is around the page could lay something else over the question.
    if (window !== window.top) throw new Error(`In a frame this page reads from no other host: ${hostOf(origin)}.`);
    const { askUser } = await import("./ask-user.tsx");
    return askUser(question, signal);
  });
  last = asked.catch(() => {});
  if (!(await asked)) throw new Declined(origin);
}
