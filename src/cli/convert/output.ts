/**
 * Output files of messages: a file, or standard output; framed as the Collector's file exporter does, and compressed.
 */
import type { OutputFormat } from "../../core/types.ts";
import { formatBytes } from "../../model/words/format.ts";
import { Gzip } from "../../node/gzip.ts";
import type { Target } from "../../node/replacement.ts";
import { progress } from "../../node/terminal.ts";
import { writeAll } from "../../node/write-all.ts";

export interface OutputOptions {
  gzip: boolean;
  /** Favours speed: a message with repeated stacks packs well at any level, and slowly. */
  quick?: boolean;
  /** Messages in a row: JSON a line each, protobuf after its length in 4 bytes, big-endian. */
  framed: boolean;
}

type Sink = (part: Uint8Array) => void;

/** One file, or standard output for `-`. */
export class Output {
  private readonly target: Target;
  private readonly gzip: Gzip | null = null;
  private readonly sink: Sink;
  private readonly framed: boolean;

  constructor(target: Target, { gzip, quick, framed }: OutputOptions) {
    this.target = target;
    this.framed = framed;
    let written = 0;
    const raw = (part: Uint8Array) => {
      // The line would be in the middle of an output to the same terminal.
      if (target.file === 1) progress.clear();
      writeAll(target.file, part, target.name);
      written += part.length;
      if (target.file !== 1) progress.show(() => `writing ${target.name}: ${formatBytes(written)}`);
    };
    this.sink = raw;
    if (!gzip) return;
    const packer = new Gzip(quick ? 1 : 6, raw);
    this.gzip = packer;
    this.sink = (part) => packer.push(part);
  }

  /** A message of `size` bytes that is written in parts by `write`. */
  message<T>(format: OutputFormat, size: () => number, write: (sink: Sink) => T): T {
    if (!this.framed) return write(this.sink);
    if (format === "otlp-json") {
      const written = write(this.sink);
      this.sink(Uint8Array.of(0x0a));
      return written;
    }
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, size());
    this.sink(new Uint8Array(length.buffer));
    return write(this.sink);
  }

  /** Outputs that are not messages: a page, a picture. */
  text(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.sink(bytes);
    return bytes.length;
  }

  close(): void {
    this.gzip?.end();
    this.target.close();
  }
}
