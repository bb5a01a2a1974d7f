/** For scripts whose core only reads and answers: they have no code that writes messages. */
import { fileURLToPath } from "node:url";
import { normalizePath, type Plugin } from "vite";

const WRITING = normalizePath(fileURLToPath(new URL("../src/core/writing/message-writing.ts", import.meta.url)));

export function readsOnly(): Plugin {
  return {
    name: "spanflame:reads-only",
    enforce: "pre",
    load: (id) => (normalizePath(id) === WRITING ? "export class MessageWriting {}" : null),
  };
}
