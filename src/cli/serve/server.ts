/**
 * Local server of the viewer on a loopback port, with the recordings and symbols named on the command line. Other users
 * of the machine and pages in the same browser can reach the port, too. So the address contains an access token, and
 * the Host header must be loopback (otherwise a foreign name that resolves to 127.0.0.1 would make a foreign page
 * same-origin with the viewer).
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { createReadStream } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import { type ByteSource, piecesOf } from "../../bytes/byte-source.ts";
import type { UploadFacts } from "../../core/answers/uploads.ts";
import type { FolderUpload } from "../../node/inputs.ts";
import type { FileIds } from "../../symbols/build-id.ts";
import { SECURITY_HEADERS, securityHeaders } from "./security-headers.ts";

/** A recording to offer: the name the page shows and where it lies. */
export interface OfferedFile {
  name: string;
  path: string;
  upload?: FolderUpload;
  /** Its first bytes, of one that is still written. */
  bytes?: number;
  /** It was removed, and keeps its number. */
  isRemoved?: boolean;
}

/** A file of symbols to offer: the name the page shows, the build ids by which the page chooses it, and its bytes. */
export interface OfferedSymbols extends FileIds {
  name: string;
  bytes: number;
  open(): Promise<OpenedFile>;
}

interface OpenedFile {
  source: ByteSource;
  close(): Promise<void>;
}

/** One entry of `files.json`, a list; the recording itself is at files/ and its position. */
export interface ListedFile {
  name: string;
  bytes: number;
  upload?: ListedUpload;
  isRemoved?: true;
}

/** What the upload of a file states. Its list of libraries is at libraries/ and its number. */
export interface ListedUpload {
  number: number;
  resource: Record<string, string>;
  missing: string[];
  hasLibraries: boolean;
  facts: UploadFacts;
  start: string;
}

export interface ViewerOptions {
  /** Folder of the built page, with `index.html`. */
  siteDir: string;
  files: OfferedFile[];
  /** The files that are there when a page is loaded again. New ones are listed after the others. */
  list?: () => OfferedFile[];
  /** Listed in `symbols.json` without their bytes, which are at symbols/ and their position. */
  symbols?: OfferedSymbols[];
  /** 0, the default, takes a free one. */
  port?: number;
  /** Called when the page itself has been sent. */
  onPage?: () => void;
  /** Requests outside the page's path, which know no secret; false if they are none of its. */
  door?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  /** More files will be listed: settles when there are more than `count`, or after some time. */
  more?: (count: number, signal: AbortSignal) => Promise<void>;
  /** They will appear in a folder. */
  isFolder?: boolean;
}

export interface ServedViewer {
  /**
   * Ends with `?files` when there are recordings, `?live` when more will be listed, and has `symbols` when there are
   * files of symbols: without them the page requests no files.
   */
  url: string;
  close(): Promise<void>;
}

const LOOPBACK = "127.0.0.1";
const LOOPBACK_NAMES = [LOOPBACK, "localhost", "[::1]"];
const SECRET_BYTES = 16;
const BINARY = "application/octet-stream";
/** A page has six, and loads its parts by them. */
const MOST_CONNECTIONS = 256;
/** Until the last byte of a request. */
const LONGEST_REQUEST_MS = 60_000;
/** Keeps the page available offline. Not served here: the server is local, and its address differs next time. */
const SERVICE_WORKER = "service-worker.js";

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".map": "application/json; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".wasm": "application/wasm",
  }),
);

/** Bytes of a file of symbols that are read at a time. */
const PIECE = 1 << 20;

/** The body of an answer: bytes in memory, or a file to stream. */
type Answer = { type: string } & ({ body: Buffer } | { path: string; bytes: number } | OpenedFile);

/**
 * Serves the built page and the given recordings until `close`. Fails when the page is not built or the port is taken.
 */
export async function serveViewer(options: ViewerOptions): Promise<ServedViewer> {
  const siteDir = await builtSite(options.siteDir);
  const base = `/${randomBytes(SECRET_BYTES).toString("base64url")}/`;
  const { files, list = () => files, symbols = [], onPage, door, more } = options;
  const served = { siteDir, base, files, list, symbols, port: 0, onPage, door, more };
  const server = createServer({ requestTimeout: LONGEST_REQUEST_MS }, (request, response) => {
    answer(request, response, served).catch(() => {
      // The client left, or the file shrank while it was sent: a cut connection shows this, a short body would not.
      response.destroy();
    });
  });
  server.maxConnections = MOST_CONNECTIONS;
  await listen(server, options.port ?? 0);
  served.port = portOf(server);
  const url = `http://${LOOPBACK}:${served.port}${base}${queryOf(options)}`;
  return { url, close: () => close(server) };
}

function queryOf({ files, symbols = [], more, isFolder = false }: ViewerOptions): string {
  const list = more === undefined ? "files" : `live${isFolder ? "=folder" : ""}`;
  const names = [...(files.length > 0 || more !== undefined ? [list] : []), ...(symbols.length > 0 ? ["symbols"] : [])];
  return names.length > 0 ? `?${names.join("&")}` : "";
}

async function builtSite(siteDir: string): Promise<string> {
  const index = join(siteDir, "index.html");
  try {
    await access(index);
  } catch (cause) {
    throw new Error(`the viewer is not built: ${index} is missing`, { cause });
  }
  return realpath(siteDir);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const reason = "code" in cause && cause.code === "EADDRINUSE" ? "the port is in use" : cause.message;
      reject(new Error(`cannot listen on ${LOOPBACK}:${port}: ${reason}`, { cause }));
    });
    server.listen(port, LOOPBACK, resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
}

interface Served {
  siteDir: string;
  /** Path of the page: the secret between slashes. */
  base: string;
  files: OfferedFile[];
  list: () => OfferedFile[];
  symbols: OfferedSymbols[];
  port: number;
  onPage: ViewerOptions["onPage"];
  door: ViewerOptions["door"];
  more: ViewerOptions["more"];
}

async function answer(request: IncomingMessage, response: ServerResponse, served: Served): Promise<void> {
  setHeaders(response, SECURITY_HEADERS);
  if (!isLoopback(request.headers.host, served.port))
    return refuse(response, 403, "this server answers to its loopback address only");
  const path = pathBelow(served.base, request.url ?? "");
  if (path === null && (await served.door?.(request, response)) === true) return;
  if (path === null) return refuse(response, 404, "not found");
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return refuse(response, 405, "only GET and HEAD");
  }
  if (path === SERVICE_WORKER) return void response.writeHead(204).end();
  if (path === "files.json" && served.more !== undefined) await untilMore(request, response, served.more);
  const found = await find(path, served);
  if (found === null) return refuse(response, 404, "not found");
  setHeaders(response, securityHeaders(path));
  await send(response, found, request.method === "HEAD");
  if (path === "") served.onPage?.();
}

/** `files.json?after=N` is answered when there are more than N files. */
async function untilMore(
  request: IncomingMessage,
  response: ServerResponse,
  more: NonNullable<ViewerOptions["more"]>,
): Promise<void> {
  const [, after] = /[?&]after=(\d{1,9})$/.exec(request.url ?? "") ?? [];
  if (after === undefined) return;
  const left = new AbortController();
  response.once("close", () => left.abort());
  await more(Number(after), left.signal);
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function isLoopback(host: string | undefined, port: number): boolean {
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** The decoded path below the secret, null when the request does not know the secret or cannot be decoded. */
function pathBelow(base: string, url: string): string | null {
  const path = url.replace(/[?#].*$/s, "");
  if (!isEqual(path.slice(0, base.length), base)) return null;
  try {
    return decodeURIComponent(path.slice(base.length));
  } catch {
    return null;
  }
}

/** In a time that does not depend on the texts, only on their lengths. */
function isEqual(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

async function find(path: string, served: Served): Promise<Answer | null> {
  if (path === "files.json") {
    // Files keep their numbers, by which another page may be fetching; those that arrive have theirs.
    served.files = served.more === undefined ? numbered(served.files, served.list()) : served.list();
    return jsonAnswer(await listFiles(served.files));
  }
  if (path === "symbols.json") return jsonAnswer(served.symbols.map(({ open: _, ...listed }) => listed));
  const [, list, position] = /^(files|symbols|libraries)\/(0|[1-9]\d{0,8})$/.exec(path) ?? [];
  if (list === "files") {
    const file = served.files[Number(position)];
    return file && !file.isRemoved ? fileAnswer(file.path, BINARY, file.bytes) : null;
  }
  if (list === "symbols") {
    const opened = await served.symbols[Number(position)]?.open().catch(() => null);
    return opened ? { type: BINARY, source: opened.source, close: () => opened.close() } : null;
  }
  if (list === "libraries") {
    const libraries = uploadsOf(served.files)[Number(position)]?.libraries;
    return libraries === undefined ? null : fileAnswer(libraries, BINARY);
  }
  return findPageFile(path === "" ? "index.html" : path, served.siteDir);
}

function numbered(before: readonly OfferedFile[], found: readonly OfferedFile[]): OfferedFile[] {
  const now = new Map(found.map((file) => [file.path, file]));
  const known = before.map((file) => now.get(file.path) ?? file);
  for (const { path } of known) now.delete(path);
  return [...known, ...now.values()];
}

function jsonAnswer(value: unknown): Answer {
  return { type: CONTENT_TYPES.get(".json") ?? BINARY, body: Buffer.from(JSON.stringify(value)) };
}

/** Recordings that have gone since the start stay listed, with no bytes: the fetch then names the one that failed. */
function listFiles(files: OfferedFile[]): Promise<ListedFile[]> {
  const uploads = uploadsOf(files);
  return Promise.all(
    files.map(async ({ name, path, upload, isRemoved, bytes: most = Number.POSITIVE_INFINITY }) => {
      if (isRemoved) return { name, bytes: 0, isRemoved };
      const bytes = await stat(path).then(
        (s) => Math.min(s.size, most),
        () => 0,
      );
      if (upload === undefined) return { name, bytes };
      const { resource, missing, libraries, facts, start } = upload;
      const hasLibraries = libraries !== undefined;
      return {
        name,
        bytes,
        upload: { number: uploads.indexOf(upload), resource, missing, hasLibraries, facts, start },
      };
    }),
  );
}

/** Each once, in the order of the files. */
function uploadsOf(files: readonly OfferedFile[]): FolderUpload[] {
  return [...new Set(files.flatMap(({ upload }) => upload ?? []))];
}

/** A file of the page. The path must be plain, and its target (after symbolic links, too) must be in the folder. */
async function findPageFile(path: string, siteDir: string): Promise<Answer | null> {
  const segments = path.split("/");
  if (/[\\\0:]/.test(path) || segments.some((s) => s === "" || s.startsWith("."))) return null;
  const real = await realpath(join(siteDir, ...segments)).catch(() => null);
  if (!real?.startsWith(siteDir + sep)) return null;
  return fileAnswer(real, CONTENT_TYPES.get(extname(real)) ?? BINARY);
}

async function fileAnswer(path: string, type: string, most = Number.POSITIVE_INFINITY): Promise<Answer | null> {
  const stats = await stat(path).catch(() => null);
  return stats?.isFile() ? { type, path, bytes: Math.min(stats.size, most) } : null;
}

async function send(response: ServerResponse, found: Answer, headOnly: boolean): Promise<void> {
  try {
    response.setHeader("content-type", found.type);
    response.setHeader("content-length", sizeOf(found));
    if (headOnly || sizeOf(found) === 0) response.end();
    else if ("body" in found) response.end(found.body);
    // Not more than the promised length when the recording is still being written to.
    else if ("path" in found) await pipeline(createReadStream(found.path, { end: found.bytes - 1 }), response);
    else await pipeline(piecesOf(found.source, PIECE), response);
  } finally {
    if ("source" in found) await found.close();
  }
}

function sizeOf(found: Answer): number {
  if ("body" in found) return found.body.length;
  return "path" in found ? found.bytes : found.source.byteLength;
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}
