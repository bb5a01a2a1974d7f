/** Build ids of an ELF file. A Go program has a Go build id, and since Go 1.24 also a GNU build id. */
export interface BuildIds {
  /** Of GNU, in lower-case hex; else that of Go; "" if the file has none. */
  buildId: string;
  /** A text; "" if it has none. */
  goBuildId: string;
}

export const NO_BUILD_ID: BuildIds = { buildId: "", goBuildId: "" };

/** Whether a file has the build id that a recording states. */
export function hasBuildId({ buildId, goBuildId }: BuildIds, stated: string): boolean {
  return stated !== "" && (buildId === stated || goBuildId === stated);
}

/** Four hashes in the base64 of URLs, or fewer. */
const GO = /^[\w-]+(?:\/[\w-]+){1,3}$/;

export function isGoBuildId(text: string): boolean {
  return GO.test(text);
}

/** The ids as the symbol reader has them; bytes that are no id of Go are left out. */
export function buildIdsOf(gnu: Uint8Array, go: Uint8Array): BuildIds {
  const text = String.fromCharCode(...go);
  const goBuildId = isGoBuildId(text) ? text : "";
  return { buildId: Array.from(gnu, (byte) => byte.toString(16).padStart(2, "0")).join("") || goBuildId, goBuildId };
}
