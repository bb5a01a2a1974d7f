/**
 * What Pyroscope's libraries post to /ingest: a recording, raw or in a form. Its name and labels are in the query. It
 * is kept as an upload with a description (upload-event.ts), so that it has them wherever it is read.
 *
 *   name=app{key=value,…}  from, until  seconds or ns since 1970  format=jfr|pprof|folded  spyName
 */
import { bytesSource, piecesOf } from "../../bytes/byte-source.ts";
import { Expansion } from "../../bytes/expansion.ts";
import { joined } from "../../bytes/joined.ts";
import { multipartEntries } from "../../bytes/multipart.ts";
import { multipartForm } from "../../bytes/multipart-form.ts";
import { classified } from "../../input/classify.ts";
import { tagsOf } from "../../input/upload-event.ts";
import { Refused } from "./answers.ts";
import type { Route } from "./route.ts";

/** Kinds of files by the format that a sender states. */
const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({ jfr: "jfr", pprof: "pprof", folded: "collapsed", "": "collapsed" }),
);
/** Parts of a form that are the recording. Others are the profile before, and what its values mean. */
const RECORDING = /^(jfr|profile)\b/;
const PIECE = 1 << 20;

export const PYROSCOPE_ROUTES: readonly Route[] = [
  {
    path: /^(?:\/pyroscope)?\/ingest$/,
    methods: ["POST"],
    sender: "Pyroscope",
    encoding: () => "text",
    take: async (body, { url = "", headers }) => {
      const query = new URL(url, "http://localhost").searchParams;
      const format = query.get("format") ?? "";
      const kind = FORMATS.get(format);
      if (kind === undefined)
        throw new Refused(415, `the format ${JSON.stringify(format)} is not read; jfr, pprof and folded are`);
      const isForm = /^multipart\/form-data\b/i.test(headers["content-type"] ?? "");
      const recording = isForm ? await recordingIn(body) : body;
      const source = bytesSource(recording);
      const { sniffed } = await classified(source, new Expansion(source));
      if (sniffed.kind !== kind) throw new Refused(400, `the recording is not ${format || "folded"}`);
      const resource = resourceOf(query);
      const name = `profile.${kind}`;
      const event = {
        attachments: [name],
        tags_profiler: tagsOf(resource),
        start: timeOf(query.get("from")),
        end: timeOf(query.get("until")),
        family: query.get("spyName") ?? "",
        version: "4",
      };
      const form = multipartForm([
        { name: "event", file: "event.json", type: "application/json", bytes: Buffer.from(JSON.stringify(event)) },
        { name, file: name, type: BINARY, bytes: recording },
      ]);
      return {
        file: { bytes: form.body, kind: "pyroscope", ending: "multipart" },
        counts: { files: 1 },
        service: resource["service.name"] ?? "",
        rejected: 0,
        warning: "",
        answer: { status: 200, type: "text/plain; charset=utf-8", body: "" },
      };
    },
  },
];

const BINARY = "application/octet-stream";

/** The part of a form that is the recording. */
async function recordingIn(form: Uint8Array): Promise<Uint8Array> {
  try {
    for await (const { name, source } of multipartEntries(bytesSource(form))) {
      if (!RECORDING.test(name)) continue;
      const pieces: Uint8Array[] = [];
      for await (const piece of piecesOf(source, PIECE)) pieces.push(piece.slice());
      return joined(pieces);
    }
  } catch (error) {
    throw new Refused(400, `multipart: ${(error as Error).message}`);
  }
  throw new Refused(400, "no part of the form is named jfr or profile");
}

/** `app{key=value,…}` as attributes of the process. */
function resourceOf(query: URLSearchParams): Record<string, string> {
  const [, app = "", labels = ""] = /^([^{]*)(?:\{(.*)\})?$/s.exec(query.get("name") ?? "") ?? [];
  const pairs = labels.split(",").map((pair) => {
    const at = pair.indexOf("=");
    return [
      pair.slice(0, at).trim(),
      pair
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, "$1"),
    ] as const;
  });
  const named = pairs.filter(([key]) => key !== "" && key !== "__proto__" && key !== "service_name");
  return { ...Object.fromEntries(named), "service.name": app.trim() };
}

/** ISO 8601 of seconds, ms, µs or ns since 1970, which their size tells; "" without one. */
function timeOf(text: string | null): string {
  if (text === null || !/^\d{1,20}$/.test(text)) return "";
  const value = Number(text);
  const scale = [1e3, 1, 1e-3, 1e-6].find((each) => value * each < 1e14) ?? 0;
  return scale === 0 ? "" : new Date(Math.trunc(value * scale)).toISOString();
}
