/**
 * The files that arrived, on the disk: in a folder of this process, or with --keep in the user's. Names are made here,
 * never by senders. The oldest files are removed when there are too many, or too many bytes; in a kept folder also
 * those of earlier runs, and those that are too old.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Folder } from "../../node/disk.ts";
import { Offers } from "../serve/offers.ts";
import type { OfferedFile } from "../serve/server.ts";

const MOST_BYTES = 2 ** 30;
const MOST_FILES = 2000;
const MOST_AGE_MS = 7 * 86_400_000;
const OWNER_ONLY = 0o600;
const NAME = /^\d{8}T\d{9}-\d+-[a-z-]+\.[a-z]+$/;

/** A file to keep. Kind and ending are words of this program. */
export interface Received {
  bytes: Uint8Array;
  kind: string;
  ending: string;
}

interface Kept {
  name: string;
  bytes: number;
  time: number;
}

export class Arrivals {
  /** Those of this run. */
  readonly offers = new Offers();
  private readonly folder: Folder;
  private readonly isKept: boolean;
  private readonly now: () => number;
  private kept: Kept[];
  private count = 0;

  /** `keep`: the user's folder, which is made if it is missing. */
  constructor(keep: string | undefined, now: () => number = Date.now) {
    this.isKept = keep !== undefined;
    this.now = now;
    this.folder = keep === undefined ? Folder.temporary("spanflame-receive-") : new Folder(keep);
    if (this.isKept) this.folder.make();
    this.kept = this.isKept ? this.earlier() : [];
    this.removeOld();
  }

  /** Files of earlier runs, the oldest first. */
  private earlier(): Kept[] {
    const names = readdirSync(this.folder.path)
      .sort()
      .filter((name) => NAME.test(name));
    return names.flatMap((name) => {
      const stats = lstatSync(join(this.folder.path, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ name, bytes: stats.size, time: stats.mtimeMs }] : [];
    });
  }

  /** Keeps a file. */
  add({ bytes, kind, ending }: Received): OfferedFile {
    const time = this.now();
    const stamp = new Date(time).toISOString().replace(/[-:.Z]/g, "");
    const name = `${stamp}-${++this.count}-${kind}.${ending}`;
    this.folder.write(name, bytes, OWNER_ONLY);
    this.kept.push({ name, bytes: bytes.length, time });
    const file: OfferedFile = { name, path: join(this.folder.path, name) };
    // First, because the latest file may be removed at once.
    this.offers.add(file);
    this.removeOld();
    return file;
  }

  private removeOld(): void {
    let bytes = this.kept.reduce((sum, each) => sum + each.bytes, 0);
    const oldest = this.isKept ? this.now() - MOST_AGE_MS : 0;
    while (this.kept.length > MOST_FILES || bytes > MOST_BYTES || (this.kept[0]?.time ?? oldest) < oldest) {
      const [first] = this.kept.splice(0, 1);
      if (first === undefined) return;
      bytes -= first.bytes;
      this.folder.remove(first.name);
      const file = this.offers.list().find(({ name }) => name === first.name);
      if (file !== undefined) file.isRemoved = true;
    }
  }

  /** Removes the folder of this process. */
  end(): void {
    if (!this.isKept) this.folder.removeAll();
  }
}
