/**
 * The receiver: the viewer's server with paths for senders, who know no secret. A request is checked as the page will
 * read it, answered as its sender expects, kept as a file, and listed for the page.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type ServedViewer, serveViewer } from "../serve/server.ts";
import { type Answer, Refused } from "./answers.ts";
import { Arrivals } from "./arrivals.ts";
import { withBody } from "./body.ts";
import { DATADOG_ROUTES } from "./datadog.ts";
import type { Sendable } from "./forward.ts";
import { OTLP_ROUTES } from "./otlp.ts";
import { PYROSCOPE_ROUTES } from "./pyroscope.ts";
import type { Route } from "./route.ts";
import type { Content } from "./taken.ts";

/** A request, after its answer. */
export interface Told {
  sender: string;
  path: string;
  status: number;
  /** Why it was refused, or what was left out of it. */
  message: string;
  bytes: number;
  /** Null for a refused request. */
  content: Content | null;
  /** Name of the file that is kept; null without one. */
  file: string | null;
  kept?: Sendable;
}

/** Requests that are answered at the same time. */
const MOST_REQUESTS = 32;

class Door {
  private readonly routes: readonly Route[];
  private readonly arrivals: Arrivals;
  private readonly tell: (told: Told) => void;
  private open = 0;

  constructor(routes: readonly Route[], arrivals: Arrivals, tell: (told: Told) => void) {
    this.routes = routes;
    this.arrivals = arrivals;
    this.tell = tell;
  }

  /** Answers a request of a sender; false if the path is none of its. */
  readonly answer = async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const path = (request.url ?? "").replace(/[?#].*$/s, "");
    const route = this.routes.find((each) => each.path.test(path));
    if (route === undefined) return false;
    const told: Told = { sender: route.sender, path, status: 500, message: "", bytes: 0, content: null, file: null };
    this.open++;
    let answer: Answer;
    try {
      answer = await this.taken(route, request, told);
    } catch (error) {
      const refused =
        error instanceof Refused
          ? error
          : new Refused(500, `the request could not be taken: ${(error as Error).message}`);
      told.message = refused.message;
      answer = refused.answer(route.encoding(request));
      // The rest of a body that is not read would be the next request.
      if (!request.complete) answer = { ...answer, headers: { ...answer.headers, connection: "close" } };
    } finally {
      this.open--;
    }
    told.status = answer.status;
    response.writeHead(answer.status, { "content-type": answer.type, ...answer.headers }).end(answer.body);
    // Questions whether a receiver is there are not told.
    if (told.content === null || Object.keys(told.content.counts).length > 0) this.tell(told);
    return true;
  };

  private async taken(route: Route, request: IncomingMessage, told: Told): Promise<Answer> {
    refuseForeign(request);
    const { method = "" } = request;
    if (!route.methods.includes(method))
      throw new Refused(405, `${method} is not taken here`, { allow: route.methods.join(", ") });
    if (this.open > MOST_REQUESTS) throw new Refused(503, "other requests are being answered; send it again");
    route.check?.(request);
    return withBody(request, async (body) => {
      told.bytes = body.length;
      const { file, answer, ...content } = await route.take(body, request);
      told.content = content;
      told.message = content.warning;
      if (file === null) return answer;
      const { name, path } = this.arrivals.add(file);
      told.file = name;
      const [parts] = /(?:traces|logs)$/.exec(file.kind) ?? [];
      const type = (request.headers["content-type"] ?? "") as `${string}/${string}`;
      told.kept = { path, came: parts === undefined ? null : { path: told.path, type, parts } };
      return answer;
    });
  }
}

/** Browsers state the page that a request is from; programs state none. The viewer's page sends nothing here. */
function refuseForeign({ headers }: IncomingMessage): void {
  const site = headers["sec-fetch-site"];
  if (headers.origin !== undefined || (site !== undefined && site !== "none"))
    throw new Refused(403, "pages of browsers may not send to this receiver");
}

interface ReceiverOptions {
  siteDir: string;
  port: number;
  /** The folder that keeps what arrives. */
  keep?: string | undefined;
  tell: (told: Told) => void;
  onPage?: () => void;
}

const ROUTES: readonly Route[] = [...OTLP_ROUTES, ...DATADOG_ROUTES, ...PYROSCOPE_ROUTES];

/** Listens until `close`, which removes what is not kept. */
export async function startReceiver({ keep, tell, ...options }: ReceiverOptions): Promise<ServedViewer> {
  const arrivals = new Arrivals(keep);
  const door = new Door(ROUTES, arrivals, tell);
  const { list, more } = arrivals.offers;
  try {
    const viewer = await serveViewer({ ...options, files: [], list, more, door: door.answer });
    const close = async () => {
      await viewer.close();
      arrivals.end();
    };
    return { url: viewer.url, close };
  } catch (error) {
    arrivals.end();
    throw error;
  }
}
