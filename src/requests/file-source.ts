/** Files of the page as sources of bytes. */
import { type ByteSource, blobSource } from "../bytes/byte-source.ts";

export interface PageSource extends ByteSource {
  fault: string | null;
}

/**
 * A file of the page. Browsers refuse to read a file that changed or vanished after the user chose it; the refusal is
 * kept in `fault`, since readers turn it into a diagnostic.
 */
export class FileSource implements PageSource {
  readonly byteLength: number;
  fault: string | null = null;
  private readonly source: ByteSource;

  constructor(blob: Blob) {
    this.source = blobSource(blob);
    this.byteLength = this.source.byteLength;
  }

  async slice(start: number, end: number): Promise<Uint8Array> {
    try {
      return await this.source.slice(start, end);
    } catch (error) {
      this.fault ??= faultWords(error);
      throw new Error(this.fault);
    }
  }
}

function faultWords(error: unknown): string {
  const { name, message } = error instanceof Error ? error : { name: "", message: String(error) };
  if (name !== "NotReadableError" && name !== "NotFoundError") return message;
  return "the file changed or was removed after it was chosen, or the browser may not read it; choose it again";
}
