/** Finished messages to a receiver, one after the other, and what to say meanwhile. */
import type { OtlpFormat } from "../../core/types.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { profilesUrl } from "../../push/endpoint.ts";
import { headerFault } from "../../push/headers.ts";
import { meetsEveryMessage, outcomeWords, retryWords } from "../../push/outcome.ts";
import type { Outcome, Receiver } from "../../push/push.ts";
import type { Message } from "../../worker/api.ts";
import type { Sender } from "../../worker/sender-client.ts";
import type { ReceiverText } from "./ReceiverFields.tsx";

export interface Line {
  tone: "plain" | "good" | "bad";
  text: string;
}

/** The typed text as `push` needs it, or its error. */
export function receiverOf({ endpoint, headers }: ReceiverText, gzip: boolean): Receiver | { error: string } {
  const entries = headers.map(({ key, value }) => [key.trim(), value.trim()] as const).filter(([key]) => key !== "");
  try {
    for (const [name, value] of entries) {
      const fault = headerFault(name, value);
      if (fault !== null) return { error: `${fault[0]?.toUpperCase()}${fault.slice(1)}.` };
    }
    return { url: profilesUrl(endpoint.trim()), headers: Object.fromEntries(entries), gzip };
  } catch (error) {
    return { error: error instanceof Error ? `${error.message}.` : String(error) };
  }
}

/** Sends until all are answered, or one is refused for a reason that every other would meet. */
export async function sendAll(
  messages: readonly Message[],
  format: OtlpFormat,
  receiver: Receiver,
  sender: Sender,
  tell: (line: Line, done: number) => void,
): Promise<void> {
  for (const [index, message] of messages.entries()) {
    const name = `${message.type ?? formatCounted(message.profiles, "profile")}, ${formatBytes(message.size)}`;
    if (message.oversized)
      tell({ tone: "plain", text: `${name}: a single profile above 20 MiB, sent in one message` }, index);
    const answer = await sender.push(message.blob, format, (retry) =>
      tell({ tone: "plain", text: `${name}: ${retryWords(retry)}` }, index),
    );
    if (!answer.ok) return tell({ tone: "bad", text: answer.error.message }, index);
    const outcome = answer.value;
    const tone = outcome.result === "accepted" ? "good" : "bad";
    const held = formatCounted(message.observations, "observation");
    tell({ tone, text: `${name}: ${outcomeWords(outcome, held)}` }, index + 1);
    if (!meetsEveryMessage(outcome)) continue;
    const advice = adviceOn(outcome, format, receiver);
    if (advice !== "") tell({ tone: "plain", text: advice }, index + 1);
    const left = messages.length - index - 1;
    if (left > 0) tell({ tone: "plain", text: `${formatCounted(left, "other message")} not sent` }, index + 1);
    return;
  }
}

/** What to look after when there was no answer. */
function adviceOn(outcome: Outcome, format: OtlpFormat, { url, headers = {}, gzip = false }: Receiver): string {
  if (outcome.result !== "refused" || outcome.status !== 0) return "";
  if (outcome.notAllowed) {
    const sent = ["content-type", ...(gzip ? ["content-encoding"] : []), ...Object.keys(headers)];
    return (
      `Check that the receiver's cors.allowed_origins contains ${location.origin} and its cors.allowed_headers ` +
      `${sent.join(", ")}. In a Collector, both are set below receivers: otlp: protocols: http:. It must also accept ` +
      `${format === "otlp" ? "protobuf" : "JSON"} at ${new URL(url).pathname}.`
    );
  }
  return (
    `Check that a receiver listens at ${new URL(url).host} and that this browser trusts its certificate. A page opened ` +
    "over https may use plain http to this machine only."
  );
}
