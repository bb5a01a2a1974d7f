/**
 * Security headers of the viewer's server. The page carries the same policy in a meta element, for static hosting; the
 * header is needed in addition, because a meta policy covers neither the worker nor framing.
 */
import { OUTWARD } from "../../model/words/outward.ts";

/** The page's own policy, as `index.html` states it: scripts, styles, fonts and requests from its own origin only. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * For the workers that ask other origins, by the table of what leaves the machine. A worker has the policy of its
 * script: the page and the workers that hold recordings and symbols keep theirs.
 */
export const OUTWARD_POLICY = ["default-src 'none'", "script-src 'self'", "connect-src http: https:"].join("; ");
/** Of `assets/NAME-HASH.js`. */
const WORKER = /^assets\/(\w+)-[\w-]+\.js$/;
const isOutward = (name: string) => OUTWARD.some(({ worker }) => worker === name);

/**
 * Sent with every answer. Caching is disabled, because a recording may contain data that its owner would not leave in a
 * cache.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": `${PAGE_POLICY}; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/** The headers of a file of the page, by its path below the page's address. */
export function securityHeaders(path: string): Readonly<Record<string, string>> {
  return isOutward(WORKER.exec(path)?.[1] ?? "")
    ? { ...SECURITY_HEADERS, "content-security-policy": OUTWARD_POLICY }
    : SECURITY_HEADERS;
}
