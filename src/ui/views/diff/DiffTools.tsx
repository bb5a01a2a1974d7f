import { Pin } from "lucide-react";
import { type ReactNode, useId } from "react";
import {
  type BaselineChoice,
  baselineOf,
  baselineText,
  OTHER_CALLS,
  OTHER_SPANS_WORDS,
  OTHER_VALUES,
  OTHERS,
  pin,
} from "../../../model/query/baseline.ts";
import { type DiffScale, type DiffShape, OTHER_SPANS } from "../../../model/query/query.ts";
import { visible } from "../../../model/words/text.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { ViewTools } from "../../parts/view/ViewTools.tsx";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./DiffView.module.css";

interface Props extends Pick<ViewProps, "query" | "act" | "files" | "onCompareWith"> {
  choice: BaselineChoice;
  /** The baseline that the choice has led to; "" until it is known. */
  words: string;
  keys: string[];
  /** Of calls of dumps. */
  ofCalls: boolean;
  /** Other tools beside them. */
  children: ReactNode;
}

const SCALES: { value: DiffScale; label: string; title: string }[] = [
  {
    value: "share",
    label: "shares",
    title: "Percentages of each total, for selections of different sizes",
  },
  { value: "value", label: "values", title: "Absolute values, for selections of the same size" },
];

const SHAPES: { value: DiffShape; label: string; title: string }[] = [
  { value: "graph", label: "graph", title: "Show one flame graph of both" },
  { value: "functions", label: "functions", title: "Show a table of functions, largest change first" },
];

function callWords(method: string | null): string {
  return method === null ? "the other calls that match" : `the other calls of ${visible(method, 60)}`;
}

/** What the selection is compared with, and how. */
export function DiffTools({ choice, words, keys, ofCalls, files, query, act, onCompareWith, children }: Props) {
  const id = useId();
  const onBaseline = (baseline: string) => {
    const other = files.find((name) => `file:${name}` !== baseline);
    const { file: only } = query.filter;
    const alone = only === undefined || `file:${only}` === baseline;
    const file = baseline.startsWith("file:") && alone && other !== undefined ? { file: other } : {};
    act({ kind: "baseline", baseline, ...file });
  };
  return (
    <ViewTools>
      <label htmlFor={id} className="visually-hidden">
        Baseline
      </label>
      <select
        id={id}
        className={css.baseline}
        data-tip="Baseline"
        data-testid="baseline"
        value={shownBaseline(choice, words)}
        onChange={(event) => onBaseline(event.currentTarget.value)}
      >
        {baselineOf("", keys).kind === "operation" && <option value="">other requests of this endpoint</option>}
        <option value="rest">{ofCalls ? OTHER_VALUES : OTHERS}</option>
        {keys.map((key) => (
          <option key={key} value={`key:${key}`}>
            others with this {visible(key, 60)}
          </option>
        ))}
        {files.length > 1 &&
          files.map((name) => (
            <option key={`file:${name}`} value={`file:${name}`}>
              the file {visible(name, 60)}
            </option>
          ))}
        {choice.kind === "calls" && <option value={baselineText(choice)}>{callWords(choice.method)}</option>}
        {query.filter.calls !== undefined && (choice.kind !== "calls" || choice.method !== null) && (
          <option value={OTHER_CALLS}>{callWords(null)}</option>
        )}
        {(choice.kind === "spans" || query.filter.spans !== undefined) && (
          <option value={OTHER_SPANS}>{choice.kind === "spans" ? words : OTHER_SPANS_WORDS}</option>
        )}
        {choice.kind === "pinned" && <option value="#">the pinned selection</option>}
      </select>
      <IconButton
        icon={Pin}
        label="Use as baseline"
        tip="Use the current selection as the baseline"
        testId="pin"
        onClick={() => onBaseline(pin(query))}
      />
      <FilePicker label="Another file…" testId="compare-input" onFiles={onCompareWith} />
      <Choice
        legend="Compare by"
        options={SCALES}
        value={query.scale}
        onChange={(scale) => act({ kind: "scale", scale })}
        testId="diff-scale"
      />
      <Choice
        legend="Show"
        options={SHAPES}
        value={query.diff}
        onChange={(shape) => act({ kind: "diff", shape })}
        testId="diff-shape"
      />
      <div className={css.others}>{children}</div>
    </ViewTools>
  );
}

/** A selection without an endpoint, or with all of its samples, is compared with all others: the choice shows that. */
function shownBaseline(choice: BaselineChoice, words: string): string {
  if (choice.kind === "pinned") return "#";
  return choice.kind === "operation" && words === OTHERS ? "rest" : baselineText(choice);
}
