import { Waypoints } from "lucide-react";
import { memo } from "react";
import { CONTEXT_KEY } from "../../../model/query/attribute.ts";
import type { Selecting } from "../../../model/query/query.ts";
import type { UndoableAction } from "../../../model/query/undo.ts";
import { canInfer, coverageOf, hasInferred, inferredByRule, RULE_WORDS, RULES } from "../../../model/trace/coverage.ts";
import { areSpansAlone } from "../../../model/trace/shows-trace.ts";
import { formatCount, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Overview } from "../../../worker/api.ts";
import { Choice } from "../../primitives/choice/Choice.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import css from "./InferredContext.module.css";

interface Props {
  overview: Overview;
  /** Names of the profile types. */
  labels: ReadonlyMap<string, string>;
  inferred: boolean;
  query: Selecting;
  act: (action: UndoableAction) => void;
}

/** Turns inferred context on and off, and shows how many samples have context without and with it. */
export const InferredContext = memo(function InferredContext({ overview, labels, inferred, query, act }: Props) {
  if (areSpansAlone(overview.files)) return null;
  if ((overview.traces?.files ?? []).length === 0 && !canInfer(overview)) return null;
  const found = hasInferred(overview.profiles) ? "Context: inferred" : "Context";
  return (
    <Popover
      label={
        <>
          <Icon of={Waypoints} /> {inferred ? found : "Context: off"}
        </>
      }
      look="quiet"
      name={inferred ? "Inferred context: on" : "Inferred context: off"}
      title="Inferred context of events without a span id"
      testId="inferred-context"
    >
      {(close) => (
        <div className={css.panel}>
          <label className={css.toggle}>
            <input
              type="checkbox"
              data-first
              data-testid="inferred-toggle"
              checked={inferred}
              onChange={() => {
                close();
                act({ kind: "inferred", inferred: !inferred });
              }}
            />
            Infer the context of events without a span id
          </label>
          <p className={css.hint}>
            Monitors, parks, sleeps and I/O carry no span id. They get the span of their thread at that time, where one
            is certain, and never against an id of the event. Exports have the inferred context, too, and marks of it.
            {!inferred && " The files are read again."}
          </p>
          {inferred && <Coverage {...{ overview, labels, query, act }} />}
        </div>
      )}
    </Popover>
  );
});

const ONLY = [
  { value: "all", label: "All", title: "All samples" },
  { value: "recorded", label: "Recorded", title: "Samples whose context is not inferred" },
  { value: "inferred", label: "Inferred", title: "Samples whose context is inferred" },
];

/** Shares of samples with a span before and after, the rules, and the filter. */
function Coverage({ overview, labels, query, act }: Omit<Props, "inferred">) {
  const rows = coverageOf(overview.profiles);
  const rules = inferredByRule(overview.profiles);
  const filter = query.filter.attributes?.find(({ key }) => key === CONTEXT_KEY);
  const marked = filter?.exclude === true ? "recorded" : "inferred";
  const only = filter === undefined ? "all" : marked;
  return (
    <>
      <table className={css.table} data-testid="context-coverage">
        <caption>Samples with a span</caption>
        <thead>
          <tr>
            <th scope="col">profile</th>
            <th scope="col">recorded</th>
            <th scope="col">with inferred</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ type, samples, own, inferred }) => (
            <tr key={type}>
              <th scope="row">{visible(labels.get(type) ?? type, 40)}</th>
              <td>{formatPercent(own, samples)}</td>
              <td>{formatPercent(own + inferred, samples)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ul className={css.rules}>
        {RULES.filter((rule) => rules[rule] > 0).map((rule) => (
          <li key={rule}>
            <b>{formatCount(rules[rule])}</b> by {rule}: {RULE_WORDS[rule]}
          </li>
        ))}
      </ul>
      <Choice
        legend="Context of the samples"
        options={ONLY}
        value={only}
        onChange={(value) => {
          act({ kind: "context", only: value === "recorded" || value === "inferred" ? value : null });
        }}
        testId="context-only"
      />
    </>
  );
}
