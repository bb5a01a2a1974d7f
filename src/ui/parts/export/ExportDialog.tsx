import { memo, useMemo, useState } from "react";
import { PRESETS } from "../../../core/tables/presets.ts";
import { invocationFormat, namesCalls } from "../../../model/calls/export/invocations.ts";
import { filterWords } from "../../../model/query/chip-words.ts";
import { filterOf, type QueryState } from "../../../model/query/query.ts";
import {
  type ExportChoice,
  exportName,
  firstChoice,
  isOtlp,
  measureWords,
  offered,
  type Pair,
  SERVICE_NAME,
  settled,
} from "../../../model/query/written/export-choice.ts";
import { writtenShape } from "../../../model/query/written/written-shape.ts";
import { canInfer, hasInferred } from "../../../model/trace/coverage.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { isShown } from "../../../model/words/shown-formats.ts";
import { visible } from "../../../model/words/text.ts";
import type { Overview } from "../../../worker/api.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { isClosed } from "../../primitives/dialog/use-lazy-dialog.ts";
import type { Outlined } from "../selection/use-outline.ts";
import { ChoiceList } from "./ChoiceList.tsx";
import { CommandButton, DownloadFooter } from "./DownloadFooter.tsx";
import css from "./ExportDialog.module.css";
import { FileOptions, FormatCards, type OptionsProps, ShownOptions } from "./FileOptions.tsx";
import type { ExportJob } from "./job.ts";
import { PairRows } from "./PairRows.tsx";
import { ReceiverFields, type ReceiverText } from "./ReceiverFields.tsx";
import { SendFooter } from "./SendFooter.tsx";
import { useSummary } from "./use-summary.ts";

export interface ExportDialogProps extends DialogProps, Omit<ExportJob, "choice"> {
  /** Name of the profile on its tab. */
  label: string;
  /** What is selected of every profile. */
  outlined: Outlined | null;
}

/** The export dialog: writes exactly the filtered samples to a file or to a receiver. */
export const ExportDialog = memo(function ExportDialog(props: ExportDialogProps) {
  const { open, onClose, names, label, overview, profile, query: asked, outlined } = props;
  const isInferred = asked.inferred && hasInferred(overview.profiles);
  const query = useMemo(() => ({ ...asked, inferred: isInferred }), [asked, isInferred]);
  const [told, setTold] = useState<ExportChoice>(() => firstChoice(overview.resource));
  const [receiver, setReceiver] = useState<ReceiverText>({ endpoint: "", headers: [] });
  const choice = settled(told);
  const change = (changes: Partial<ExportChoice>) => setTold((now) => ({ ...now, ...changes }));

  const job = { names, overview, profile, query, choice };
  const summary = useSummary(job, outlined, open);
  const toReceiver = choice.target === "receiver";
  const output = exportName(names, choice, profile, query.filter);
  return (
    <Dialog open={open} onClose={onClose} title="Export" testId="export-dialog" keeps>
      <div className={css.body}>
        <FormatCards choice={choice} onFormat={(format) => change({ format })} />
        <div className={css.pairOfChoices}>
          <ScopeChoice {...{ label, overview, profile, query, outlined, choice }} onChange={change} />
          <ChoiceList
            legend="Destination"
            name="target"
            value={choice.target}
            onChange={(target) => change({ target })}
            rows={[
              { value: "file", name: "Download", about: "a file on this machine" },
              { value: "receiver", name: "Send", about: "to an OTLP endpoint: a Collector or a backend" },
            ]}
          />
        </div>
        {toReceiver && <ReceiverFields text={receiver} onChange={setReceiver} />}
        {isOtlp(choice.format) && isNameless(overview) && <ServiceName choice={choice} onChange={change} />}
        {isShown(choice.format) ? (
          <ShownOptions choice={choice} onChange={change} />
        ) : (
          <MoreOptions overview={overview} choice={choice} onChange={change} />
        )}
      </div>
      <div className={css.summary}>
        <p className={css.total} role="status" data-testid="export-summary">
          {summary}
        </p>
        {(isInferred || (!asked.inferred && canInfer(overview))) && !isShown(choice.format) && (
          <p className={css.hint} data-testid="export-inferred">
            {isInferred ? INFERRED_WRITTEN : INFERRED_LEFT_OUT}
          </p>
        )}
        {offered(choice.format).pageOnly === true ? (
          <p className={css.hint}>Only the page draws a PNG. For an SVG there is a command.</p>
        ) : (
          <CommandButton
            {...{ names, query, profile, choice, output }}
            said={overview.resource}
            endpoint={receiver.endpoint.trim() || "http://localhost:4318"}
          />
        )}
      </div>
      {toReceiver ? (
        <SendFooter job={job} receiver={receiver} onClose={onClose} />
      ) : (
        <DownloadFooter job={job} onClose={onClose} />
      )}
    </Dialog>
  );
}, isClosed);

const INFERRED_LEFT_OUT = "Inferred context is off: samples have only the spans that their events state.";
const INFERRED_WRITTEN =
  "Inferred spans are included and marked with spanflame.context=inferred. Turn Context off to leave them out.";

/** Options that few people change: collapsed until they are opened. */
function MoreOptions({ overview, choice, onChange }: OptionsProps & { overview: Overview }) {
  return (
    <details className={css.more} data-testid="export-more">
      <summary>More options</summary>
      <div className={css.options}>
        {isOtlp(choice.format) && <OtlpOptions choice={choice} onChange={onChange} />}
        <FileOptions overview={overview} choice={choice} onChange={onChange} />
      </div>
    </details>
  );
}

/** Backends list profiles by the service: the dialog asks for a missing name. */
function isNameless({ resource }: Overview): boolean {
  const name = String(resource[SERVICE_NAME] ?? "");
  return name === "" || name.startsWith("unknown_service");
}

function ServiceName({ choice, onChange }: OptionsProps) {
  const others = choice.attributes.filter(({ key }) => key !== SERVICE_NAME);
  const value = choice.attributes.find(({ key }) => key === SERVICE_NAME)?.value ?? "";
  return (
    <label className={css.line}>
      <span>{SERVICE_NAME}</span>
      <input
        data-testid="export-service"
        value={value}
        placeholder="unknown: backends list profiles by it"
        spellCheck={false}
        onChange={(event) =>
          onChange({ attributes: [{ key: SERVICE_NAME, value: event.currentTarget.value }, ...others] })
        }
      />
    </label>
  );
}

interface ScopeProps
  extends Pick<ExportDialogProps, "label" | "overview" | "profile" | "query" | "outlined">,
    OptionsProps {}

/** One profile or all, and the filter that both are under. */
function ScopeChoice({ label, overview, profile, query, outlined, choice, onChange }: ScopeProps) {
  const filter = filterWords(query, overview.rows, outlined?.outline.threadNames);
  return (
    <ChoiceList
      legend="Samples"
      name="scope"
      value={choice.all ? "all" : "one"}
      onChange={(scope) => onChange({ all: scope === "all" })}
      rows={[
        {
          value: "one",
          name: visible(label, 60),
          about: `the profile on screen${by(choice, false, profile)}`,
        },
        {
          value: "all",
          name: "All profiles",
          about: `${formatCounted(overview.profiles.length, "profile")} under the same filter${by(choice, true, profile)}`,
          disabled: offered(choice.format).single === true,
        },
      ]}
    >
      <p className={css.hint} data-testid="export-filter">
        {isOfInvocations(choice, query, profile) &&
          "Every invocation of the picked calls, with its order and duration, in place of samples. "}
        {filter === "" ? (
          "Not filtered: all samples of the recording."
        ) : (
          <>
            Filtered: <bdi>{filter}</bdi>
          </>
        )}
        {query.inferred && " Inferred context is written, too, with the attribute spanflame.context."}
      </p>
    </ChoiceList>
  );
}

function isOfInvocations({ format, all }: ExportChoice, query: QueryState, profile: Measured): boolean {
  const filter = filterOf(query);
  const shape = writtenShape(query.shape);
  return (
    invocationFormat({ format, isNamed: namesCalls(filter), type: all ? null : profile.type, filter, shape }) !== null
  );
}

function OtlpOptions({ choice, onChange }: OptionsProps) {
  return (
    <>
      <ChoiceList
        legend="Preset"
        name="preset"
        value={choice.preset}
        onChange={(preset) => onChange({ preset })}
        rows={PRESETS.map(({ name, about }) => ({ value: name, name, about }))}
      />
      <PairRows
        legend="Resource attributes"
        about="Of the process, from the recording."
        summary={pairWords(choice.attributes)}
        name="attribute"
        one="attribute"
        pairs={choice.attributes}
        onChange={(attributes) => onChange({ attributes })}
      />
    </>
  );
}

/** `demo-shop and 6 more`. */
function pairWords([first, ...others]: Pair[]): string {
  if (first === undefined) return "none";
  const more = others.length === 0 ? "" : ` and ${formatCount(others.length)} more`;
  return `${visible(first.key, 60)} = ${visible(first.value, 60)}${more}`;
}

/** The measure of the samples, where there is a choice. */
function by(choice: ExportChoice, all: boolean, profile: Measured): string {
  const words = measureWords({ ...choice, all }, profile);
  if (words === "") return "";
  return `, ${all ? `${visible(profile.type, 60)} ` : ""}by ${visible(words, 60)}`;
}
