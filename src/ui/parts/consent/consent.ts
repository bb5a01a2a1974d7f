/**
 * Whether the page may read from another host. The first time it asks, before any request leaves; a yes may be kept
 * for the host. The question is loaded when it is asked.
 */
import { allowedHosts, hostOf, type Question } from "./hosts.ts";

/** The user did not allow it. */
export class Declined extends Error {
  override readonly name = "Declined";
  constructor(origin: string) {
    super(`Nothing was read from ${hostOf(origin)}: you did not allow it.`);
  }
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
