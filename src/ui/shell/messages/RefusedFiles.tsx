import { useState } from "react";
import { formatBytes } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Failure, InputFile } from "../../../worker/api.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import type { Refusal } from "../recording/recording-state.ts";
import { FailureText } from "./FailureText.tsx";
import css from "./Messages.module.css";

/** Words for damage are long, and the first load needs none. */
const MESSAGES = new Lazy(() => import("./Messages.tsx"));

interface Props {
  refusal: Refusal;
  /** Another recording is open and stays. */
  isOther: boolean;
  /** These files in place of all that are open; `alone` closes those first. */
  onOpen: (files: InputFile[], alone?: boolean) => void;
  onDismiss: () => void;
}

/** Files offered one by one; with more of them only all at once. */
const LISTED = 20;

/** Why files are not open, and how to open them: the page still has them. */
export function RefusedFiles({ refusal, isOther, onOpen, onDismiss }: Props) {
  const { failure, diagnostics, files } = refusal;
  const [incomplete, setIncomplete] = useState<Failure | null>(null);
  const messages = useLazy(diagnostics.length > 0 ? MESSAGES : null, setIncomplete);
  const isChanged = failure?.code === "file.changed";
  const isDeclined = failure?.code === "declined";
  const isTooLarge = failure?.code === "open.room";
  return (
    <section
      className={css.failure}
      aria-label="Files that were not opened"
      tabIndex={-1}
      data-testid="message"
      data-code={failure?.code ?? diagnostics[0]?.code}
      data-other={isOther || undefined}
    >
      {failure !== null && <FailureText failure={failure} />}
      {diagnostics.length > 0 && messages !== null && (
        <messages.Unreadable diagnostics={diagnostics} files={refusal.summaries} />
      )}
      {messages === null && incomplete !== null && <FailureText failure={incomplete} />}
      {isOther && <p className={css.advice}>The open recording is unchanged.</p>}
      {files.length > 0 && !isChanged && !isTooLarge && (
        <>
          <p className={css.advice}>
            {files.length === 1 ? "The page still has this file." : "The page still has these files."}
            {refusal.byQuestion && " Open again starts without filters; Undo brings them back."}
            {!refusal.byQuestion && files.length > 1 && " Open them one by one to find the one that fails."}
          </p>
          {files.length > 1 && files.length <= LISTED && (
            <ul className={css.again}>
              {files.map((file) => (
                <li key={file.name}>
                  <Button
                    testId="open-again-one"
                    aria-label={`Open ${visible(file.name, 120)} again`}
                    onClick={() => onOpen([file])}
                  >
                    Open
                  </Button>
                  <bdi className={css.text}>{visible(file.name, 120)}</bdi>
                  <span className={css.place}>{formatBytes(file.blob.size)}</span>
                </li>
              ))}
            </ul>
          )}
        </>
      )}
      {(files.length > 0 || isOther || isDeclined) && (
        <div className={css.actions}>
          {isDeclined && (
            <Button testId="ask-again" onClick={() => location.reload()}>
              Ask again
            </Button>
          )}
          {files.length > 0 && !isChanged && (
            <Button testId="open-again" onClick={() => onOpen(files, isTooLarge)}>
              {againWords(files.length, isTooLarge)}
            </Button>
          )}
          {isChanged && (
            <FilePicker
              label="Choose again…"
              testId="choose-again"
              onFiles={(chosen) => onOpen(inPlaceOf(files, chosen))}
            />
          )}
          {isOther && (
            <Button testId="dismiss" onClick={onDismiss}>
              Dismiss
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function againWords(files: number, isTooLarge: boolean): string {
  if (isTooLarge) return "Close and open";
  return files === 1 ? "Open again" : "Open all again";
}

/** The files, those of the same name as a chosen one replaced by it. */
function inPlaceOf(files: InputFile[], chosen: InputFile[]): InputFile[] {
  const byName = new Map(chosen.map((file) => [file.name, file]));
  const replaced = files.map((file) => byName.get(file.name) ?? file);
  return [...replaced, ...chosen.filter(({ name }) => files.every((file) => file.name !== name))];
}
