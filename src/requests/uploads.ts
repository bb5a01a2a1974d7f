/** Uploads whose files are on the page one by one: their libraries and facts, and what is missing of them. */
import type { Core } from "../core/core.ts";
import { readLibraries } from "../input/code-provenance.ts";
import { libraryFinding, missingFinding } from "../input/upload-event.ts";
import type { InputFile } from "./api/api.ts";
import { FileSource } from "./file-source.ts";

/** After reading: names in diagnostics are those of the first file of each upload. */
export async function noteUploads(core: Core, files: readonly InputFile[]): Promise<void> {
  const noted = new Set<InputFile["upload"]>();
  for (const { name, upload } of files) {
    if (upload === undefined) continue;
    const { uploads } = core.views;
    uploads.set(upload.facts, [...(uploads.get(upload.facts) ?? []), name]);
    if (noted.has(upload)) continue;
    noted.add(upload);
    const findings = upload.missing.map(missingFinding);
    if (upload.libraries !== undefined) {
      const { libraries, problem } = await readLibraries(new FileSource(upload.libraries));
      core.views.libraries.add(libraries);
      if (problem !== null) findings.push(libraryFinding(problem));
    }
    for (const finding of findings) core.note({ ...finding, file: name, chunk: null, offset: null });
  }
}
