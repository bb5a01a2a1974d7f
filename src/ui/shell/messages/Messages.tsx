import { X } from "lucide-react";
import { memo, useContext, useEffect, useMemo, useState } from "react";
import type { Diagnostic, FileSummary, Severity } from "../../../core/types.ts";
import { type DamageGroup, damageGroups, isNote } from "../../../model/words/damage.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Failure } from "../../../worker/api.ts";
import { viewerWaitingMs } from "../../../worker/client.ts";
import { AddFiles } from "../../parts/files/add-files.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import { FailureText } from "./FailureText.tsx";
import css from "./Messages.module.css";

/** Diagnostics beyond this many are only counted: a damaged file can have one per event. */
const SHOWN = 200;
/** Facts beside the page; the others are in the details. */
const LINES = 2;
const FOREIGN = "source.foreign";
const GRAVEST_FIRST: Severity[] = ["error", "warning", "info"];

/** A question or an action failed; the recording is still open. */
export function FailureMessage({ failure }: { failure: Failure }) {
  return (
    <div className={css.failure} data-testid="message" data-code={failure.code}>
      <FailureText failure={failure} />
    </div>
  );
}

/** What a link of another tool selected, until the user has read it. */
export function LinkedNote({ words }: { words: string }) {
  const [read, setRead] = useState(false);
  if (read) return null;
  return (
    <div role="status" className={css.linked} data-testid="linked">
      <p>{words}</p>
      <IconButton icon={X} label="Dismiss" onClick={() => setRead(true)} />
    </div>
  );
}

/** The files are trace files, or none of the recordings beside them has samples. */
export function SpansAlone({ files }: { files: FileSummary[] }) {
  const onAdd = useContext(AddFiles);
  const isAlone = files.every(({ format }) => format === "trace");
  return (
    <section aria-label="No samples" className={css.linked} data-testid="spans-alone">
      <p>
        {isAlone ? "No recording is open" : "The recording has no samples"}: graphs show the time of spans. Drop a
        recording of the service to see what they did.
      </p>
      {onAdd !== null && <FilePicker label="Add a recording…" testId="add-recording" onFiles={onAdd} />}
    </section>
  );
}

/** No file could be read: what each of them is, in place of a recording. */
export function Unreadable({ diagnostics, files }: { diagnostics: Diagnostic[]; files: FileSummary[] }) {
  const groups = damageGroups(diagnostics, files);
  const several = new Set(diagnostics.map(({ file }) => file)).size > 1;
  return (
    <div role="alert">
      <h2 className={css.title}>{several ? "No file could be read" : "This file could not be read"}</h2>
      <Groups groups={groups} several={several} />
      <details className={css.details}>
        <summary>Details</summary>
        <ul>
          <DiagnosticList diagnostics={diagnostics} />
        </ul>
      </details>
    </div>
  );
}

interface DiagnosticsProps {
  diagnostics: Diagnostic[];
  files: FileSummary[];
  cancelled: boolean;
}

/**
 * What was wrong with the files that were read, and what to do about it. Where nothing was wrong, the notes are under
 * "About" and no box takes room.
 */
export const Diagnostics = memo(function Diagnostics({ diagnostics, files, cancelled }: DiagnosticsProps) {
  const grave = useMemo(() => diagnostics.filter((each) => !isNote(each)), [diagnostics]);
  const groups = useMemo(() => withoutForeign(damageGroups(grave, files)), [grave, files]);
  if (grave.length === 0 && !cancelled) return null;
  return (
    <section aria-label="Messages" className={css.diagnostics} data-testid="message">
      {cancelled && <p className={css.fact}>Cancelled: the page shows the data read so far.</p>}
      <Groups groups={groups.slice(0, LINES)} several={files.length > 1} />
      {grave.length > 0 && (
        <details className={css.details}>
          <summary data-testid="message-details">{`Details: ${countWords(diagnostics)}`}</summary>
          <ul>
            {groups.length > LINES && (
              <li>
                <Groups groups={groups.slice(LINES)} several={files.length > 1} />
              </li>
            )}
            <DiagnosticList diagnostics={GRAVEST_FIRST.flatMap((of) => diagnostics.filter((d) => d.severity === of))} />
          </ul>
        </details>
      )}
    </section>
  );
});

/** Several files that are no recordings are one fact: the details have what each of them is. */
function withoutForeign(groups: DamageGroup[]): DamageGroup[] {
  const foreign = groups.filter(({ code }) => code === FOREIGN);
  const [first] = foreign;
  if (first === undefined || foreign.length === 1) return groups;
  const fact = `${formatCount(foreign.length)} files are not recordings: ${foreign.map(({ file }) => file).join(", ")}`;
  return [{ ...first, file: "", fact }, ...groups.filter(({ code }) => code !== FOREIGN)];
}

/** Facts with advice; the file is named where there are several. */
function Groups({ groups, several }: { groups: DamageGroup[]; several: boolean }) {
  return (
    <ul className={css.groups}>
      {groups.slice(0, SHOWN).map(({ code, severity, file, fact, advice, count }) => (
        <li key={`${code} ${file} ${fact}`} className={css[severity]} data-testid="damage" data-code={code}>
          <p className={css.fact}>
            {several && !fact.startsWith(file) && (
              <>
                <bdi className={css.file}>{visible(file, 120)}</bdi>{" "}
              </>
            )}
            <bdi>{visible(fact, 2000)}</bdi>
            {count > 1 && <span className={css.times}> ×{formatCount(count)}</span>}
          </p>
          {advice !== "" && <p className={css.hint}>{advice}</p>}
        </li>
      ))}
    </ul>
  );
}

/** Equal notes as one, in the words for people. */
export function NoteList({ diagnostics, files }: { diagnostics: Diagnostic[]; files: FileSummary[] }) {
  return <Groups groups={damageGroups(diagnostics, files)} several={files.length > 1} />;
}

/** Items of a list, in the order given, with code and place. */
export function DiagnosticList({ diagnostics }: { diagnostics: Diagnostic[] }) {
  return (
    <>
      {diagnostics.slice(0, SHOWN).map((diagnostic, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes once it is there
        <li key={index} data-code={diagnostic.code} className={css[diagnostic.severity]}>
          <DiagnosticLine diagnostic={diagnostic} />
        </li>
      ))}
      {diagnostics.length > SHOWN && <li>and {formatCount(diagnostics.length - SHOWN)} more</li>}
    </>
  );
}

/** Chunk and offset are in the message itself. */
function DiagnosticLine({ diagnostic }: { diagnostic: Diagnostic }) {
  const { code, severity, message, file } = diagnostic;
  return (
    <>
      <span className={css.severity}>{severity === "info" ? "note" : severity}</span>{" "}
      <bdi className={css.place}>{visible(file, 120)}</bdi> <span className={css.text}>{visible(message, 2000)}</span>{" "}
      <span className={css.code}>{code}</span>
    </>
  );
}

function countWords(diagnostics: Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((d) => d.severity === severity).length;
  const parts = [
    [count("error"), "error"],
    [count("warning"), "warning"],
    [count("info"), "note"],
  ] as const;
  return parts.flatMap(([n, word]) => (n === 0 ? [] : formatCounted(n, word))).join(", ");
}

/** Large recordings need some seconds for a question; a decoder that is stuck needs more. */
const SLOW_MS = 5000;
const LOOK_MS = 1000;

/**
 * The decoder has been busy for long, and the way to end that. Nothing is ended without the user: an answer may take a
 * minute.
 */
export function SlowNotice({ onStop }: { onStop: () => void }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => setSlow(viewerWaitingMs() > SLOW_MS), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div role="status">
      {isSlow && (
        <div className={css.slow} data-testid="slow">
          <p className={css.text}>
            The decoder has been busy for more than five seconds. Stop ends its work and reads the files again, without
            filters and search.
          </p>
          <Button testId="slow-stop" onClick={onStop}>
            Stop
          </Button>
        </div>
      )}
    </div>
  );
}
