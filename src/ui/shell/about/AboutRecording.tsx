import { Info } from "lucide-react";
import { memo } from "react";
import type { Diagnostic, FileSummary } from "../../../core/types.ts";
import { fileCounts, fileFacts, processFacts } from "../../../model/recording/about.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { isNote } from "../../../model/words/damage.ts";
import { formatBytes, formatCounted, formatNanos } from "../../../model/words/format.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { Overview } from "../../../worker/api.ts";
import { useLazyDialog } from "../../primitives/dialog/use-lazy-dialog.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { likelySoon } from "../../primitives/lazy/lazy.ts";
import { Popover } from "../../primitives/popover/Popover.tsx";
import { NoteList } from "../messages/Messages.tsx";
import { CleanReports } from "../messages/OtlpReports.tsx";
import type { FileReport } from "../messages/use-otlp-reports.ts";
import css from "./AboutRecording.module.css";

const RECORDING_DIALOG = likelySoon(() => import("./RecordingDialog.tsx"));

interface Props {
  overview: Overview;
  reports: readonly FileReport[];
  /** Names of the profiles. */
  tabs: readonly ProfileTab[];
}

/** Files beyond this many are only counted. */
const SHOWN = 50;

/**
 * The process that wrote the recording, its files, and the reader's notes on them, in a panel that opens on request.
 */
export const AboutRecording = memo(function AboutRecording({ overview, reports, tabs }: Props) {
  const { loaded, open, show, close } = useLazyDialog(RECORDING_DIALOG);
  const { files, diagnostics } = overview;
  const callsOf = ({ name }: FileSummary) => overview.calls?.runs.find(({ label }) => label === name)?.calls;
  const notes = diagnostics.filter(isNote);
  const label = (
    <>
      <Icon of={Info} />
      {notes.length > 0 && <span className={css.count}>{formatCounted(notes.length, "note")}</span>}
    </>
  );
  return (
    <>
      <Popover label={label} look="quiet" name={nameOf(notes.length)} title="About this recording" testId="about">
        {(closePanel) => (
          <div className={css.about}>
            {files.slice(0, SHOWN).map((file, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never changes
              <FileSection key={index} file={file} calls={callsOf(file)} process={isNews(files, index)} />
            ))}
            {files.length > SHOWN && <p>and {formatCounted(files.length - SHOWN, "more file")}</p>}
            <p className={css.findings} data-testid="about-findings">
              {findingWords(diagnostics)}
            </p>
            <CleanReports reports={reports} />
            {notes.length > 0 && (
              <section className={css.notes} aria-label="Notes">
                <NoteList diagnostics={notes} files={files} />
              </section>
            )}
            <Button
              className={css.more}
              testId="about-more"
              aria-haspopup="dialog"
              onClick={() => {
                closePanel();
                show();
              }}
            >
              What it cannot show, chunks, settings…
            </Button>
          </div>
        )}
      </Popover>
      {loaded !== null && <loaded.RecordingDialog overview={overview} tabs={tabs} open={open} onClose={close} />}
    </>
  );
});

function nameOf(notes: number): string {
  return notes === 0 ? "About this recording" : `About this recording, ${formatCounted(notes, "note")}`;
}

interface FileProps {
  file: FileSummary;
  /** Those of a run of a dump. */
  calls: number | undefined;
  process: boolean;
}

function FileSection({ file, calls, process }: FileProps) {
  const { startUnixNano, durationNano } = fileFacts(file);
  const start = formatMoment(startUnixNano);
  const counts = [formatBytes(file.bytes), ...fileCounts(file, calls)];
  if (durationNano > 0n) counts.push(formatNanos(durationNano));
  return (
    <section className={css.file}>
      <h2 className={css.name}>
        <bdi>{visible(file.name, 120)}</bdi>
      </h2>
      <p className={css.figures}>{counts.join(" · ")}</p>
      {process && (
        <dl className={css.facts} data-testid="about-facts">
          {processFacts(file).map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <bdi>{visible(value)}</bdi>
              </dd>
            </div>
          ))}
          {start !== "" && (
            <div>
              <dt>Started</dt>
              <dd>{start}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  );
}

/** Files of one process say the same of it: once is enough. */
function isNews(files: readonly FileSummary[], index: number): boolean {
  const facts = (at: number) => JSON.stringify(files[at]?.resource);
  return index === 0 || facts(index) !== facts(index - 1);
}

function findingWords(diagnostics: readonly Diagnostic[]): string {
  const count = (of: Diagnostic["severity"]) => diagnostics.filter(({ severity }) => severity === of).length;
  const [errors, warnings, notes] = [count("error"), count("warning"), count("info")];
  if (errors + warnings + notes === 0) return "No problems found";
  if (errors + warnings === 0) return `Read completely (${formatCounted(notes, "note")})`;
  return `${formatCounted(errors, "error")}, ${formatCounted(warnings, "warning")}, ${formatCounted(notes, "note")}.`;
}
