/** Files of symbols among the files of the user, by their content, which the worker that will read them looks at. */
import { isEventName } from "../../../core/inputs/bundle-paths.ts";
import type { InputFile } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { Lazy } from "../../primitives/lazy/lazy.ts";
import { changeSymbols } from "../answers/symbol-store.ts";
import { takeSources } from "../source/take-sources.ts";

/** What reads symbols: fetched with the first such file, or a recording that needs them. */
export const SHELF = new Lazy(() => import("./shelf.ts").then(({ shelf }) => shelf));

/** Files whose kinds are asked for at once. */
const AT_ONCE = 32;

/** Takes the files of symbols and of source, and returns the recordings. Throws an error for the user without any. */
export async function withoutSymbols(files: InputFile[]): Promise<InputFile[]> {
  const { others, hasSources } = await takeSources(files);
  const isUpload = others.some(({ name }) => isEventName(name));
  const all = isUpload ? await (await import("../files/uploads.ts")).withUploads(others) : others;
  const { rest, hasSymbols } = await takeSymbols(all);
  if (rest.length === 0 && !hasSymbols && !hasSources) throw (await import("../files/folders.ts")).nothingFound();
  return rest;
}

/** Takes the files of symbols; `rest` has the recordings, if there are any. */
export async function takeSymbols(files: InputFile[]): Promise<{ rest: InputFile[]; hasSymbols: boolean }> {
  const all = await withKinds(files);
  const inputs = (kind: string) =>
    all.filter(({ known }) => known?.kind === kind && !known.packed).map(({ name, blob }) => ({ path: name, blob }));
  const [elf, archives] = [inputs("symbols"), inputs("zip")];
  const taken = new Set(elf.map(({ blob }) => blob));
  if (elf.length + archives.length > 0) {
    const shelf = await SHELF.fetch();
    if (elf.length > 0) void shelf.add(elf);
    if (archives.length > 0) for (const { blob } of await shelf.addArchives(archives)) taken.add(blob);
  }
  const rest = all.flatMap((file) => {
    const { onlySymbols, ...recording } = file;
    return taken.has(file.blob) || (onlySymbols === true && !isMessages(file)) ? [] : recording;
  });
  return { rest, hasSymbols: taken.size > 0 };
}

/** Whether a file of JSON, of which folders have many, has OTLP profiles: the rule of the command line. */
function isMessages({ name, known }: InputFile): boolean {
  return known?.kind === "otlp" && /\.jsonl?$/i.test(name);
}

/** Trace files belong beside a recording, so nothing is asked about them. */
export function areTraces(files: readonly InputFile[]): boolean {
  return files.length > 0 && files.every(({ known }) => known?.kind === "trace");
}

/** The files with what they are. A file that cannot be read is left to the reader of recordings, which reports it. */
export async function withKinds(files: readonly InputFile[]): Promise<InputFile[]> {
  const known: InputFile[] = [];
  for (let at = 0; at < files.length; at += AT_ONCE) {
    if (files.length > AT_ONCE) progressOf(at, files.length);
    const some = files.slice(at, at + AT_ONCE);
    const asked = some.filter(({ known, parts }) => known === undefined && parts === undefined);
    const answer = asked.length === 0 ? null : await viewer.kindsOf(asked);
    const kinds = answer?.ok === true ? answer.value : [];
    known.push(
      ...some.map((file) => {
        const kind = kinds[asked.indexOf(file)];
        return kind === undefined ? file : { ...file, known: kind };
      }),
    );
  }
  if (files.length > AT_ONCE) changeSymbols({ progress: null });
  return known;
}

function progressOf(done: number, total: number): void {
  changeSymbols({ progress: { text: `Looking for symbols in ${total} files`, share: done / total } });
}
