/** Reads files of symbols in their worker, and gives the names in them to the open recording. */
import { hasBuildId } from "../../../symbols/build-id.ts";
import { fileStatus, type LibrarySum, libraryRows } from "../../../symbols/library-rows.ts";
import type { Failure, FoundSymbols, LibraryNames, Query, SymbolInput } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type Symbolizer, startSymbolizer } from "../../../worker/task-workers.ts";
import { showToast } from "../../primitives/toast/toasts.ts";
import { changeSymbols, NO_NAMES, symbolState } from "../answers/symbol-store.ts";
import { runCommand } from "../commands/commands.ts";
import { renamed } from "./renamed.ts";
import { framesWords } from "./row-words.ts";
import { fetchNeeded } from "./served-symbols.ts";

/** The recording on the page. */
export interface NamedPage {
  /** The samples on screen, and the node of their tree that the graph is zoomed to. */
  shown: () => { samples: Query; focus: number; name: string };
  /** Names have changed: the node has another number, and so may have the name of the function in Sandwich. */
  onNamed: (focus: number, name: string | null) => void;
  onFailure: (failure: Failure) => void;
}

/** What is known of a library, from these files. */
interface Known {
  files: string;
  names: LibraryNames;
}

const keyOf = (files: readonly FoundSymbols[]) => files.map(({ path, blob }) => `${path} ${blob.size}`).join("\n");

class Shelf {
  private page: NamedPage | null = null;
  /** The page whose libraries are known. */
  private attended: NamedPage | null = null;
  /** Names that the worker of that page has. */
  private given = NO_NAMES;
  private readonly known = new Map<string, Known>();
  private worker: Symbolizer | null = null;
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  /** Until all that was asked for before has ended. */
  private isCancelled = false;

  /**
   * Another recording is on the page, or the same one in another state; null: none is. What is shown stays until the
   * other is known: a button that goes and comes back would lose the focus.
   */
  async attend(page: NamedPage | null): Promise<void> {
    this.page = page;
    this.attended = null;
    if (page === null) return changeSymbols({ native: null, names: NO_NAMES });
    const answer = await viewer.libraries();
    if (page !== this.page) return;
    if (!answer.ok) return page.onFailure(answer.error);
    this.attended = page;
    this.given = NO_NAMES;
    changeSymbols({ native: answer.value });
    const served = await fetchNeeded(answer.value.libraries, symbolState().files);
    if (page !== this.page) return;
    if (served.length > 0) void this.add(served);
    else await this.inTurn(() => this.nameFrames());
  }

  /** Adds files of symbols. */
  add(files: SymbolInput[]): Promise<void> {
    return this.inTurn(async () => {
      const before = symbolState().files;
      await this.find(files);
      await this.nameFrames();
      tellOutcome(symbolState().files.filter((file) => !before.includes(file)));
    });
  }

  /** Adds the files of symbols in archives; returns the archives that have any. */
  addArchives(files: SymbolInput[]): Promise<SymbolInput[]> {
    return this.inTurn(async () => {
      const others = await this.find(files);
      await this.nameFrames();
      return files.filter((_, i) => !others.includes(i));
    });
  }

  remove(file: FoundSymbols): Promise<void> {
    const { files, diagnostics } = symbolState();
    changeSymbols({
      files: files.filter((each) => each !== file),
      diagnostics: diagnostics.filter((each) => each.file !== file.path),
    });
    return this.inTurn(() => this.nameFrames());
  }

  /** Reads the files again whose reading has not ended. */
  again(): Promise<void> {
    return this.inTurn(() => this.nameFrames());
  }

  /** Ends what is being read. Files that were found stay, and their libraries unnamed. */
  cancel(): void {
    this.isCancelled = true;
    this.endWorker();
  }

  private endWorker(): void {
    this.worker?.end();
    this.worker = null;
  }

  /** One job after the other. The worker ends with the last one, and with it its memory. */
  private async inTurn<T>(job: () => Promise<T>): Promise<T> {
    this.waiting++;
    const before = this.last;
    const turn = before.catch(() => {}).then(job);
    this.last = turn;
    try {
      return await turn;
    } finally {
      if (--this.waiting === 0) {
        this.isCancelled = false;
        this.endWorker();
        changeSymbols({ progress: null });
      }
    }
  }

  private symbolizer(): Symbolizer {
    this.worker ??= startSymbolizer();
    return this.worker;
  }

  /** The answer is the indices of files without symbols. */
  private async find(inputs: SymbolInput[]): Promise<readonly number[]> {
    if (this.isCancelled) return inputs.map((_, i) => i);
    const text = inputs.length === 1 ? `Reading ${inputs[0]?.path ?? ""}` : `Reading ${inputs.length} files of symbols`;
    changeSymbols({ progress: { text, share: inputs.length === 1 ? null : 0 } });
    const answer = await this.symbolizer().find(inputs, ({ done, total }) => {
      changeSymbols({ progress: { text, share: total < 2 ? null : done / total } });
    });
    if (!answer.ok) {
      if (answer.error.code !== "stopped") showToast({ tone: "error", text: answer.error.message });
      return inputs.map((_, i) => i);
    }
    const { files, diagnostics, others } = answer.value;
    const again = new Set(files.map(({ path }) => path));
    const before = symbolState();
    changeSymbols({
      files: [...before.files.filter(({ path }) => !again.has(path)), ...files],
      diagnostics: [...before.diagnostics.filter(({ file }) => !again.has(file)), ...diagnostics],
    });
    return others;
  }

  private async nameFrames(): Promise<void> {
    const { attended: page, given } = this;
    const { native } = symbolState();
    if (page === null || native === null) return;
    const names = new Map<string, LibraryNames>();
    for (const library of native.libraries) {
      const found = await this.namesOf(library);
      if (found !== null) names.set(library.buildId, found);
      if (page !== this.page) return;
    }
    if (names.size === given.size && [...names].every(([id, each]) => given.get(id) === each)) {
      changeSymbols({ names });
      return;
    }
    const { samples, focus, name } = page.shown();
    const answer = await viewer.nameFrames(names, samples, focus);
    if (page !== this.page) return;
    if (!answer.ok) return page.onFailure(answer.error);
    this.given = names;
    changeSymbols({ names });
    page.onNamed(answer.value, renamed(name, native.libraries, names));
  }

  /** Null without a file of the library, or if reading it was ended. */
  private async namesOf({ name, buildId, frames }: LibrarySum): Promise<LibraryNames | null> {
    const { native } = symbolState();
    const readable = symbolState().files.filter(({ kind }) => kind === "readable");
    const files = readable.filter((file) => hasBuildId(file, buildId));
    if (files.length === 0) return null;
    // Split units and supplements have no build id of a library.
    const beside = readable.filter((file) => !native?.libraries.some((library) => hasBuildId(file, library.buildId)));
    const key = keyOf([...files, ...beside]);
    const addresses = [...frames.keys()];
    const known = this.known.get(buildId);
    if (known?.files === key && addresses.every((address) => known.names.resolved.has(address))) return known.names;
    if (this.isCancelled) return null;
    changeSymbols({ progress: { text: `Reading the symbols of ${name === "" ? buildId : name}`, share: null } });
    const answer = await this.symbolizer().names(addresses, files, beside);
    if (!answer.ok) {
      if (answer.error.code !== "stopped") showToast({ tone: "error", text: answer.error.message });
      return null;
    }
    const { names, diagnostics } = answer.value;
    this.known.set(buildId, { files: key, names });
    const paths = new Set(files.map(({ path }) => path));
    const others = symbolState().diagnostics.filter(({ file, code }) => !paths.has(file) || !isOfContent(code));
    changeSymbols({ diagnostics: [...others, ...diagnostics] });
    return names;
  }
}

/** Reports the outcome of added files. Without a recording it reports nothing: the files wait for one. */
function tellOutcome(added: readonly FoundSymbols[]): void {
  const { native, names, files } = symbolState();
  if (native === null || added.length === 0) return;
  const rows = libraryRows(native.libraries, names, files);
  const statuses = added.map((file) => fileStatus(file, native.libraries));
  if (statuses.includes("used")) {
    showToast({ tone: "success", text: `${framesWords(rows)} of native libraries have names.` });
    return;
  }
  const isOther = statuses.includes("mismatch");
  showToast({
    tone: "error",
    text: isOther
      ? "The build id of these files is another one than the recording has."
      : "No library of this recording needs these files.",
    action: { label: "Details", run: () => runCommand("symbols") },
  });
}

/** Whether reading the content of a file gives such a diagnostic again. */
const isOfContent = (code: string) => code.startsWith("dwarf.") || code.startsWith("elf.");

export const shelf = new Shelf();
