/**
 * Entry of the worker that sends, and the only part of the page whose policy allows requests to any receiver
 * (src/cli/serve/security-headers.ts). It is started when a user sends, gets finished
 * messages, and never sees a recording.
 */
import * as Comlink from "comlink";
import type { OtlpFormat } from "../core/types.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import { type Outcome, PLATFORM, push, type Receiver, type Retry } from "../push/push.ts";
import { answered } from "./answered.ts";
import type { Result } from "./api.ts";

export interface SenderWorker {
  push(
    message: Blob,
    format: OtlpFormat,
    receiver: Receiver,
    onRetry: (retry: Retry) => void,
  ): Promise<Result<Outcome>>;
}

const sender: SenderWorker = {
  push(message, format, receiver, onRetry) {
    const send = async () => {
      const bytes = new Uint8Array(await message.arrayBuffer());
      return await push(bytes, format, receiver, onRetry, { ...PLATFORM, fetch: crossOriginFetch });
    };
    return answered("send", send, onRetry);
  },
};

Comlink.expose(sender);
