import type { ReactNode } from "react";
import { doubtsOf } from "../../../model/recording/doubts.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { chunkRows, coverageTable, producersOf, settingRows } from "../../../model/recording/recording.ts";
import { formatBytes, formatCount, formatCounted, formatNanos, formatPercent } from "../../../model/words/format.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import type { Overview } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer } from "../../parts/answers/use-answer.ts";
import { Advised } from "../../primitives/clipboard/Advised.tsx";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import { DiagnosticList } from "../messages/Messages.tsx";
import css from "./RecordingDialog.module.css";

export interface RecordingDialogProps extends DialogProps {
  overview: Overview;
  /** Names of the profiles. */
  tabs: readonly ProfileTab[];
}

/** Rows of a table beyond this many are only counted. */
const SHOWN = 300;

/** Facts of the recording besides its samples: producers, chunks, coverage, settings and diagnostics. */
export function RecordingDialog({ open, onClose, overview, tabs }: RecordingDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="About the recording" testId="recording-dialog" wide keeps>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which the keyboard must be able to do */}
      <div className={css.body} tabIndex={0} data-first>
        {open && <Sections overview={overview} tabs={tabs} />}
      </div>
      <div className={css.footer}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function Sections({ overview, tabs }: Pick<RecordingDialogProps, "overview" | "tabs">) {
  const { files, profiles, settings, diagnostics, uploads } = overview;
  const producers = producersOf(files);
  const chunks = chunkRows(files);
  const coverage = coverageTable(profiles);
  const label = (type: string) => tabs.find((tab) => tab.type === type)?.label ?? type;
  const several = files.length > 1;
  return (
    <>
      <Doubts />
      {producers.length > 0 && (
        <Table
          caption="Recorded by"
          testId="producers"
          heads={["producer", "#event types", "#events"]}
          rows={producers.map(({ name, types, events }) => [name, formatCount(types), formatCount(events)])}
        />
      )}
      {coverage.rows.length > 0 && (
        <Table
          caption="Context coverage"
          testId="coverage-table"
          heads={["share of samples with", ...coverage.rows.map(({ type }) => `#${visible(label(type), 60)}`)]}
          rows={[
            ["all samples", ...coverage.rows.map(({ samples }) => formatCount(samples))],
            ...coverage.columns.map((name) => [
              visible(name, 60),
              ...coverage.rows.map(({ shares }) => formatShare(shares.get(name) ?? 0)),
            ]),
          ]}
        />
      )}
      {chunks.length > 0 && (
        <Table
          caption={formatCounted(chunks.length, "chunk")}
          testId="chunks"
          heads={[...(several ? ["file"] : []), "#chunk", "#offset", "#size", "begins", "#lasts", "#events", "JFR"]}
          rows={chunks.map((chunk) => [
            ...(several ? [visible(chunk.file, 60)] : []),
            formatCount(chunk.index + 1),
            formatCount(chunk.offset),
            formatBytes(chunk.bytes),
            formatMoment(chunk.startUnixNano),
            formatNanos(chunk.durationNano),
            formatCount(chunk.events),
            chunk.version,
          ])}
        />
      )}
      <OfProcesses files={files} uploads={uploads} />
      <Table
        caption="Recorder settings"
        testId="settings-table"
        heads={["event", "setting", "value"]}
        rows={settingRows(profiles, settings).map(({ event, name, value }) => [
          visible(event, 80),
          visible(name, 60),
          visible(value, 120),
        ])}
      />
      <Counters files={files} />
      {diagnostics.length > 0 && (
        <section>
          <h3 className={css.caption}>{formatCounted(diagnostics.length, "diagnostic")}</h3>
          <ul className={css.remarks} data-testid="recording-diagnostics">
            <DiagnosticList diagnostics={diagnostics} />
          </ul>
        </section>
      )}
    </>
  );
}

const ASKED = {};

/** What the recording cannot show, each with the setting that records it. */
function Doubts() {
  const facts = useAnswer(ASKED, () => viewer.recordedFacts(), true)?.answer;
  const doubts = facts === undefined ? [] : doubtsOf(facts);
  if (doubts.length === 0) return null;
  return (
    <section>
      <h3 className={css.caption}>What this recording cannot show</h3>
      <ul className={css.remarks} data-testid="doubts">
        {doubts.map(({ about, words, setting }) => (
          <li key={`${about} ${words}`}>
            <Advised words={visible(words, 1000)} {...(setting !== undefined && { setting })} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Attributes of the processes, and the figures that profilers of uploads state about themselves. */
function OfProcesses({ files, uploads }: Pick<Overview, "files" | "uploads">) {
  const rows = (name: string, of: object) => {
    const first = files.length > 1 ? [visible(name, 60)] : [];
    return Object.entries(of).map(([key, value]) => [...first, visible(key, 80), visible(String(value), 120)]);
  };
  const file = files.length > 1 ? ["file"] : [];
  return (
    <>
      <Table
        caption="Process"
        testId="process-table"
        heads={[...file, "attribute", "value"]}
        rows={files.flatMap(({ name, resource }) => rows(name, resource))}
      />
      <Table
        caption="Figures of the profiler"
        testId="figures-table"
        heads={[...file, "figure", "#value"]}
        rows={uploads.flatMap((upload) => rows(upload.file, upload.figures))}
      />
    </>
  );
}

/** What a profiler counted about itself. */
function Counters({ files }: Pick<Overview, "files">) {
  return (
    <Table
      caption="Counters of the profiler"
      testId="counters"
      heads={[...(files.length > 1 ? ["file"] : []), "counter", "#count"]}
      rows={files.flatMap(({ name, counters = {} }) =>
        Object.entries(counters).map(([counter, count]) => [
          ...(files.length > 1 ? [visible(name, 60)] : []),
          visible(counter, 80),
          formatCount(count),
        ]),
      )}
    />
  );
}

/** Empty where no sample has it: most attributes are in few profiles. */
function formatShare(share: number): string {
  return share === 0 ? "" : formatPercent(share, 1);
}

interface TableProps {
  caption: string;
  testId: string;
  /** `#` in front: figures, to the right. */
  heads: string[];
  rows: ReactNode[][];
}

function Table({ caption, testId, heads, rows }: TableProps) {
  if (rows.length === 0) return null;
  return (
    <div className={css.section}>
      <h3 className={css.caption}>{caption}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, which the keyboard must be able to do */}
      <section className={css.box} tabIndex={0} aria-label={caption}>
        <table className={css.table} data-testid={testId}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" data-figure={head.startsWith("#") || undefined}>
                  {head.replace(/^#/, "")}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map(([first, ...cells], index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the tables never change
              <tr key={index}>
                <th scope="row" data-figure={heads[0]?.startsWith("#") || undefined}>
                  <bdi>{first}</bdi>
                </th>
                {cells.map((cell, column) => (
                  <td key={heads[column + 1]} data-figure={heads[column + 1]?.startsWith("#") || undefined}>
                    <bdi>{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > SHOWN && <p className={css.more}>and {formatCount(rows.length - SHOWN)} more</p>}
    </div>
  );
}
