/**
 * The oldest Node that runs this program. Imports nothing, and has no syntax that is newer than modules, so that an old
 * Node reaches the message: it stops at the first import that it does not know, before any code runs.
 */

/** As `engines` in package.json. */
export const NEEDED = [20, 19];

/** A line for users of an older version, such as "18.20.8"; null for one that is new enough. */
export function oldNode(version) {
  const [major, minor] = version.split(".").map(Number);
  const isOld = major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1]);
  return isOld ? `spanflame needs Node ${NEEDED.join(".")} or newer; this is ${version}` : null;
}
