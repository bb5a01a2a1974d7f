/** A path of the receiver: who sends there, and what is taken. */
import type { IncomingMessage } from "node:http";
import type { Answer, Encoding } from "./answers.ts";
import type { Received } from "./arrivals.ts";
import type { Content } from "./taken.ts";

export interface Taken extends Content {
  /** What is kept of the request; null if it contains nothing. */
  file: Received | null;
  answer: Answer;
}

export interface Route {
  path: RegExp;
  methods: readonly string[];
  /** In the lines that are printed. */
  sender: string;
  /** The encoding of refusals. */
  encoding(request: IncomingMessage): Encoding;
  /** Before the body is read. Throws Refused. */
  check?(request: IncomingMessage): void;
  take(body: Uint8Array, request: IncomingMessage): Promise<Taken>;
}
