/** Build ids of an ELF or Mach-O file. A Go program has a Go build id, and since Go 1.24 also a GNU build id. */
import { hexOf } from "../bytes/hex.ts";

export interface BuildIds {
  /** Of GNU, or the UUID of Mach-O, in lower-case hex; else that of Go; "" if the file has none. */
  buildId: string;
  /** A text; "" if it has none. */
  goBuildId: string;
}

/** By what a file of symbols belongs to others. */
export interface FileIds extends BuildIds {
  /** What was split off from other files: that of one unit, or of many. */
  split: "" | "unit" | "package";
  /** Id in hex by which files that dwz made smaller refer to this one; "" if they do not. */
  supplement: string;
  /** Id in hex of the file that dwz moved parts of this one to; "" if there is none. */
  needs: string;
}

export const NO_BUILD_ID: FileIds = { buildId: "", goBuildId: "", split: "", supplement: "", needs: "" };

/** The ids of a file, without what else is known of it. */
export const idsOf = ({ buildId, goBuildId, split, supplement, needs }: FileIds): FileIds => ({
  ...{ buildId, goBuildId, split, supplement, needs },
});

/** Whether a file may have what files of libraries lack: split units are found by ids within, supplements by theirs. */
export const isBeside = (file: FileIds, libraries: readonly FileIds[]): boolean =>
  libraries.length > 0 &&
  (file.split !== "" || libraries.some(({ needs }) => needs !== "" && [file.buildId, file.supplement].includes(needs)));

/** Whether a file without build id may have something of a file with one. */
export const isCompanion = ({ split, supplement }: FileIds) => split !== "" || supplement !== "";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A build id as files have it: UUIDs of Mach-O are often written in groups and capitals. */
export function plainBuildId(stated: string): string {
  if (UUID.test(stated)) return stated.replaceAll("-", "").toLowerCase();
  return /^[0-9A-F]{32}$/.test(stated) ? stated.toLowerCase() : stated;
}

/** Whether a file has the build id that a recording states. */
export function hasBuildId({ buildId, goBuildId }: BuildIds, stated: string): boolean {
  return stated !== "" && (buildId === plainBuildId(stated) || goBuildId === stated);
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
  return { buildId: hexOf(gnu) || goBuildId, goBuildId };
}
