/** A recording that is read while it is fetched: reading waits for bytes that have not come. */
import { StreamSource } from "../bytes/stream-source.ts";
import type { Core } from "../core/core.ts";
import { type FileKind, fileKind, type Opened, opened } from "../input/classify.ts";
import type { ReadHooks } from "../input/open.ts";
import type { Arrived, Coming, InputFile } from "./api/api.ts";
import type { PageSource } from "./file-source.ts";

const STEP = 1 << 20;

/** A file that is to be read. */
export interface TakenFile {
  source: PageSource;
  /** As in `Input`. */
  stated?: number | undefined;
  /** The file is still being fetched. */
  coming?: ComingFile;
  kind: FileKind;
  /** Undefined for a file that is opened again. */
  opened: Opened | undefined;
}

/** `stopped`: the file ends with what has come by then. */
export async function takeComing(file: InputFile, coming: Coming, stopped: Promise<void>): Promise<TakenFile> {
  const taken = new ComingFile(file, coming, stopped);
  const there = await opened(taken.source);
  const { source } = taken;
  const stated = source.ahead === undefined ? undefined : (coming.bytes ?? 0);
  return { source, stated, opened: there, kind: fileKind(there), coming: taken };
}

export class ComingFile {
  /** A stream where the size is not sure. */
  readonly source: PageSource;
  /** Told of the bytes that have come while the reader waits for more. */
  private onWait: (bytes: number) => void = () => {};
  private blob = new Blob();
  /** As in `Arrived`. */
  private end: Arrived["end"];
  /** Settles with the next bytes, or their end. */
  private more!: Promise<void>;
  private wake!: () => void;

  constructor(file: InputFile, { port, bytes, isSure }: Coming, stopped: Promise<void>) {
    this.renew();
    this.source = isSure && bytes !== null ? this.sized(bytes) : new StreamSource(this.parts());
    if (port !== null) {
      port.onmessage = ({ data }: MessageEvent<Arrived>) => {
        this.take(data);
        if (data.end !== null) return;
        file.blob = data.blob;
        delete file.coming;
      };
    }
    void stopped.then(() => this.take({ blob: this.blob, end: null }));
  }

  /** Reports how much has come of all files. Where nothing is shown of a part, waits for all of it. */
  async begin(
    core: Pick<Core, "samples">,
    inputs: readonly Pick<TakenFile, "source" | "stated" | "coming">[],
    { onProgress }: ReadHooks,
    canGrow: boolean,
  ): Promise<void> {
    const sizes = inputs.map(({ source, stated }) => stated ?? source.byteLength);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    let before = 0;
    for (const [i, { coming }] of inputs.entries()) {
      const start = before;
      before += sizes[i] ?? 0;
      if (coming === undefined) continue;
      coming.onWait = (more) => {
        const bytes = start + more;
        onProgress?.({ bytes, total: bytes > total ? 0 : total, samples: core.samples() });
      };
      if (!canGrow) await coming.upTo(Number.POSITIVE_INFINITY);
    }
  }

  private take({ blob, end }: Arrived): void {
    if (this.end !== undefined) return;
    this.blob = blob;
    this.end = end;
    const { wake } = this;
    this.renew();
    wake();
  }

  private renew(): void {
    this.more = new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  private async upTo(bytes: number): Promise<void> {
    while (this.blob.size < bytes && this.end === undefined) {
      this.onWait(this.blob.size);
      await this.more;
    }
  }

  private async slice(start: number, end: number): Promise<Uint8Array> {
    await this.upTo(end);
    if (start >= this.blob.size && typeof this.end === "string") throw new Error(this.end);
    return new Uint8Array(await this.blob.slice(start, end).arrayBuffer());
  }

  private sized(bytes: number): PageSource {
    const length = () => (this.end === null ? this.blob.size : bytes);
    return {
      fault: null,
      get byteLength() {
        return length();
      },
      slice: (start, end) => this.slice(start, end),
    };
  }

  private async *parts(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ; ) {
      await this.upTo(at + 1);
      const part = await this.slice(at, Math.max(at + 1, Math.min(at + STEP, this.blob.size)));
      if (part.length === 0) return;
      at += part.length;
      yield part;
    }
  }
}
