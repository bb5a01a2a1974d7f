import type { Diagnostic, Severity } from "../../core/types.ts";
import { formatCount, formatCounted } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure } from "../../worker/api.ts";
import css from "./Messages.module.css";

/** Diagnostics beyond this many are only counted: a damaged file can have one per event. */
const SHOWN = 200;
const GRAVEST_FIRST: Severity[] = ["error", "warning", "info"];

/** A question or an action failed; the recording is still open. */
export function FailureMessage({ failure }: { failure: Failure }) {
  return (
    <div className={css.failure} data-testid="message" data-code={failure.code}>
      <FailureText failure={failure} />
    </div>
  );
}

export function FailureText({ failure }: { failure: Failure }) {
  return (
    <p className={css.text} role="alert">
      {visible(failure.message, 2000)}
    </p>
  );
}

/** No file could be read: what each of them is, in place of a recording. */
export function Unreadable({ diagnostics }: { diagnostics: Diagnostic[] }) {
  const files = new Set(diagnostics.map(({ file }) => file)).size;
  return (
    <div role="alert">
      <h2 className={css.title}>{files === 1 ? "This file could not be read" : "None of the files could be read"}</h2>
      <ul className={css.reasons}>
        {diagnostics.slice(0, SHOWN).map((diagnostic, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes once it is there
          <li key={index} data-code={diagnostic.code}>
            <bdi className={css.file}>{visible(diagnostic.file, 120)}</bdi>{" "}
            <span className={css.text}>{visible(diagnostic.message, 2000)}</span>
          </li>
        ))}
        {diagnostics.length > SHOWN && <li>and {formatCount(diagnostics.length - SHOWN)} more</li>}
      </ul>
    </div>
  );
}

/**
 * What was wrong with the files that were read, and what was done about it. Where nothing was wrong, the notes are
 * under "About" and no box takes room.
 */
export function Diagnostics({ diagnostics, cancelled }: { diagnostics: Diagnostic[]; cancelled: boolean }) {
  if (diagnostics.every(({ severity }) => severity === "info") && !cancelled) return null;
  const sorted = GRAVEST_FIRST.flatMap((severity) => diagnostics.filter((d) => d.severity === severity));
  const grave = sorted[0]?.severity === "error";
  return (
    <section aria-label="Messages">
      <details className={css.diagnostics} open={grave} data-testid="message">
        <summary>
          {cancelled && <strong>Cancelled: this is what was read until then. </strong>}
          {countWords(diagnostics)}
        </summary>
        <ul>
          <DiagnosticList diagnostics={sorted} />
        </ul>
      </details>
    </section>
  );
}

/** Items of a list, in the order given. */
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
