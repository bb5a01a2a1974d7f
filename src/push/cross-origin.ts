/**
 * Causes that a browser hides when a request to another origin fails: no server answers, or a server answers that does
 * not allow requests from this page (CORS). A second request, whose answer is not readable for pages, distinguishes the
 * two.
 */

/** The receiver's answer, or that to the question before it, was kept from the page: asking again does not help. */
export class NotAllowed extends Error {}

const PROBE_MS = 5000;

/** As `fetch`, with a reason where it throws. */
export async function crossOriginFetch(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    if (await answers(url))
      throw new NotAllowed("the server answers, but does not allow requests from this page (CORS)");
    throw new Error("no server answers, or the browser does not allow this page to send the request");
  }
}

/** Carries nothing: no body, no headers, no cookies. */
async function answers(url: RequestInfo | URL): Promise<boolean> {
  try {
    await fetch(url, { mode: "no-cors", credentials: "omit", signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch {
    return false;
  }
}
