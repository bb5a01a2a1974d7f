/** Writer of multipart forms, as a browser or a profiler posts files. Names must be without quotes and line breaks. */
import { joined } from "./joined.ts";

interface FormPart {
  name: string;
  file: string;
  type: string;
  bytes: Uint8Array;
}

const ENCODER = new TextEncoder();

export function multipartForm(parts: readonly FormPart[]): { body: Uint8Array; contentType: `multipart/${string}` } {
  const boundary = crypto.randomUUID();
  const pieces = parts.flatMap(({ name, file, type, bytes }) => {
    const disposition = `form-data; name="${name}"; filename="${file}"`;
    const head = `--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
    return [ENCODER.encode(head), bytes, ENCODER.encode("\r\n")];
  });
  const body = joined([...pieces, ENCODER.encode(`--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
