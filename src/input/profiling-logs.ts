/**
 * Reads OTLP logs whose records are pprof profiles (src/otlp/logs.ts). The records of a resource are the messages of
 * one file, because a pprof profile does not state its process.
 */
import { Base64 } from "../bytes/base64.ts";
import { available, type ByteSource, bytesSource, fill } from "../bytes/byte-source.ts";
import type { Expansion } from "../bytes/expansion.ts";
import { DELIMITED, FIXED_BYTES, VARINT } from "../bytes/protobuf.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Message } from "../otlp/framed-messages.ts";
import type { LoggedProfile, ResourceLogs } from "../otlp/logs.ts";
import { jsonLogs } from "../otlp/logs-json.ts";
import { protobufLogs } from "../otlp/logs-protobuf.ts";
import type { LogsForm } from "../otlp/sniff-logs.ts";
import { completed } from "./logged-pprof.ts";
import { readMessages } from "./read-messages.ts";
import type { KnownFile, Reading } from "./reading.ts";

/** Profiles that wait for others of their resource, in bytes of their records. */
const MOST_WAITING = 1 << 26;
/** The largest profile that is read. Agents send some kilobytes every few seconds. */
const LARGEST_PROFILE = 1 << 26;
/** What all profiles of a small file may unpack to. A profile of two-byte fields takes some seconds for as much. */
const FREE_UNPACKED = 2 ** 28;
/** Formats of other records that a message names. */
const NAMED = 5;

interface Group {
  resource: Record<string, string>;
  profiles: (LoggedProfile & { index: number })[];
  bytes: number;
}

export async function readLogs(reading: Reading, file: KnownFile, form: LogsForm): Promise<boolean> {
  return new LogsReading(reading, file).read(form);
}

class LogsReading {
  private readonly reading: Reading;
  private readonly file: KnownFile;
  private readonly source: ByteSource;
  private readonly expansion: Expansion;
  private groups = new Map<string, Group>();
  private waiting = 0;
  /** Groups that were read. */
  private groupsRead = 0;
  private records = 0;
  private others = 0;
  /** The profiles have unpacked to all that an input may unpack to. */
  private isExcess = false;
  private readonly formats = new Set<string>();

  constructor(reading: Reading, file: KnownFile) {
    this.reading = reading;
    this.file = file;
    this.source = reading.counted(file.source, file.layer);
    this.expansion = reading.expansion.within(FREE_UNPACKED);
  }

  async read(form: LogsForm): Promise<boolean> {
    const { reading, source, file } = this;
    const faults: [string, number][] = [];
    const note = ({ message, encoding, offset }: { message: string; encoding: string; offset: number }) => {
      faults.push([`logs: ${encoding}: ${message}; the records before that were read`, offset]);
    };
    let going = true;
    const mayHave = reading.expansion.messageLimit();
    let count = 0;
    for await (const logs of form === "json" ? jsonLogs(source, note) : protobufLogs(source, form, note)) {
      if (!mayHave(count++)) {
        const fact = "logs: there are more messages than the file's bytes allow; the others were not read";
        reading.note(file.name, "source.excess", fact, 0);
        break;
      }
      this.take(logs);
      if (this.waiting > MOST_WAITING) going = await this.flush();
      if (!going) return false;
    }
    going = await this.flush();
    if (this.groupsRead === 0 && file.layer === 0) reading.core.beginFile(file.name, source.byteLength, "pprof");
    for (const [message, offset] of faults) reading.note(file.name, "logs.damaged", message, offset);
    this.report();
    return going;
  }

  private take({ resource, profiles, others, formats }: ResourceLogs): void {
    this.others += others;
    for (const format of formats) if (this.formats.size < NAMED) this.formats.add(format);
    if (profiles.length === 0) return;
    const key = JSON.stringify(Object.entries(resource).sort(([a], [b]) => (a < b ? -1 : 1)));
    const group = this.groups.get(key) ?? { resource, profiles: [], bytes: 0 };
    this.groups.set(key, group);
    for (const profile of profiles) {
      group.profiles.push({ ...profile, index: this.records++ });
      group.bytes += profile.body.length;
      this.waiting += profile.body.length;
    }
  }

  /** Reads the profiles that wait. False if cancelled, or if the core is full. */
  private async flush(): Promise<boolean> {
    const { reading, file } = this;
    const groups = [...this.groups.values()];
    this.groups = new Map();
    this.waiting = 0;
    const { around } = reading.core;
    for (const group of groups) {
      const isOnly = this.groupsRead === 0 && groups.length === 1;
      const name = isOnly ? file.name : `${file.name}/resource[${this.groupsRead}]`;
      this.groupsRead++;
      reading.core.around = { ...around, ...group.resource };
      try {
        const { readable, going } = await readMessages(reading.core, {
          name,
          format: "pprof",
          independent: true,
          messages: () => this.messages(name, group),
          bytes: () => group.bytes,
          breath: (offset) => reading.breathe(offset),
        });
        if (readable) reading.foundReadable();
        if (!going) return false;
      } finally {
        reading.core.around = around;
      }
    }
    return true;
  }

  private async *messages(name: string, { profiles }: Group): AsyncGenerator<Message> {
    for (const { type, body, index } of profiles) {
      if (this.isExcess) return;
      const { bytes, fault } = await this.pprofIn(name, body);
      if (fault !== null) this.reading.note(name, "logs.record", `logs: log record ${index}: ${fault}`);
      if (bytes.length === 0) continue;
      const pieces = completed(bytes, type);
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      yield {
        offset: 0,
        length,
        fill: async (target) => {
          let at = 0;
          for (const piece of pieces) {
            target.set(piece, at);
            at += piece.length;
          }
          return length;
        },
      };
    }
  }

  /** The profile in the body of a record, as far as it can be decoded. */
  private async pprofIn(name: string, body: Uint8Array): Promise<{ bytes: Uint8Array; fault: string | null }> {
    const base64 = new Base64();
    const decoded = base64.push(body).slice();
    base64.end();
    if (decoded[0] !== 0x1f || decoded[1] !== 0x8b) return { bytes: decoded, fault: base64.fault };
    const { unpacked } = await import("../bytes/unpack.ts");
    const stream = unpacked("gzip", bytesSource(decoded), this.expansion);
    const { bytes, fault } = await profileOf(stream);
    await stream.close();
    if (stream.isExcess) {
      this.isExcess = true;
      this.reading.noteFault(name, "gzip", stream);
      return { bytes: NOTHING, fault: null };
    }
    return { bytes, fault: base64.fault ?? fault };
  }

  /** Reports records that are no profiles. */
  private report(): void {
    const { reading, file, others, records } = this;
    if (records > 0 && this.formats.size === 0) return;
    const named = [...this.formats].map((format) => JSON.stringify(format)).join(", ");
    const stated = named === "" ? "" : `; profiling.data.format is ${named}, and pprof-gzip-base64 is read`;
    const message = `logs: ${others} log ${others === 1 ? "record is" : "records are"} not a pprof profile${stated}`;
    const severity = records === 0 && file.layer === 0 ? "error" : "warning";
    const code = records === 0 ? "logs.no-profile" : "logs.other-format";
    reading.core.note({ code, severity, message, file: file.name, chunk: null, offset: null });
  }
}

const NOTHING = new Uint8Array(0);

/** The unpacked profile. Of other bytes the first are enough to see it. */
async function profileOf(stream: StreamSource): Promise<{ bytes: Uint8Array; fault: string | null }> {
  const [tag] = await stream.slice(0, 1);
  if (tag !== undefined && !isTag(tag)) return { bytes: NOTHING, fault: "not a pprof profile; it was not read" };
  const length = await available(stream, 0, LARGEST_PROFILE + 1);
  if (length > LARGEST_PROFILE) {
    return { bytes: NOTHING, fault: `a profile of more than ${LARGEST_PROFILE} bytes, which was not read` };
  }
  const bytes = new Uint8Array(length);
  await fill(stream, 0, bytes);
  const { fault } = stream;
  return { bytes, fault: fault === null ? null : `gzip: ${fault}; the ${length} bytes before that were read` };
}

/** Whether a message may begin with the byte: a field number that is not 0, and a wire type. */
function isTag(byte: number): boolean {
  const wire = byte & 7;
  return byte >= 8 && (wire === VARINT || wire === DELIMITED || FIXED_BYTES[wire] !== undefined);
}
