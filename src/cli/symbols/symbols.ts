/** `spanflame symbols`: the native libraries of recordings that have frames without a name, and what can name them. */
import type { Core } from "../../core/core.ts";
import type { Filter, ProfileSummary } from "../../core/types.ts";
import { formatBytes, formatCount, formatCounted, formatPercent } from "../../model/words/format.ts";
import { parseFilter } from "../../node/arguments.ts";
import { ExitCode } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { chosenProfile, readSaid } from "../../node/read.ts";
import { serversOf } from "../../node/symbols/fetched-files.ts";
import { packSymbols } from "../../node/symbols/pack.ts";
import { loadSymbols, type RecordedSymbols } from "../../node/symbols/recorded-symbols.ts";
import type { SymbolFile } from "../../node/symbols/symbol-files.ts";
import { sayFindings } from "../../node/symbols/symbol-findings.ts";
import { inputName, print, printJson } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { baseName } from "../../symbols/archive-path.ts";
import {
  type FileStatus,
  fileStatus,
  type LibraryRow,
  libraryRows,
  librarySums,
  type ProfileLibraries,
} from "../../symbols/library-rows.ts";

export async function symbols({ inputs, values }: CallOf<"symbols">): Promise<ExitCode> {
  const filter = await parseFilter(values);
  const { symbols: paths = [], fetch: server, pack: folder, ...reading } = values;
  const servers = server === undefined ? [] : serversOf(server);
  const { core, exit } = await readSaid(inputsOf(inputs), reading);
  const isRead = exit !== ExitCode.Failed;
  // An answer in JSON is one in every case.
  if (!isRead && values.json !== true) return exit;
  const isChosen = isRead && (values.type !== undefined || values.event !== undefined);
  const chosen = isChosen ? chosenProfile(core, values) : null;
  const recorded = await loadSymbols(core, paths, servers);
  const packed = folder === undefined ? null : await packSymbols(folder, recorded);
  const profiles = chosen === null ? core.profiles() : [chosen.profile];
  const rows = libraryRows(librarySums(librariesOf(core, profiles, filter)), recorded.libraries, recorded.files);
  // The libraries of the whole recording, whatever the filter.
  const all = librariesOf(core, core.profiles(), {}).flatMap(({ libraries }) => libraries);
  const files = recorded.files.map((file) => ({
    ...shownFile(file),
    status: fileStatus(file, all, recorded.libraries),
  }));
  const diagnostics = [...core.diagnostics(), ...recorded.diagnostics];
  const { fetched, cached } = recorded;
  const served = servers.length === 0 ? {} : { fetched, cached };
  const copies = packed === null ? {} : { packed: packed.files };
  if (values.json) printJson({ libraries: rows.map(textual), files, ...served, ...copies, diagnostics });
  else {
    show(rows, files, recorded);
    if (fetched !== undefined)
      print(`${formatCounted(fetched, "file")} fetched, ${formatCount(cached ?? 0)} in the cache`);
    if (packed !== null)
      print(
        `${formatCounted(packed.files.length, "file")}, ${formatBytes(packed.bytes)}, in ${inputName(folder ?? "")}`,
      );
  }
  sayFindings(recorded.diagnostics);
  return rows.length === 0 || rows.some(({ resolved }) => resolved.addresses > 0) || paths.length + servers.length === 0
    ? exit
    : ExitCode.Failed;
}

function librariesOf(core: Core, profiles: readonly ProfileSummary[], filter: Filter): ProfileLibraries[] {
  const held = new HeldCore(core);
  return profiles.map(({ id, type, unit }) => {
    return { type, unit, libraries: held.about(id, filter).addressedLibraries() };
  });
}

const shownFile = ({ path, buildId }: SymbolFile) => ({ path, buildId });

/** 64-bit counts as texts. */
function textual(row: LibraryRow): object {
  return {
    ...row,
    frames: String(row.frames),
    weights: row.weights.map(({ samples, value, ...rest }) => ({
      ...rest,
      samples: String(samples),
      value: String(value),
    })),
    resolved: { ...row.resolved, frames: String(row.resolved.frames) },
  };
}

function show(
  rows: readonly LibraryRow[],
  files: readonly { path: string; status: FileStatus }[],
  { libraries }: RecordedSymbols,
): void {
  if (rows.length === 0) print("no native frames without a name");
  const frames = rows.reduce((sum, row) => sum + row.frames, 0n);
  for (const row of rows) {
    const name = row.name === "" ? "library without a name" : row.name;
    const id = row.buildId === "" ? "no build id" : `build id ${row.buildId}`;
    const share = `${formatPercent(row.frames, frames)} of these frames`;
    print(`${name}, ${id}: ${formatCounted(row.addresses, "address", "addresses")}, ${share}, ${row.status}`);
    if (row.why !== "") print(`  ${row.why}`);
    for (const file of libraries.get(row.buildId)?.files ?? []) print(`  ${inputName(file.path)}`);
  }
  for (const { path, status } of files) if (status !== "used") print(`${inputName(baseName(path))}: ${status}`);
}
