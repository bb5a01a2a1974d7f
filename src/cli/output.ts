/** Where messages go: a file, or standard output; framed as the Collector's file exporter does, packed with gzip. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { OutputFormat } from "../core/types.ts";
import { Gzip } from "./gzip.ts";

export interface OutputOptions {
  gzip: boolean;
  /** Pack for speed: what repeats its stacks packs well anyhow, and slowly. */
  quick?: boolean;
  /** Messages in a row: JSON a line each, protobuf behind its length in 4 bytes, big-endian. */
  framed: boolean;
}

type Sink = (part: Uint8Array) => void;

/** One file, or standard output for `-`. */
export class Output {
  private readonly file: number | null;
  private readonly gzip: Gzip | null = null;
  private readonly sink: Sink;
  private readonly framed: boolean;

  /** Throws what the operating system says. */
  constructor(path: string, { gzip, quick, framed }: OutputOptions) {
    this.file = path === "-" ? null : openSync(path, "w");
    this.framed = framed;
    const raw = (part: Uint8Array) => this.writeRaw(part);
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

  /** What is no message: a page, a picture. */
  text(text: string): number {
    const bytes = new TextEncoder().encode(text);
    this.sink(bytes);
    return bytes.length;
  }

  close(): void {
    this.gzip?.end();
    if (this.file !== null) closeSync(this.file);
  }

  private writeRaw(part: Uint8Array): void {
    // Standard output takes its time: it needs a copy.
    if (this.file === null) process.stdout.write(part.slice());
    else for (let at = 0; at < part.length; ) at += writeSync(this.file, part, at);
  }
}

/** Path of message `i` where each gets a file: `shop.pb`, `shop.2.pb`, `shop.3.pb`. */
export function numbered(path: string, i: number): string {
  if (i === 0) return path;
  const dot = /(\.[^./\\]+){1,2}$/.exec(path)?.index ?? path.length;
  return `${path.slice(0, dot)}.${i + 1}${path.slice(dot)}`;
}
