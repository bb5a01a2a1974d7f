/**
 * Dumps in an export zip. Its entries come in file order, and a run needs its dictionary first: the compressed files of
 * streams are kept until the archive ends.
 */
import { bytesSource, piecesOf } from "../bytes/byte-source.ts";
import { joined } from "../bytes/joined.ts";
import type { StreamSource } from "../bytes/stream-source.ts";
import type { Entry } from "../bytes/unpack.ts";
import type { Severity } from "../core/types.ts";
import { readRuns } from "./capture-file.ts";
import { type DumpFile, runsOf } from "./dump/runs.ts";
import type { Reading } from "./reading.ts";

const PIECE = 1 << 20;

/** Files of an archive that may be parts of a dump. */
export class ZipDump {
  private readonly files: DumpFile[] = [];
  private readonly faults: { path: string; text: string; offset: number }[] = [];

  /** Keeps an entry. Names of archives made on Windows have backslashes. */
  async take(entry: Entry): Promise<void> {
    const bytes = await allOf(entry.source);
    const path = entry.name.replaceAll("\\", "/");
    if (entry.source.fault !== null) this.faults.push({ path, text: entry.source.fault, offset: bytes.length });
    this.files.push({ path, open: () => bytesSource(bytes) });
  }

  /** Reads the runs of the archive. `reason`: why it is cut, if it is. False if the reading was ended. */
  async read(reading: Reading, name: string, layer: number, reason: string | undefined): Promise<boolean> {
    const { runs, rest } = runsOf(this.files, "zip");
    const { going } = await readRuns(reading, runs, name, 0);
    const note = (code: string, severity: Severity, message: string, file: string, offset: number) =>
      reading.core.note({ code, severity, message, file, chunk: null, offset, stream: "" });
    for (const { path, text, offset } of this.faults) {
      note("cdt.zip.damaged", "error", `the entry cannot be decompressed as a whole: ${text}`, path, offset);
    }
    if (reason !== undefined) {
      note("cdt.zip.truncated", "warning", `${reason}; the entries before that were read`, name, 0);
    }
    for (const { path, open } of runs.length > 0 ? [] : rest) {
      if (!(await reading.read(`${name}/${path}`, open(), layer + 1))) return false;
    }
    return going;
  }
}

async function allOf(source: StreamSource): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of piecesOf(source, PIECE)) pieces.push(piece);
  return joined(pieces);
}
