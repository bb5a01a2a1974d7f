import { useRef, useState } from "react";
import { PRESETS } from "../../core/presets.ts";
import { filterWords } from "../../model/query/chip-words.ts";
import type { QueryState } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import {
  type ExportChoice,
  firstChoice,
  isOtlp,
  measureWords,
  OFFERED,
  offered,
  type Pair,
  settled,
} from "../../model/words/export-choice.ts";
import { formatCount, formatCounted } from "../../model/words/format.ts";
import { isShown } from "../../model/words/shown-formats.ts";
import { visible } from "../../model/words/text.ts";
import type { Failure, Overview } from "../../worker/api.ts";
import { Dialog } from "../dialog/Dialog.tsx";
import { ChoiceList } from "./ChoiceList.tsx";
import { DownloadFooter } from "./DownloadFooter.tsx";
import css from "./ExportDialog.module.css";
import { FileOptions } from "./FileOptions.tsx";
import { PairRows } from "./PairRows.tsx";
import { ReceiverFields, type ReceiverText } from "./ReceiverFields.tsx";
import { SendFooter } from "./SendFooter.tsx";
import { ShownOptions } from "./ShownOptions.tsx";

export interface ExportDialogProps {
  open: boolean;
  onClose: () => void;
  names: string[];
  overview: Overview;
  profile: Measured;
  query: QueryState;
  onFailure: (failure: Failure) => void;
}

/** Exactly what is filtered, as a file or to a receiver. */
export function ExportDialog({ open, onClose, names, overview, profile, query, onFailure }: ExportDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [told, setTold] = useState<ExportChoice>(() => firstChoice(overview.resource));
  const [receiver, setReceiver] = useState<ReceiverText>({ endpoint: "", headers: [] });
  const choice = settled(told);
  const change = (changes: Partial<ExportChoice>) => setTold((now) => ({ ...now, ...changes }));

  const job = { names, overview, profile, query, choice };
  const toReceiver = choice.target === "receiver";
  const close = () => dialog.current?.close();
  return (
    <Dialog dialog={dialog} open={open} onClose={onClose} title="Export" testId="export-dialog">
      <div className={css.body}>
        <ScopeChoice overview={overview} profile={profile} query={query} choice={choice} onChange={change} />
        <ChoiceList
          legend="Where to"
          name="target"
          value={choice.target}
          onChange={(target) => change({ target })}
          rows={[
            { value: "file", name: "a file", about: "stays on this machine" },
            { value: "receiver", name: "a receiver", about: "sends it: a Collector, or a backend that takes OTLP" },
          ]}
        />
        {toReceiver && <ReceiverFields text={receiver} onChange={setReceiver} />}
        <ChoiceList
          legend="Format"
          name="format"
          value={choice.format}
          onChange={(format) => change({ format })}
          rows={OFFERED.filter(({ name }) => !toReceiver || isOtlp(name)).map(({ name, about }) => ({
            value: name,
            name,
            about,
          }))}
        />
        {isOtlp(choice.format) && <OtlpOptions choice={choice} onChange={change} />}
        {isShown(choice.format) ? (
          <ShownOptions choice={choice} onChange={change} />
        ) : (
          <FileOptions overview={overview} choice={choice} onChange={change} />
        )}
      </div>
      {toReceiver ? (
        <SendFooter job={job} receiver={receiver} onClose={close} onFailure={onFailure} />
      ) : (
        <DownloadFooter job={job} onClose={close} onFailure={onFailure} />
      )}
    </Dialog>
  );
}

interface ScopeProps extends Pick<ExportDialogProps, "overview" | "profile" | "query">, OptionsProps {}

/** One profile or all, and the filter that both are under. */
function ScopeChoice({ overview, profile, query, choice, onChange }: ScopeProps) {
  const filter = filterWords(query, overview.rows);
  return (
    <ChoiceList
      legend="What"
      name="scope"
      value={choice.all ? "all" : "one"}
      onChange={(scope) => onChange({ all: scope === "all" })}
      rows={[
        {
          value: "one",
          name: visible(profile.type, 60),
          about: `the profile on screen${by(choice, false, profile)}`,
        },
        {
          value: "all",
          name: "all profiles",
          about: `${formatCounted(overview.profiles.length, "profile")} under the same filter${by(choice, true, profile)}`,
          disabled: offered(choice.format).single === true,
        },
      ]}
    >
      <p className={css.hint} data-testid="export-filter">
        {filter === "" ? (
          "Not filtered: all samples of the recording."
        ) : (
          <>
            Filtered: <bdi>{filter}</bdi>
          </>
        )}
      </p>
    </ChoiceList>
  );
}

interface OptionsProps {
  choice: ExportChoice;
  onChange: (changes: Partial<ExportChoice>) => void;
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
        about="What the message says of the process; filled in from the recording."
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

/** By what the samples are weighed, where there is a choice. */
function by(choice: ExportChoice, all: boolean, profile: Measured): string {
  const words = measureWords({ ...choice, all }, profile);
  if (words === "") return "";
  return `, ${all ? `${visible(profile.type, 60)} ` : ""}by ${visible(words, 60)}`;
}
