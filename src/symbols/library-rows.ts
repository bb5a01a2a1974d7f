/** The answer about native libraries: how much of a recording each has, and what became of its addresses. */
import type { AddressedLibrary } from "../core/answers/libraries.ts";
import { baseName } from "./archive-path.ts";
import { type BuildIds, hasBuildId } from "./build-id.ts";
import type { FileSummary } from "./library.ts";
import type { LibraryNames } from "./name-core.ts";
import type { ElfKind } from "./reader.ts";

/** `unread`: a file has the build id, and reading it has not ended. */
export type LibraryStatus = "resolved" | "partial" | "missing" | "mismatch" | "no-build-id" | "unusable" | "unread";

/** Samples of a profile with at least one frame of the library. */
export interface LibraryWeight {
  type: string;
  unit: string;
  samples: bigint;
  value: bigint;
}

export interface LibraryRow {
  /** Base name, "" if the recording does not state it. */
  name: string;
  buildId: string;
  /** Whether a file is known to be the recorded one: by the build id. */
  verified: boolean;
  /** Positions in stacks, over all samples. */
  frames: bigint;
  /** Distinct addresses. */
  addresses: number;
  weights: LibraryWeight[];
  resolved: { frames: bigint; addresses: number; lines: number };
  status: LibraryStatus;
  /** A sentence, "" if all addresses have names. */
  why: string;
  files: readonly FileSummary[];
}

/** Libraries of one profile. */
export interface ProfileLibraries {
  type: string;
  unit: string;
  libraries: readonly AddressedLibrary[];
}

/** An ELF file that was found, by its path. */
export interface IdentifiedFile extends BuildIds {
  path: string;
}

/** Whether the file is called like the library, with or without `.debug`. */
const isCalled = (path: string, library: string) =>
  library !== "" && (baseName(path) === library || baseName(path) === `${library}.debug`);

/** A library over all profiles. */
export interface LibrarySum extends Pick<LibraryRow, "name" | "buildId" | "weights"> {
  /** Positions in stacks by address, over all samples. */
  frames: Map<bigint, bigint>;
}

/** Libraries with samples. */
export function librarySums(profiles: readonly ProfileLibraries[]): LibrarySum[] {
  const sums = new Map<string, LibrarySum>();
  for (const { type, unit, libraries } of profiles) {
    for (const { name, buildId, samples, value, places } of libraries) {
      if (samples === 0) continue;
      const key = buildId === "" ? `/${name}` : buildId;
      const sum: LibrarySum = sums.get(key) ?? { name, buildId, weights: [], frames: new Map() };
      sums.set(key, sum);
      sum.weights.push({ type, unit, samples: BigInt(samples), value });
      for (const { address, frames } of places) {
        if (frames > 0n) sum.frames.set(address, (sum.frames.get(address) ?? 0n) + frames);
      }
    }
  }
  return [...sums.values()];
}

/** Rows by falling number of frames. */
export function libraryRows(
  sums: readonly LibrarySum[],
  names: ReadonlyMap<string, LibraryNames>,
  files: readonly IdentifiedFile[],
): LibraryRow[] {
  const rows = sums.map(({ frames, ...sum }) => rowOf(sum, frames, names.get(sum.buildId), files));
  return rows.sort((a, b) => Number(b.frames - a.frames) || (a.name < b.name ? -1 : 1));
}

/** Frames that are known by address only: positions in stacks, over all samples, and those that have names. */
export interface NativeCounts {
  frames: bigint;
  addresses: number;
  libraries: { withBuildId: number; withoutBuildId: number };
  resolved: { frames: bigint; addresses: number };
}

export function nativeCounts(rows: readonly LibraryRow[]): NativeCounts {
  const sum = (count: (row: LibraryRow) => number) => rows.reduce((all, row) => all + count(row), 0);
  const withBuildId = sum(({ buildId }) => (buildId === "" ? 0 : 1));
  return {
    frames: rows.reduce((all, row) => all + row.frames, 0n),
    addresses: sum(({ addresses }) => addresses),
    libraries: { withBuildId, withoutBuildId: rows.length - withBuildId },
    resolved: {
      frames: rows.reduce((all, row) => all + row.resolved.frames, 0n),
      addresses: sum(({ resolved }) => resolved.addresses),
    },
  };
}

/** What a file of symbols is to a recording. */
export type FileStatus = "used" | "mismatch" | "not-needed" | "unreadable" | "not-elf";

export function fileStatus(
  { kind, path, ...ids }: IdentifiedFile & { kind: ElfKind | "unreadable" },
  libraries: readonly { name: string; buildId: string }[],
  names: ReadonlyMap<string, LibraryNames> = new Map(),
): FileStatus {
  if (kind === "not-elf") return "not-elf";
  if (kind !== "readable") return "unreadable";
  if (libraries.some(({ buildId }) => hasBuildId(ids, buildId))) return "used";
  // Split units and supplements have no build id of the recording.
  if ([...names.values()].some(({ files }) => files.some((file) => file.path === path))) return "used";
  return libraries.some(({ name }) => isCalled(path, name)) ? "mismatch" : "not-needed";
}

function rowOf(
  { name, buildId, weights }: Pick<LibraryRow, "name" | "buildId" | "weights">,
  frames: ReadonlyMap<bigint, bigint>,
  names: LibraryNames | undefined,
  files: readonly IdentifiedFile[],
): LibraryRow {
  const resolved = { frames: 0n, addresses: 0, lines: 0 };
  for (const [address, count] of frames) {
    const [first] = names?.resolved.get(address)?.frames ?? [];
    if (first === undefined) continue;
    resolved.frames += count;
    resolved.addresses++;
    if (first.line > 0) resolved.lines++;
  }
  const all = [...frames.values()].reduce((a, b) => a + b, 0n);
  return {
    name,
    buildId,
    verified: buildId !== "",
    frames: all,
    addresses: frames.size,
    weights,
    resolved,
    ...statusOf({ name, buildId }, frames.size, resolved.addresses, names, files),
    files: names?.files ?? [],
  };
}

function statusOf(
  { name, buildId }: { name: string; buildId: string },
  addresses: number,
  resolved: number,
  names: LibraryNames | undefined,
  files: readonly IdentifiedFile[],
): Pick<LibraryRow, "status" | "why"> {
  if (buildId === "") {
    return {
      status: "no-build-id",
      why: "the library has no build id, so no file can be known to be the recorded one",
    };
  }
  if (names !== undefined) {
    if (resolved === addresses) return { status: "resolved", why: "" };
    if (resolved > 0)
      return { status: "partial", why: `${addresses - resolved} of ${addresses} addresses have no name` };
    return { status: "unusable", why: "the files of this build id have no name for any of the addresses" };
  }
  if (files.some((file) => hasBuildId(file, buildId)))
    return { status: "unread", why: "the files of this build id have not been read" };
  const other = files.find(({ path }) => isCalled(path, name));
  if (other === undefined) return { status: "missing", why: `no file has the build id ${buildId}` };
  const its = other.buildId === "" ? "no build id" : `build id ${other.buildId}`;
  return { status: "mismatch", why: `${other.path} has ${its}; the recording has ${buildId}` };
}
