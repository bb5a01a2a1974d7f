import { useEffect, useRef, useState } from "react";
import { isOtlp } from "../../model/words/export-choice.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import { type Sender, startSender } from "../../worker/sender-client.ts";
import css from "./ExportDialog.module.css";
import { type ExportJob, exportFailed, requestOf } from "./job.ts";
import type { ReceiverText } from "./ReceiverFields.tsx";
import { type Line, receiverOf, sendAll } from "./send.ts";

interface Props {
  job: ExportJob;
  receiver: ReceiverText;
  onClose: () => void;
  onFailure: (failure: Failure) => void;
}

interface Progress {
  done: number;
  of: number;
}

/** Sends the messages, and reports the result of each. */
export function SendFooter({ job, receiver: text, onClose, onFailure }: Props) {
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
    const started = startSender(receiver);
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
      <button type="button" data-testid="export-close" onClick={onClose}>
        Close
      </button>
      {progress === null ? (
        <button type="button" data-look="primary" data-testid="export-send" onClick={() => void send()}>
          Send
        </button>
      ) : (
        <button type="button" data-testid="export-stop" onClick={() => sender.current?.end()}>
          Stop
        </button>
      )}
    </div>
  );
}
