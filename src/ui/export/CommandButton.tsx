import { useState } from "react";
import { type CommandSubject, commandOf, shellWords } from "../../model/words/command-line.ts";
import { visible } from "../../model/words/text.ts";
import { copyText } from "../clipboard/copy-text.ts";
import css from "./ExportDialog.module.css";

/** Copies the command that writes the same file, and names its omissions. */
export function CommandButton(subject: CommandSubject) {
  const { args, missing } = commandOf(subject);
  const command = `spanflame ${shellWords(args)}`;
  const [copied, setCopied] = useState<{ command: string; done: boolean } | null>(null);
  const isCurrent = copied?.command === command;
  return (
    <>
      <button
        type="button"
        data-testid="export-command"
        data-command={command}
        data-tip={visible(command, 600)}
        onClick={() => void copyText(command).then((done) => setCopied({ command, done }))}
      >
        Copy CLI command
      </button>
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
