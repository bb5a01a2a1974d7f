/** The attachments of an upload in an archive, with the description that is among them (upload-event.ts). */

import type { ByteSource } from "../bytes/byte-source.ts";
import type { CodeLibrary } from "../core/answers/library-paths.ts";
import { fileName, isEventName } from "../core/inputs/paths.ts";
import { isLibraries, readLibraries } from "./code-provenance.ts";
import { type BundleFinding, libraryFinding, missingFinding, readEvent } from "./upload-event.ts";

/** The files of an archive, some of which an upload describes. */
export class Bundle {
  /** Those of the files around the archive, and those that the description states once it is read. */
  readonly resource: Record<string, string>;
  /** A description was read. */
  isUpload = false;
  /** Of the list of libraries. */
  readonly libraries: CodeLibrary[] = [];
  private readonly problems: string[] = [];
  private readonly expected = new Set<string>();
  private readonly found = new Set<string>();

  constructor(around: Readonly<Record<string, string>>) {
    this.resource = { ...around };
  }

  /** Whether the entry is a description or the list of libraries, which are read then. */
  async take({ name, source }: { name: string; source: ByteSource }): Promise<boolean> {
    this.found.add(fileName(name));
    if (isLibraries(name)) {
      const { libraries, problem } = await readLibraries(source);
      this.libraries.push(...libraries);
      if (problem !== null) this.problems.push(problem);
      return true;
    }
    const event = isEventName(name) ? await readEvent(source) : null;
    if (event === null) return false;
    for (const each of event.attachments) this.expected.add(each);
    this.isUpload = true;
    Object.assign(this.resource, event.resource);
    return true;
  }

  /** Once all entries were taken. */
  findings(): BundleFinding[] {
    const missing = [...this.expected].filter((name) => !this.found.has(fileName(name)));
    const findings = missing.map(missingFinding);
    findings.push(...this.problems.map(libraryFinding));
    return findings;
  }
}
