/** The URL that profiles are posted to. */

const PROFILES_PATH = "/v1development/profiles";

/**
 * The URL of a receiver. If `endpoint` has no path, OTLP's path for profiles is appended. Throws if fetch cannot post
 * to the URL.
 */
export function profilesUrl(endpoint: string): string {
  const url = new URL(postUrl(endpoint));
  if (url.pathname === "/") url.pathname = PROFILES_PATH;
  return url.href;
}

/** The address of profiles below the address that a receiver has for all signals. Throws as `profilesUrl`. */
export function profilesUrlBelow(base: string): string {
  const url = new URL(postUrl(base));
  url.pathname = url.pathname.replace(/\/+$/, "") + PROFILES_PATH;
  return url.href;
}

/** The address as given. Throws as `profilesUrl`. */
export function postUrl(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Error(`${JSON.stringify(endpoint)} is not an http or https address`);
  }
  // fetch refuses them, with words that repeat the password.
  if (url.username !== "" || url.password !== "") {
    throw new Error("the address contains a user name or a password; put them into a header");
  }
  return url.href;
}
