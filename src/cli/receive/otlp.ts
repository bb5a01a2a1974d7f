/** OTLP over HTTP: profiles, traces and logs (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
import type { IncomingMessage } from "node:http";
import { VERSION, VERSION_HEADER } from "../../push/headers.ts";
import { type Encoding, exportAnswer, Refused, type Signal } from "./answers.ts";
import type { Route, Taken } from "./route.ts";
import { type Content, logsIn, profilesIn, spansIn } from "./taken.ts";

const TYPES: ReadonlyMap<string, Encoding> = new Map([
  ["application/x-protobuf", "protobuf"],
  ["application/json", "json"],
]);

/** The encoding of the body; of a refusal, too. Text where the request states none that OTLP has. */
function otlpEncoding(request: IncomingMessage): Encoding {
  const type = (request.headers["content-type"] ?? "").replace(/;.*/s, "").trim().toLowerCase();
  return TYPES.get(type) ?? "text";
}

/** Before the body is read: a message of another version may look like one of this. */
function checkVersion(request: IncomingMessage): void {
  const raw = request.rawHeaders;
  const stated = raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === VERSION_HEADER.toLowerCase());
  if (stated.every((value) => value === VERSION) && stated.length < 2) return;
  const words = stated.map((value) => JSON.stringify(value)).join(", ");
  throw new Refused(400, `${VERSION_HEADER} is ${words}; version ${VERSION} is read`);
}

function checkType(request: IncomingMessage): void {
  if (otlpEncoding(request) !== "text") return;
  const type = JSON.stringify(request.headers["content-type"] ?? "");
  throw new Refused(415, `the content type ${type} is not read; ${[...TYPES.keys()].join(" and ")} are`);
}

function route(
  signal: Signal,
  path: RegExp,
  contentOf: (body: Uint8Array, isJson: boolean) => Content | Promise<Content>,
): Route {
  return {
    path,
    methods: ["POST"],
    sender: `OTLP ${signal}`,
    encoding: otlpEncoding,
    check: (request) => {
      checkType(request);
      if (signal === "profiles") checkVersion(request);
    },
    take: async (body, request): Promise<Taken> => {
      const encoding = otlpEncoding(request);
      const content = await contentOf(body, encoding === "json");
      const { rejected, warning } = content;
      const isEmpty = Object.values(content.counts).every((count) => count === 0);
      const ending = encoding === "json" ? "json" : "pb";
      return {
        ...content,
        file: isEmpty ? null : { bytes: body, kind: signal, ending },
        answer: exportAnswer(signal, encoding, rejected, warning),
      };
    },
  };
}

/** The path of profiles changes when they are stable. */
export const OTLP_ROUTES: readonly Route[] = [
  route("profiles", /^(?:\/otlp)?\/v1(?:development)?\/profiles$/, profilesIn),
  route("traces", /^(?:\/otlp)?\/v1\/traces$/, (body) => spansIn(body)),
  route("logs", /^(?:\/otlp)?\/v1\/logs$/, logsIn),
  {
    path: /^(?:\/otlp)?\/v1\/metrics$/,
    methods: ["POST"],
    sender: "OTLP metrics",
    encoding: otlpEncoding,
    check: checkType,
    // After the body: a sender that still sends would not read the reason.
    take: async () => {
      throw new Refused(404, "metrics are not received: set OTEL_METRICS_EXPORTER=none");
    },
  },
];
