/**
 * Web server of the example: its files, the files of the package below `/spanflame/`, and a recording. The headers
 * have a strict policy: no inline scripts, no inline styles, no other origins.
 *
 *   node examples/embedding/serve.mjs [RECORDING] [PORT]
 */
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
].join("; ");
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
};

const here = fileURLToPath(new URL(".", import.meta.url));
const packed = fileURLToPath(new URL(".", import.meta.resolve("spanflame/viewer/element")));

/** Starts the server; port 0 takes a free one. `site` is the folder of the page. */
export function serve({ recording, port = 0, site = here }) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const path = fileOf(decodeURIComponent(pathname), recording, site);
    if (path === null) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(path)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-security-policy": POLICY });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(port, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${server.address().port}/`;
      resolve({ url, close: () => new Promise((done) => server.close(done)) });
    });
  });
}

function fileOf(pathname, recording, site) {
  if (pathname === "/recording.jfr") return recording;
  const [folder, rest] = pathname.startsWith("/spanflame/") ? [packed, pathname.slice(11)] : [site, pathname.slice(1)];
  const path = normalize(join(folder, rest === "" ? "index.html" : rest));
  const isInside = path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  return isInside && statSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sample = fileURLToPath(new URL("../dist/sample.jfr.gz", import.meta.resolve("spanflame/viewer/element")));
  const [recording = sample, port = "8080"] = process.argv.slice(2);
  const { url } = await serve({ recording, port: Number(port) });
  console.log(url);
}
