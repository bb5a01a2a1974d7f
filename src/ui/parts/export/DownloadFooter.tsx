import { useState } from "react";
import { type CommandSubject, commandOf, shellWords } from "../../../model/query/written/command-line.ts";
import { exportName } from "../../../model/query/written/export-choice.ts";
import { isShown, type ShownFormat } from "../../../model/words/shown-formats.ts";
import { visible } from "../../../model/words/text.ts";
import type { Failure, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import css from "./ExportDialog.module.css";
import { type ExportJob, exportFailed, requestOf, type WrittenFile, writtenWords } from "./job.ts";
import { saveBlob } from "./save-blob.ts";

/** Writes the file; the dialog stays open and shows its contents. */
export function DownloadFooter({ job, onClose }: { job: ExportJob; onClose: () => void }) {
  const onFailure = useFailure();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ words: string; job: string } | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { names, choice, profile, query } = job;
  const name = exportName(names, choice, profile, query.filter);

  const download = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await fileOf(job);
    setBusy(false);
    if (!answer.ok) {
      setSaid(null);
      if (answer.error.lost !== true) return setFailure(answer.error);
      onClose();
      return onFailure(answer.error);
    }
    saveBlob(answer.value.blob, name);
    setSaid({ words: answer.value.words, job: JSON.stringify([name, choice]) });
  };

  // The message is about an earlier file once the choices change.
  const isCurrent = said?.job === JSON.stringify([name, choice]);
  return (
    <div className={css.footer}>
      {failure !== null && (
        <p className={css.failed} role="alert" data-testid="export-failed" data-code={failure.code}>
          {visible(exportFailed(failure), 2000)}
        </p>
      )}
      <p className={css.said} role="status" data-testid="export-said">
        {isCurrent ? `Saved ${said?.words}` : <bdi className={css.hint}>{name}</bdi>}
      </p>
      <Button testId="export-close" onClick={onClose}>
        Close
      </Button>
      <Button look="primary" testId="export-download" aria-disabled={busy} onClick={() => void (busy || download())}>
        Download
      </Button>
    </div>
  );
}

/** The finished file, and its contents in words. */
async function fileOf(job: ExportJob): Promise<Result<WrittenFile>> {
  const { format, gzip, withRecordings } = job.choice;
  if (isShown(format)) return shownFile(job, format);
  const answer = await viewer.download({ ...requestOf(job, format), gzip, withRecordings });
  return answer.ok ? { ok: true, value: { blob: answer.value.blob, words: writtenWords(answer.value) } } : answer;
}

/**
 * Neither a part of the page that cannot be fetched nor a picture that the browser refuses may leave the dialog busy.
 */
async function shownFile(job: ExportJob, format: ShownFormat): Promise<Result<WrittenFile>> {
  try {
    return await (await import("./shown.ts")).shownFile(job, format);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, error: { code: "page.incomplete", message: `The ${format} could not be made: ${reason}` } };
  }
}

/** Copies the command that writes the same file, and names its omissions. */
export function CommandButton(subject: CommandSubject) {
  const { args, missing } = commandOf(subject);
  const [copied, setCopied] = useState<{ command: string; done: boolean } | null>(null);
  const command = `spanflame ${shellWords(args)}`;
  const isCurrent = copied?.command === command;
  return (
    <>
      <Button
        testId="export-command"
        data-command={command}
        tip={visible(command, 600)}
        onClick={() => void copyText(command).then((done) => setCopied({ command, done }))}
      >
        Copy CLI command
      </Button>
      <span role="status" className={css.hint} data-testid="export-command-said">
        {isCurrent && saidWords(copied.done, missing)}
      </span>
    </>
  );
}

function saidWords(done: boolean, missing: readonly string[]): string {
  if (!done) return "The browser blocked copying.";
  return missing.length === 0 ? "Copied." : `Copied, without ${visible(missing.join(", "), 200)}.`;
}
