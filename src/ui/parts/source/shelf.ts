/** Source files that the user has dropped, by their paths. Their text is read when a frame is shown in it. */
import { findSource } from "../../../model/flame/source-files.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { InputFile } from "../../../worker/api.ts";
import { showToast } from "../../primitives/toast/toasts.ts";

export interface SourceFile {
  path: string;
  blob: Blob;
}

/** Files of a window opened for a folder of a whole company: the others are named in the message. */
const MOST_FILES = 20_000;
/** A longer file was written by a program. */
export const MOST_BYTES = 2 ** 22;

export class SourceShelf {
  private files: readonly SourceFile[] = [];

  get count(): number {
    return this.files.length;
  }

  /** A file of the same path replaces the former one. */
  add(added: readonly InputFile[]): void {
    const byPath = new Map(this.files.map((file) => [file.path, file]));
    let left = 0;
    for (const { name, blob } of added) {
      if (byPath.size < MOST_FILES || byPath.has(name)) byPath.set(name, { path: name, blob });
      else left++;
    }
    this.files = [...byPath.values()];
    const words = `${formatCounted(added.length - left, "source file")} read: O on a frame shows its source.`;
    showToast({
      tone: left === 0 ? "success" : "info",
      text: left === 0 ? words : `${words} ${formatCount(left)} above ${formatCount(MOST_FILES)} were left out.`,
    });
  }

  /** Files in which a function of this path may be, the best ones. */
  find(path: string): { files: SourceFile[]; byName: boolean } {
    const paths = this.files.map((file) => file.path);
    const { files, byName } = findSource(paths, path);
    return { files: files.map((i) => this.files[i]!), byName };
  }

  forget(): void {
    this.files = [];
  }
}

export const shelf = new SourceShelf();
