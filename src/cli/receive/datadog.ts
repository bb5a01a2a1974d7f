/**
 * What Datadog's libraries send to their agent: uploads of profilers, spans of tracers, and the question what an agent
 * takes.
 */
import { bytesSource } from "../../bytes/byte-source.ts";
import { Expansion } from "../../bytes/expansion.ts";
import { multipartEntries } from "../../bytes/multipart.ts";
import { isEventName } from "../../core/inputs/bundle-paths.ts";
import { classified } from "../../input/classify.ts";
import { readEvent } from "../../input/upload-event.ts";
import { type Answer, jsonAnswer, Refused } from "./answers.ts";
import type { Route, Taken } from "./route.ts";
import { spansIn } from "./taken.ts";

const UPLOADS = "/profiling/v1/input";
const TRACES = ["/v0.4/traces", "/v0.5/traces"];
/** An agent: libraries that know its endpoints send nothing to others. */
const INFO = { version: "7.70.0", endpoints: [...TRACES, UPLOADS], client_drop_p0s: false };
/** Every trace is to be sent. */
const RATES = { rate_by_service: { "service:,env:": 1 } };
const NOTHING: Omit<Taken, "answer"> = { file: null, counts: {}, service: "", rejected: 0, warning: "" };
const TAKEN: Answer = { status: 200, type: "text/plain; charset=utf-8", body: "" };

export const DATADOG_ROUTES: readonly Route[] = [
  {
    // Libraries send their own telemetry whether an agent takes it or not, and warn where it does not.
    path: /^\/telemetry\/proxy\//,
    methods: ["POST"],
    sender: "Datadog",
    encoding: () => "text",
    take: async () => ({ ...NOTHING, answer: { ...jsonAnswer({}), status: 202 } }),
  },
  {
    path: /^\/info$/,
    methods: ["GET"],
    sender: "Datadog",
    encoding: () => "text",
    take: async () => ({ ...NOTHING, answer: jsonAnswer(INFO) }),
  },
  {
    path: /^\/v0\.[45]\/traces$/,
    methods: ["PUT", "POST"],
    sender: "Datadog traces",
    encoding: () => "text",
    check: ({ headers }) => checkType(headers["content-type"], /^application\/(msgpack|json)\b/i),
    take: async (body) => {
      const content = isEmpty(body) ? NOTHING : await spansIn(body);
      const isKept = (content.counts.spans ?? 0) > 0;
      const file = isKept ? { bytes: body, kind: "datadog-traces", ending: "msgpack" } : null;
      return { ...content, file, answer: jsonAnswer(RATES) };
    },
  },
  {
    path: /^\/profiling\/v1\/input$/,
    methods: ["POST"],
    sender: "Datadog profile",
    encoding: () => "text",
    check: ({ headers }) => checkType(headers["content-type"], /^multipart\/form-data\b/i),
    take: async (body) => {
      const { service, files } = await uploadIn(body);
      const file = { bytes: body, kind: "datadog-profile", ending: "multipart" };
      return { ...NOTHING, file, service, counts: { files }, answer: TAKEN };
    },
  },
];

/** Tracers ask by an array without traces whether an agent is there. */
function isEmpty(body: Uint8Array): boolean {
  return body.length === 0 || (body.length === 1 && body[0] === 0x90) || new TextDecoder().decode(body) === "[]";
}

function checkType(type = "", known: RegExp): void {
  if (!known.test(type)) throw new Refused(415, `the content type ${JSON.stringify(type)} is not read`);
}

/** Throws Refused for a body without a description or without a recording. */
async function uploadIn(body: Uint8Array): Promise<{ service: string; files: number }> {
  let service: string | null = null;
  let files = 0;
  try {
    for await (const { name, source } of multipartEntries(bytesSource(body))) {
      if (isEventName(name)) service = (await readEvent(source))?.resource["service.name"] ?? "";
      else if (RECORDINGS.has((await classified(source, new Expansion(source))).sniffed.kind)) files++;
    }
  } catch (error) {
    throw new Refused(400, `multipart: ${(error as Error).message}`);
  }
  if (service === null) throw new Refused(400, "no part of the upload is event.json");
  if (files === 0) throw new Refused(400, "no part of the upload is a JFR recording or a pprof profile");
  return { service, files };
}

const RECORDINGS = new Set<string>(["jfr", "pprof", "otlp"]);
