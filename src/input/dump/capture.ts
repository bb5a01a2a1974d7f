/**
 * TCP captures between an agent of CDT and its collector, request and response bytes one after the other.
 *
 *   0x14  long version · field pod · field service · field namespace · [reply] long version        a run begins
 *   0x15  field stream · i32 sequence · i32 reset · [reply] 16 bytes handle · long · long · i32 sequence
 *   0x01  field namespace · field service · field pod, then as 0x15                                older agents
 *   0x02  16 bytes handle · field data                              bytes of the stream of this handle
 *   0x08  [reply] long version    0x13  16 bytes handle · byte      0x11, 0x00, 0x04  nothing
 *   field u32 length, at most 1024 · bytes                          integers are big endian
 *
 * The number of a file is the sequence number of the reply + 1.
 */

import { type ByteSource, bytesSource } from "../../bytes/byte-source.ts";
import { hexOf } from "../../bytes/hex.ts";
import { joined } from "../../bytes/joined.ts";
import { Window } from "../../bytes/window.ts";
import { STREAMS } from "../../core/tables/dump-streams.ts";
import type { RunFiles } from "./runs.ts";

const MOST_FIELD = 1024;
const HANDLE = 16;
const LONG = 8;
const INT = 4;

/** Why the reading of a capture ended before its end, and where. */
export interface CaptureFault {
  code: "cdt.capture.truncated" | "cdt.capture.unknown";
  text: string;
  offset: number;
}

interface Part {
  run: RunFiles;
  stream: number | undefined;
  index: number;
  pieces: Uint8Array[];
}

/** The runs of a capture. Their streams are in memory: a capture has some minutes of one process. */
export async function readCapture(
  source: ByteSource,
  path: string,
): Promise<{ runs: RunFiles[]; fault: CaptureFault | null }> {
  const reader = new CaptureReader(new Window(source));
  const fault = await reader.readAll();
  for (const { run, stream, index, pieces } of reader.parts) {
    if (stream === undefined) continue;
    const same = run.files.find((file) => file.stream === stream && file.index === index);
    const bytes = joined(pieces);
    if (same === undefined) run.files.push({ path, stream, index, open: () => bytesSource(bytes) });
    else {
      const before = same.open;
      const all = joined([await before().slice(0, before().byteLength), bytes]);
      same.open = () => bytesSource(all);
    }
  }
  for (const run of reader.runs) {
    run.files.sort((a, b) => a.stream - b.stream || a.index - b.index);
    if (fault !== null) run.isCut = true;
  }
  return { runs: reader.runs, fault };
}

class Torn extends Error {}
class Unknown extends Error {}

class CaptureReader {
  readonly runs: RunFiles[] = [];
  readonly parts: Part[] = [];
  private readonly handles = new Map<string, Part>();
  private readonly window: Window;

  constructor(window: Window) {
    this.window = window;
  }

  async readAll(): Promise<CaptureFault | null> {
    while (await this.window.wait(1)) {
      const offset = this.window.offset();
      try {
        await this.readCommand();
      } catch (error) {
        if (error instanceof Torn) return { code: "cdt.capture.truncated", text: "ends within a command", offset };
        if (error instanceof Unknown) return { code: "cdt.capture.unknown", text: error.message, offset };
        throw error;
      }
    }
    return null;
  }

  private async readCommand(): Promise<void> {
    const command = (await this.take(1))[0] ?? 0;
    switch (command) {
      case 0x14:
        await this.take(LONG);
        this.begin(await this.text(), await this.text(), await this.text());
        await this.take(LONG);
        return;
      case 0x15:
        return this.openStream();
      case 0x01: {
        const [namespace, service, pod] = [await this.text(), await this.text(), await this.text()];
        if (this.runs.at(-1)?.label !== pod) this.begin(pod, service, namespace);
        return this.openStream();
      }
      case 0x02: {
        const part = this.handles.get(hexOf(await this.take(HANDLE)));
        const data = await this.field();
        if (part === undefined) throw new Unknown("data for a stream that was not opened");
        part.pieces.push(data);
        return;
      }
      case 0x08:
        await this.take(LONG);
        return;
      case 0x13:
        await this.take(HANDLE + 1);
        return;
      case 0x11:
      case 0x00:
      case 0x04:
        return;
      default:
        throw new Unknown(`unknown command 0x${command.toString(16)}`);
    }
  }

  private begin(label: string, service: string, namespace: string): void {
    const pod = label.replace(/_\d+$/, "");
    this.runs.push({ label, container: "capture", server: "", service, namespace, pod, files: [] });
  }

  private async openStream(): Promise<void> {
    const name = await this.text();
    await this.take(2 * INT);
    const handle = hexOf(await this.take(HANDLE));
    await this.take(2 * LONG);
    const reply = await this.take(INT);
    const index = new DataView(reply.buffer, reply.byteOffset, INT).getInt32(0) + 1;
    const run = this.runs.at(-1);
    if (run === undefined) throw new Unknown("a stream before any handshake");
    const part = { run, stream: name === "traces" ? STREAMS.get("trace") : STREAMS.get(name), index, pieces: [] };
    this.parts.push(part);
    this.handles.set(handle, part);
  }

  private async text(): Promise<string> {
    return new TextDecoder().decode(await this.field());
  }

  private async field(): Promise<Uint8Array> {
    const head = await this.take(INT);
    const length = new DataView(head.buffer, head.byteOffset, INT).getUint32(0);
    if (length > MOST_FIELD) throw new Unknown(`a field of ${length} bytes`);
    return this.take(length);
  }

  /** A copy of the next bytes. */
  private async take(n: number): Promise<Uint8Array> {
    if (!(await this.window.wait(n))) throw new Torn();
    const bytes = this.window.rest().slice(0, n);
    this.window.pass(n);
    return bytes;
  }
}
