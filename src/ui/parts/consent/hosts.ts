/** Hosts that the page may read from without a question, which this browser keeps. */
import { storage } from "../../primitives/panes/use-stored.ts";

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
