import { memo } from "react";
import { formatCount } from "../../../model/words/format.ts";
import { isClean, reportWords } from "../../../model/words/report-words.ts";
import { visible } from "../../../model/words/text.ts";
import type { OtlpDiagnostic } from "../../../worker/api.ts";
import css from "./Messages.module.css";
import type { FileReport } from "./use-otlp-reports.ts";

/** What receivers would refuse or have to tolerate of the OTLP files on the page. The clean ones are under "About". */
export const OtlpReports = memo(function OtlpReports({ reports }: { reports: readonly FileReport[] }) {
  const shown = reports.filter(({ report }) => report === null || !isClean(report));
  if (shown.length === 0) return null;
  return (
    <section aria-label="OTLP validation">
      {shown.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and reports are only ever added
        <ReportView key={index} {...each} />
      ))}
    </section>
  );
});

function ReportView({ name, report, failure }: FileReport) {
  return (
    <details className={css.diagnostics} open={report?.valid !== true} data-testid="otlp-report">
      <summary>
        <bdi className={css.file}>{visible(name, 120)}</bdi>{" "}
        {report === null ? `could not be validated: ${failure}` : `as OTLP profiles: ${reportWords(report)}`}
      </summary>
      {report !== null && <DiagnosticList findings={report.findings} />}
    </details>
  );
}

/** One word for each file that nothing is wrong with, and the notes on it. */
export function CleanReports({ reports }: { reports: readonly FileReport[] }) {
  const clean = reports.flatMap(({ name, report }) => (report !== null && isClean(report) ? [{ name, report }] : []));
  if (clean.length === 0) return null;
  return (
    <section aria-label="OTLP validation">
      {clean.map(({ name, report }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as above
        <div key={index} data-testid="otlp-clean">
          <p>
            <bdi className={css.place}>{visible(name, 120)}</bdi> as OTLP profiles: {reportWords(report)}
          </p>
          {report.findings.length > 0 && <DiagnosticList findings={report.findings} />}
        </div>
      ))}
    </section>
  );
}

function DiagnosticList({ findings }: { findings: readonly OtlpDiagnostic[] }) {
  return (
    <ul aria-label="Findings">
      {findings.map(({ rule, severity, message, where, count, holds }) => (
        <li key={rule} className={css[severity]} data-rule={rule}>
          <span className={css.severity}>{severity === "info" ? "note" : severity}</span>{" "}
          <span title={`${holds}: docs/validator.md`}>{rule}</span>{" "}
          {where !== "" && <span className={css.place}>{visible(where, 200)}: </span>}
          <span className={css.text}>{visible(message, 2000)}</span>
          {count > 1 && ` (${formatCount(count)} times)`} <span className={css.code}>— {holds}</span>
        </li>
      ))}
    </ul>
  );
}
