import { useEffect, useRef, useState } from "react";
import type { OtlpFormat } from "../../../core/types.ts";
import { isOtlp } from "../../../model/query/written/export-choice.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { profilesUrl } from "../../../push/endpoint.ts";
import { headerFault, VERSION_HEADER } from "../../../push/headers.ts";
import { meetsEveryMessage, outcomeWords, retryWords } from "../../../push/outcome.ts";
import type { Outcome, Receiver } from "../../../push/push.ts";
import type { Message } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { type Sender, startSender } from "../../../worker/task-workers.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import css from "./ExportDialog.module.css";
import { type ExportJob, exportFailed, requestOf } from "./job.ts";
import type { ReceiverText } from "./ReceiverFields.tsx";

interface Props {
  job: ExportJob;
  receiver: ReceiverText;
  onClose: () => void;
}

interface Progress {
  done: number;
  of: number;
}

/** Sends the messages, and reports the result of each. */
export function SendFooter({ job, receiver: text, onClose }: Props) {
  const onFailure = useFailure();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [lines, setLines] = useState<Line[]>([]);
  const sender = useRef<Sender | null>(null);
  const add = (line: Line) => setLines((before) => [...before, line]);

  // Nothing continues when the dialog is closed or another recording is open.
  useEffect(() => () => sender.current?.end(), []);

  const send = async () => {
    const { format, gzip } = job.choice;
    if (!isOtlp(format)) return;
    const receiver = receiverOf(text, gzip);
    if ("error" in receiver) return setLines([{ tone: "bad", text: receiver.error }]);
    setLines([]);
    setProgress({ done: 0, of: 0 });
    const answer = await viewer.messages(requestOf(job, format));
    if (!answer.ok) {
      setProgress(null);
      if (answer.error.lost !== true) return add({ tone: "bad", text: exportFailed(answer.error) });
      onClose();
      return onFailure(answer.error);
    }
    const messages = answer.value;
    if (messages.length === 0) add({ tone: "bad", text: "No sample passes the filter: nothing was sent." });
    setProgress({ done: 0, of: messages.length });
    const started = startSender();
    sender.current = started;
    await sendAll(messages, format, receiver, started, (line, done) => {
      add(line);
      setProgress({ done, of: messages.length });
    });
    started.end();
    setProgress(null);
  };

  return (
    <div className={css.footer}>
      {progress !== null && progress.of > 1 && (
        <progress className={css.progress} aria-label="Messages sent" max={progress.of} value={progress.done} />
      )}
      <div className={css.lines} role="log" aria-label="Results of sending">
        <ol data-testid="send-log">
          {lines.map(({ tone, text: words }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever added
            <li key={index} data-tone={tone} className={css[tone]}>
              {visible(words, 1000)}
            </li>
          ))}
        </ol>
      </div>
      <Button testId="export-close" onClick={onClose}>
        Close
      </Button>
      {progress === null ? (
        <Button look="primary" testId="export-send" onClick={() => void send()}>
          Send
        </Button>
      ) : (
        <Button testId="export-stop" onClick={() => sender.current?.end()}>
          Stop
        </Button>
      )}
    </div>
  );
}

/** Finished messages to a receiver, one after the other, and what to say meanwhile. */
interface Line {
  tone: "plain" | "good" | "bad";
  text: string;
}

/** The typed text as `push` needs it, or its error. */
function receiverOf({ endpoint, headers }: ReceiverText, gzip: boolean): Receiver | { error: string } {
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
async function sendAll(
  messages: readonly Message[],
  format: OtlpFormat,
  receiver: Receiver,
  sender: Sender,
  tell: (line: Line, done: number) => void,
): Promise<void> {
  for (const [index, message] of messages.entries()) {
    const name = `${message.type ?? formatCounted(message.profiles, "profile")}, ${formatBytes(message.size)}`;
    if (message.oversized) tell({ tone: "plain", text: `${name}: above 20 MiB, cannot be split further` }, index);
    const answer = await sender.push(message.blob, format, receiver, (retry) =>
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
    const sent = [
      "content-type",
      VERSION_HEADER.toLowerCase(),
      ...(gzip ? ["content-encoding"] : []),
      ...Object.keys(headers),
    ];
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
