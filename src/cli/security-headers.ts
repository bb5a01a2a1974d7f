/**
 * What the viewer's server tells the browser to refuse. The page carries the same policy in a meta element, for
 * static hosting; the header is needed besides, since a meta policy covers neither the worker nor framing.
 */

/** The page's own policy, as `index.html` states it: scripts, styles and requests from its own origin only. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Sent with every answer. Nothing is stored: a recording may hold what its owner would not leave in a cache. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": `${PAGE_POLICY}; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
