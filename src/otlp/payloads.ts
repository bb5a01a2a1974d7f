/**
 * Payloads of an OTLP profiles message that are recordings. A Profile may carry the file it was made from:
 * `original_payload_format` is its format ("jfr", "pprof", "linux_perf", in upper or lower case), `original_payload`
 * holds its bytes. The walks over both encodings of OTLP keep their state of the current Profile here.
 */

import type { MessageLimit } from "../bytes/expansion.ts";
import type { StreamSource } from "../bytes/stream-source.ts";

/** A payload that is to be read before the next one is requested. */
export interface Payload {
  /** How many payloads, of any format, are before it in the file. */
  index: number;
  source: StreamSource;
}

/** Bytes of a format's name that are kept; the known ones have ten at most. */
export const FORMAT_BYTES = 40;
/** Formats and faults of a file that are named; a file may have millions of either. */
const NAMED = 10;

export class Payloads {
  /** Profiles so far. */
  profiles = 0;
  /** Payloads that were given out as recordings. */
  recordings = 0;
  /** Some profile has samples. */
  samples = false;
  /** Payloads of any format. */
  private count = 0;
  /** Declared formats of the other payloads. */
  private readonly others = new Set<string>();
  private faults = 0;
  private format = "";
  /** For a payload that precedes its format and does not start like a recording. */
  private unread: { offset: number; start: string } | null = null;
  private readonly note: (message: string, offset: number | null) => void;
  private readonly mayBeRecording: (head: Uint8Array) => boolean;
  readonly mayHave: MessageLimit;

  /**
   * `note` gets each problem of the file and its byte offset. `mayBeRecording` decides by the first bytes of a payload
   * that precedes its format.
   */
  constructor(
    note: (message: string, offset: number | null) => void,
    mayBeRecording: (head: Uint8Array) => boolean,
    mayHave: MessageLimit = () => true,
  ) {
    this.note = note;
    this.mayHave = mayHave;
    this.mayBeRecording = mayBeRecording;
  }

  beginProfile(): void {
    this.profiles++;
    this.format = "";
    this.unread = null;
  }

  setFormat(format: string): void {
    this.format = format;
  }

  /**
   * The payload that starts at byte `offset` of the file if it is to be read; otherwise null. A payload declared as
   * "jfr" is read whatever its first bytes are, because it may be compressed. If the format follows later (any order of
   * fields is valid), the payload's first bytes decide: a recording, or a compressed file.
   */
  async begin(source: StreamSource, offset: number): Promise<Payload | null> {
    const index = this.count++;
    if (this.format !== "") {
      if (this.format.toLowerCase() !== "jfr") return null;
    } else {
      const head = await source.slice(0, 64);
      if (!this.mayBeRecording(head)) {
        const start = [...head.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
        this.unread = { offset, start };
        return null;
      }
    }
    this.recordings++;
    return { index, source };
  }

  endProfile(): void {
    const { format, unread } = this;
    if (unread !== null && unread.start !== "" && format.toLowerCase() === "jfr") {
      const { offset, start } = unread;
      const said = `original_payload starts with ${start}, and its format ${format} follows only after it`;
      this.fault(`${said}; it was not read`, offset);
    } else if (format !== "" && this.others.size < NAMED) {
      this.others.add(format);
    }
    this.unread = null;
    this.format = "";
  }

  fault(message: string, offset: number): void {
    if (++this.faults <= NAMED) this.note(`otlp: ${message} (offset ${offset})`, offset);
  }

  /** To be called at the end of the file. */
  end(): void {
    this.endProfile();
    if (this.faults > NAMED) this.note(`otlp: ${this.faults - NAMED} more faults like these`, null);
  }

  /** For a file with recordings: reports that its samples were not read. */
  samplesLeft() {
    const message = `otlp: the ${this.recordings === 1 ? "recording" : "recordings"} in original_payload replace the samples made from them, which were not read`;
    return { code: "otlp.samples-left", severity: "info" as const, message };
  }

  /** For a file without samples and without a recording: reports its other content. */
  summary(): string {
    const formats = [...this.others].map((format) => JSON.stringify(format)).join(", ");
    const instead = formats === "" ? "" : `, original_payload_format is ${formats}`;
    const profiles = `${this.profiles} ${this.profiles === 1 ? "profile" : "profiles"}`;
    return `otlp: ${profiles}, none with samples or with a JFR recording in its original_payload${instead} (offset 0)`;
  }
}
