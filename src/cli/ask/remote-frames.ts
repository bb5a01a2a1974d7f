/** Frames of recordings that are known by address only, in the answer of `info`. */
import type { Core } from "../../core/core.ts";
import { loadSymbols } from "../../node/symbols/recorded-symbols.ts";
import { sayFindings } from "../../node/symbols/symbol-findings.ts";
import { libraryRows, librarySums } from "../../symbols/library-rows.ts";

/** The counts of all inputs; frames as texts. */
export async function remoteFrames(core: Core, paths: readonly string[]): Promise<object> {
  const recorded = paths.length === 0 ? null : await loadSymbols(core, paths);
  if (recorded !== null) sayFindings(recorded.diagnostics);
  const profiles = core.profiles().map(({ id, type, unit }) => {
    core.select(id, {});
    return { type, unit, libraries: core.views.addressedLibraries() };
  });
  const rows = libraryRows(librarySums(profiles), recorded?.libraries ?? new Map(), []);
  const sum = (count: (row: (typeof rows)[number]) => number) => rows.reduce((all, row) => all + count(row), 0);
  const frames = rows.reduce((all, row) => all + row.frames, 0n);
  const named = rows.reduce((all, row) => all + row.resolved.frames, 0n);
  return {
    frames: String(frames),
    addresses: sum(({ addresses }) => addresses),
    libraries: {
      withBuildId: sum(({ buildId }) => (buildId === "" ? 0 : 1)),
      withoutBuildId: sum(({ buildId }) => (buildId === "" ? 1 : 0)),
    },
    resolved: { frames: String(named), addresses: sum(({ resolved }) => resolved.addresses) },
  };
}
