/** The lists of libraries in the folders of uploads: reports and pictures have the colours that the page has. */
import { statSync } from "node:fs";
import type { Core } from "../../core/core.ts";
import { readLibraries } from "../../input/code-provenance.ts";
import { libraryFinding } from "../../input/upload-event.ts";
import type { FolderUpload, NamedInput } from "../inputs.ts";
import { openInput } from "../node-source.ts";
import { systemWords } from "../system-error.ts";

/** After reading: names in diagnostics are those of the first file of each upload. */
export async function addLibraries(core: Core, inputs: readonly NamedInput[]): Promise<void> {
  const added = new Set<FolderUpload>();
  for (const { name, upload } of inputs) {
    if (upload?.libraries === undefined || added.has(upload)) continue;
    added.add(upload);
    const problem = await addList(core, upload.libraries);
    if (problem !== null) core.note({ ...libraryFinding(problem), file: name, chunk: null, offset: null });
  }
}

/** Why some or all libraries of a list are missing; null if all were read. */
async function addList(core: Core, path: string): Promise<string | null> {
  try {
    // A pipe would be waited for, a device may have no end.
    if (!statSync(path).isFile()) throw new Error("it is no file");
    const input = await openInput(path);
    try {
      const { libraries, problem } = await readLibraries(input.source);
      core.views.libraries.add(libraries);
      return problem;
    } finally {
      await input.close();
    }
  } catch (error) {
    return `code-provenance.json was not read: ${systemWords(error)}`;
  }
}
