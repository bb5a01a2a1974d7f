/** `spanflame [FILE…] [--symbols PATH]…`: serves the viewer on a loopback port, with these files. */
import { existsSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithParent } from "../../../scripts/end-with-parent.mjs";
import { countOf } from "../../node/arguments.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { findSymbolFiles } from "../../node/symbols/symbol-files.ts";
import { sayFindings } from "../../node/symbols/symbol-findings.ts";
import { symbolTools } from "../../node/symbols/symbol-tools.ts";
import { systemWords } from "../../node/system-error.ts";
import { note, print, say } from "../../node/terminal.ts";
import type { Call, VIEW } from "../../node/usage/commands.ts";
import { idsOf, isCompanion } from "../../symbols/build-id.ts";
import { openBrowser } from "./open-browser.ts";
import { type OfferedSymbols, serveViewer } from "./server.ts";
import { Watching } from "./watching.ts";

export async function serve({ inputs, values }: Call<typeof VIEW>): Promise<ExitCode> {
  const port = countOf("--port", values.port, 0, 65_535);
  const list = () => {
    const all = inputsOf(inputs);
    // The page reports the attachments that are missing.
    const there = all.filter(({ fault, upload }) => fault === undefined || upload === undefined);
    return there.length > 0 ? there : all;
  };
  const files = list();
  const watching = values.watch === true ? new Watching(() => inputsOf(inputs), sayFull) : null;
  if (watching !== null && inputs.length === 0) throw new UsageError("--watch: name a folder or files");
  for (const { path, fault } of files) {
    // A folder that is watched may have no recordings yet.
    if (watching !== null && existsSync(path)) continue;
    if (fault !== undefined) throw new Error(`${path}: ${fault}`);
    await access(path).catch((error) => {
      throw new Error(`${path}: ${systemWords(error)}`);
    });
  }
  const siteDir = fileURLToPath(new URL("../dist", import.meta.url));
  if (!existsSync(join(siteDir, "index.html"))) throw new Error("the viewer is not built: run npm run build");
  const symbols = await symbolsOf(values.symbols ?? []);
  let removeOpener = () => {};
  watching?.start();
  const viewer = await serveViewer({
    siteDir,
    ...(watching === null ? { files, list } : { files: [], list: watching.list, more: watching.more, isFolder: true }),
    symbols,
    port,
    onPage: () => removeOpener(),
  });
  // Before the opener's page exists, because a signal that ended the process at once would not delete it.
  const ended = new Promise<void>((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
    process.once("SIGHUP", resolve);
  });
  const url = values.sample ? `${viewer.url}?sample` : viewer.url;
  try {
    print(`Spanflame: ${url}`);
  } catch (error) {
    // Without its address the server is of no use, and it must not keep the process.
    await viewer.close();
    throw error;
  }
  endWithParent();
  if (!values["no-open"])
    removeOpener = openBrowser(url, () => note("No browser could be opened; open the address in one"));
  note(values["no-open"] ? "Open the address in a browser; Ctrl+C ends the server" : "Ctrl+C ends the server");
  await ended;
  watching?.end();
  removeOpener();
  await viewer.close();
  return ExitCode.Done;
}

function sayFull(): void {
  say("spanflame: warning: --watch has listed 10,000 files; files that appear now are not opened");
}

/** The files that --symbols leads to and that a recording can refer to. */
async function symbolsOf(paths: readonly string[]): Promise<OfferedSymbols[]> {
  if (paths.length === 0) return [];
  const { files, diagnostics } = await findSymbolFiles(paths, (await symbolTools()).module);
  sayFindings(diagnostics);
  return files
    .filter((file) => file.kind === "readable" && (file.buildId !== "" || isCompanion(file)))
    .map((file) => ({ name: file.path, ...idsOf(file), bytes: file.bytes, open: file.open }));
}
