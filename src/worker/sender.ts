/**
 * Entry of the worker that sends, and the only part of the page whose policy allows requests to any receiver
 * (src/cli/security-headers.ts). It is started when a user sends, gets finished messages, and never sees a recording.
 */
import * as Comlink from "comlink";
import type { OtlpFormat } from "../core/types.ts";
import { crossOriginFetch } from "../push/cross-origin.ts";
import { type Outcome, PLATFORM, push, type Receiver, type Retry } from "../push/push.ts";
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
  async push(message, format, receiver, onRetry) {
    try {
      const bytes = new Uint8Array(await message.arrayBuffer());
      const world = { ...PLATFORM, fetch: crossOriginFetch };
      return { ok: true, value: await push(bytes, format, receiver, onRetry, world) };
    } catch (error) {
      return { ok: false, error: { code: "send", message: error instanceof Error ? error.message : String(error) } };
    } finally {
      // Each proxied callback holds a message port until it is released.
      (onRetry as Partial<Comlink.ProxyMethods>)[Comlink.releaseProxy]?.();
    }
  },
};

Comlink.expose(sender);
