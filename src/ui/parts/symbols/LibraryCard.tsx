import { Copy } from "lucide-react";
import { type SymbolCommand, symbolCommands } from "../../../model/recording/symbol-commands.ts";
import { formatCounted, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { LibraryRow } from "../../../symbols/library-rows.ts";
import type { FoundSymbols, SymbolDiagnostic } from "../../../worker/api.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import { showToast } from "../../primitives/toast/toasts.ts";
import { useSymbols } from "../answers/symbol-store.ts";
import { framesWords, LIBRARY_STATUS, samplesOf } from "./row-words.ts";
import css from "./SymbolsDialog.module.css";
import { SHELF } from "./sort-files.ts";

interface Props {
  row: LibraryRow;
  /** Native samples of the recording. */
  samples: bigint;
  /** Files with the build id of the library. */
  files: readonly FoundSymbols[];
  faults: readonly SymbolDiagnostic[];
}

/** A library of the recording. */
export function LibraryCard({ row, samples, files, faults }: Props) {
  const { name, buildId, addresses, weights, resolved, status, why } = row;
  const isWanted = status === "missing" || status === "mismatch" || status === "unusable";
  return (
    <li className={css.card} data-testid="symbols-library" data-status={status}>
      <div className={css.head}>
        <h3 className={css.name}>
          <bdi>{name === "" ? "Library without a name" : visible(name, 120)}</bdi>
        </h3>
        <span className={css.status} data-status={status}>
          {LIBRARY_STATUS[status]}
        </span>
      </div>
      <p className={css.figures}>
        {formatPercent(samplesOf(weights), samples)} of native samples · {framesWords([row])} named ·{" "}
        {formatCounted(addresses, "address", "addresses")}, {resolved.lines} with a line
      </p>
      {buildId !== "" && <Copied label="Build id" text={buildId} about={`Copy the build id of ${nameOf(row)}`} />}
      {why !== "" && status !== "missing" && <p className={css.why}>{visible(sentence(row), 600)}</p>}
      {status === "unread" && <ReadAgain />}
      {files.length > 0 && (
        <ul className={css.list} aria-label={`Files of ${nameOf(row)}`}>
          {files.map((file) => (
            <li key={file.path} className={css.file}>
              <div className={css.words}>
                <bdi className={css.path}>{visible(file.path, 200)}</bdi>
                <span className={css.why}>{contentOf(row, file, faults)}</span>
              </div>
              <RemoveFile file={file} />
            </li>
          ))}
        </ul>
      )}
      {isWanted && <Commands row={row} commands={symbolCommands(name, buildId)} />}
    </li>
  );
}

/** Reading was cancelled, or has failed. */
function ReadAgain() {
  const { progress } = useSymbols();
  if (progress !== null) return null;
  return (
    <div>
      <Button onClick={() => void SHELF.fetch().then((shelf) => shelf.again())}>Read again</Button>
    </div>
  );
}

/** A file's name, which a mismatch begins with, stays as it is. */
function sentence({ status, why }: LibraryRow): string {
  return status === "mismatch" ? `${why}.` : `${why.slice(0, 1).toUpperCase()}${why.slice(1)}.`;
}

const nameOf = ({ name, buildId }: LibraryRow) => (name === "" ? buildId.slice(0, 8) : visible(name, 120));

/** What the file gives, and what is wrong with it. */
function contentOf({ files }: LibraryRow, { path }: FoundSymbols, faults: readonly SymbolDiagnostic[]): string {
  const file = files.find((each) => each.path === path);
  const parts = [
    ...(file?.symbols ? [`names (${file.symbols})`] : []),
    ...(file?.inlines ? ["inlined functions"] : []),
    ...(file?.lines ? ["lines"] : []),
  ];
  const wrong = faults.filter((each) => each.file === path).map(({ message }) => visible(message, 300));
  const has = file === undefined ? [] : [parts.length === 0 ? "no symbols" : parts.join(", ")];
  return [...has, ...wrong].join("; ");
}

function Commands({ row, commands }: { row: LibraryRow; commands: SymbolCommand[] }) {
  return (
    <details className={css.commands}>
      <summary data-testid="symbols-commands">How to find its debug file</summary>
      <dl>
        {commands.map(({ place, command, about }) => (
          <div key={place}>
            <dt>{place}</dt>
            <dd>
              <Copied label="" text={command} about={`Copy the command for ${nameOf(row)}: ${place}`} />
              <span className={css.why}>{about}</span>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function Copied({ label, text, about }: { label: string; text: string; about: string }) {
  const copy = async () => {
    if (await copyText(text)) showToast({ tone: "success", text: "Copied." });
    else showToast({ tone: "error", text: "The browser blocked copying. Select the text and copy it." });
  };
  return (
    <div className={css.copied}>
      {label !== "" && <span className={css.label}>{label}</span>}
      <code>{text}</code>
      <IconButton icon={Copy} label={about} tip="Copy" testId="symbols-copy" onClick={() => void copy()} />
    </div>
  );
}

/** The button that removes a file of symbols, and the names from it. */
export function RemoveFile({ file }: { file: FoundSymbols }) {
  return (
    <Button
      aria-label={`Remove ${visible(file.path, 120)}`}
      onClick={() => void SHELF.fetch().then((shelf) => shelf.remove(file))}
    >
      Remove
    </Button>
  );
}
