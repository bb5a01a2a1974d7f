/** The page's end of the worker that sends: it lives for one sending. */
import * as Comlink from "comlink";
import type { OtlpFormat } from "../core/types.ts";
import type { Outcome, Receiver, Retry } from "../push/push.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { SenderWorker } from "./sender.ts";

export interface Sender {
  push(message: Blob, format: OtlpFormat, onRetry: (retry: Retry) => void): Promise<Result<Outcome>>;
  /** Cancels a running request: whether it arrived is unknown. */
  end(): void;
}

export function startSender(receiver: Receiver): Sender {
  const connection = new Connection<SenderWorker>(
    () => new Worker(new URL("./sender.ts", import.meta.url), { type: "module", name: "spanflame sender" }),
    "The worker that sends",
  );
  return {
    push: (message, format, onRetry) =>
      connection.ask((remote) => remote.push(message, format, receiver, Comlink.proxy(onRetry))),
    end: () =>
      connection.end({ code: "stopped", message: "Stopped: the message that was being sent may have arrived." }),
  };
}
