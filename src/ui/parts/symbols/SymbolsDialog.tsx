import { useId } from "react";
import { formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { hasBuildId } from "../../../symbols/build-id.ts";
import { type FileStatus, fileStatus } from "../../../symbols/library-rows.ts";
import type { FoundSymbols, InputFile } from "../../../worker/api.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { showToast } from "../../primitives/toast/toasts.ts";
import { useSymbols } from "../answers/symbol-store.ts";
import { FilePicker } from "../files/FilePicker.tsx";
import { Debuginfod } from "./Debuginfod.tsx";
import { LibraryCard, RemoveFile } from "./LibraryCard.tsx";
import { FILE_STATUS, framesWords } from "./row-words.ts";
import css from "./SymbolsDialog.module.css";
import { takeSymbols } from "./sort-files.ts";
import { useLibraryRows } from "./use-recording-symbols.ts";

/** Libraries and files of a list beyond this many are only counted. */
const SHOWN = 100;

/** Native libraries of the recording: what names their frames, what is missing, and where to find it. */
export function SymbolsDialog({ open, onClose }: DialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Symbols of native frames" testId="symbols-dialog" wide keeps>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <div className={css.body} tabIndex={0} data-first>
        {open && <Sections />}
      </div>
      <div className={css.footer}>
        <FilePicker label="Add files…" testId="symbols-input" onFiles={(files) => void add(files)} />
        <FilePicker isFolder label="Add folder…" testId="symbols-folder" onFiles={(files) => void add(files)} />
        <Button className={css.close} onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

function Sections() {
  const rows = useLibraryRows();
  const { files, diagnostics, native } = useSymbols();
  if (rows === null || native === null) return <p>The libraries of the recording are being counted…</p>;
  const unused = files.flatMap((file) => {
    const status = fileStatus(file, rows);
    return status === "used" ? [] : [{ file, status }];
  });
  return (
    <>
      <p className={css.summary} data-testid="symbols-summary" role="status">
        {rows.length === 0
          ? "No native frame of this recording is known by its address only."
          : `${framesWords(rows)} of native libraries have names. Files are read in this tab; nothing is uploaded.`}
      </p>
      <ul className={css.list} aria-label="Libraries">
        {rows.slice(0, SHOWN).map((row) => (
          <LibraryCard
            key={`${row.buildId} ${row.name}`}
            row={row}
            samples={native.samples}
            files={files.filter((file) => file.kind === "readable" && hasBuildId(file, row.buildId))}
            faults={diagnostics}
          />
        ))}
      </ul>
      {rows.length > SHOWN && (
        <p className={css.more}>and {formatCounted(rows.length - SHOWN, "more library", "more libraries")}</p>
      )}
      <Debuginfod rows={rows} />
      {unused.length > 0 && (
        <Unused files={unused} reasons={new Map(diagnostics.map((each) => [each.file, each.message]))} />
      )}
    </>
  );
}

interface UnusedProps {
  files: { file: FoundSymbols; status: FileStatus }[];
  /** By path. */
  reasons: ReadonlyMap<string, string>;
}

/** Files that name no frame of the recording. */
function Unused({ files, reasons }: UnusedProps) {
  const title = useId();
  return (
    <section aria-labelledby={title}>
      <h3 className={css.caption} id={title}>
        Files that are not used
      </h3>
      <ul className={css.list} data-testid="symbols-unused">
        {files.slice(0, SHOWN).map(({ file, status }) => (
          <li key={file.path} className={css.file} data-status={status}>
            <div className={css.words}>
              <bdi className={css.path}>{visible(file.path, 200)}</bdi>
              <span className={css.why}>{whyOf(file, status, reasons.get(file.path))}</span>
            </div>
            <RemoveFile file={file} />
          </li>
        ))}
      </ul>
      {files.length > SHOWN && <p className={css.more}>and {formatCounted(files.length - SHOWN, "more file")}</p>}
    </section>
  );
}

function whyOf({ kind, buildId }: FoundSymbols, status: FileStatus, reason: string | undefined): string {
  if (kind !== "readable") return `${FILE_STATUS[status]}: ${visible(reason ?? "", 400)}`;
  if (buildId === "") return "no build id: it may belong to any library";
  return `${FILE_STATUS[status]}: ${buildId}`;
}

async function add(files: InputFile[]): Promise<void> {
  try {
    const { rest, hasSymbols } = await takeSymbols(files);
    const [first] = rest;
    if (first !== undefined)
      showToast({ tone: "error", text: `${visible(first.name, 80)} has no symbols: it is neither ELF nor Mach-O.` });
    else if (!hasSymbols) showToast({ tone: "error", text: "The folder has no symbols: no file is ELF or Mach-O." });
  } catch (error) {
    showToast({ tone: "error", text: error instanceof Error ? error.message : String(error) });
  }
}
