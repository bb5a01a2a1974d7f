/** A web server for a built example, with a policy as strict as a page of it can have. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

/** Compiling WebAssembly needs its word; the links of the example are of `blob:`. */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' blob:";

/** `index.html` of the folder is at `address`. */
export async function serveFolder(folder: string): Promise<{ address: string; close: () => Promise<void> }> {
  const server = createServer(async ({ url = "/" }, response) => {
    const path = normalize(new URL(url, "http://localhost").pathname);
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const bytes = await readFile(file);
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": `${POLICY}; worker-src 'self'` });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { address: `http://127.0.0.1:${port}/`, close };
}
