/** Uploads in an archive: attachments with the description that is in the same folder (upload-event.ts). */
import type { ByteSource } from "../bytes/byte-source.ts";
import type { CodeLibrary } from "../core/answers/library-paths.ts";
import type { UploadFacts } from "../core/answers/uploads.ts";
import { fileName, isEventName, isFigures } from "../core/inputs/bundle-paths.ts";
import { isLibraries, readLibraries } from "./code-provenance.ts";
import { type BundleFinding, libraryFinding, missingFinding, readEvent, readFigures } from "./upload-event.ts";

/** A folder of the archive. */
interface Folder {
  /** Resource attributes of its files: those around the archive, and those that its description states. */
  resource: Record<string, string>;
  /** A description was read. */
  isUpload: boolean;
  expected: Set<string>;
  found: Set<string>;
  facts: { endpoints: UploadFacts["endpoints"]; figures: UploadFacts["figures"] };
}

/** The folder of a file, with a slash at its end; "" without one. */
function pathOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

/** The files of an archive, some of which uploads describe. */
export class Bundle {
  /** Of the lists of libraries. */
  readonly libraries: CodeLibrary[] = [];
  private readonly around: Readonly<Record<string, string>>;
  private readonly problems: string[] = [];
  /** By the path before the name of a file. */
  private readonly folders = new Map<string, Folder>();

  constructor(around: Readonly<Record<string, string>>) {
    this.around = around;
  }

  /** The folder of an entry. Its resource has what the description states once that is read. */
  folderOf(name: string): Pick<Folder, "resource" | "isUpload"> {
    return this.folder(name);
  }

  /** Folders in that of an upload are of it, unless they have a description. */
  private folder(name: string): Folder {
    const path = pathOf(name);
    for (let outer = path; outer !== ""; ) {
      outer = pathOf(outer.slice(0, -1));
      const folder = this.folders.get(outer);
      if (folder?.isUpload === true && !this.folders.has(path) && !isEventName(name)) return folder;
    }
    const known = this.folders.get(path) ?? {
      resource: { ...this.around },
      isUpload: false,
      expected: new Set(),
      found: new Set(),
      facts: { endpoints: {}, figures: {} },
    };
    this.folders.set(path, known);
    return known;
  }

  /** Whether the entry states something about an upload, which is read then. */
  async take({ name, source }: { name: string; source: ByteSource }): Promise<boolean> {
    const folder = this.folder(name);
    folder.found.add(fileName(name));
    if (isLibraries(name)) {
      const { libraries, problem } = await readLibraries(source);
      this.libraries.push(...libraries);
      if (problem !== null) this.problems.push(problem);
      return true;
    }
    if (isFigures(name)) {
      const figures = await readFigures(source);
      if (figures !== null) folder.facts.figures = figures;
      return figures !== null;
    }
    const event = isEventName(name) ? await readEvent(source) : null;
    if (event === null) return false;
    for (const each of event.attachments) folder.expected.add(each);
    folder.isUpload = true;
    folder.facts.endpoints = event.endpoints;
    // Not assigned: a tag may be called __proto__.
    Object.defineProperties(folder.resource, Object.getOwnPropertyDescriptors(event.resource));
    return true;
  }

  /** What uploads in the archive `name` state, with the paths of their folders. */
  uploads(name: string): [facts: UploadFacts, path: string][] {
    const uploads = [...this.folders].filter(([, { isUpload }]) => isUpload);
    return uploads.map(([path, { facts }]) => [facts, `${name}/${path}`.slice(0, -1)]);
  }

  /** Once all entries were taken. */
  findings(): BundleFinding[] {
    const missing = [...this.folders.values()].flatMap(({ expected, found }) =>
      [...expected].filter((name) => !found.has(fileName(name))),
    );
    return [...missing.map(missingFinding), ...this.problems.map(libraryFinding)];
  }
}
