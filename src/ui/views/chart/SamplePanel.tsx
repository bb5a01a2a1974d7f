import type { ChartColumns } from "../../../model/chart/columns.ts";
import { stackOf } from "../../../model/chart/steps.ts";
import { boxFigures, inferredBy, isRun } from "../../../model/chart/words.ts";
import { type FunctionAction, functionAction } from "../../../model/flame/frame-actions.ts";
import { RULE_WORDS } from "../../../model/trace/coverage.ts";
import { stateLines } from "../../../model/waits/state-words.ts";
import { visible } from "../../../model/words/text.ts";
import type { TraceSpans } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { FrameName } from "../../parts/grid/FrameName.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SamplePanel.module.css";

interface Props extends Pick<ViewProps, "act"> {
  columns: ChartColumns;
  box: number;
  /** The trace whose spans are above the threads. */
  trace: TraceSpans | null;
}

/** Frames of a stack that are listed, from the box outwards. */
const MOST_FRAMES = 100;

const ACTIONS: readonly { action: FunctionAction; label: string; tip: string }[] = [
  { action: "sandwich", label: "Callers & callees", tip: "The sandwich of this function" },
  { action: "search", label: "Find all", tip: "Highlights this function in every view" },
  { action: "only", label: "Keep only these stacks", tip: "Filters by samples with this function" },
];

/** A frame, a span or a pause of the chart of samples: its times, its context, and what leads on. */
export function SamplePanel({ columns, box, trace, act }: Props) {
  const { title, beside } = columns.lanes[columns.lane[box]];
  const rule = inferredBy(columns, box);
  return (
    <>
      <dl className={css.figures} data-testid="sample-figures">
        {boxFigures(columns, box).map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {(beside === undefined || beside === "states") && (
          <div>
            <dt>Thread</dt>
            <dd>{visible(title, 120)}</dd>
          </div>
        )}
      </dl>
      {rule !== null && (
        <p className={css.context} data-testid="sample-context">
          Context inferred by {rule}: {RULE_WORDS[rule]}.
        </p>
      )}
      {beside === "spans" && trace !== null && <SpanActions id={trace.id[columns.id[box]] ?? 0n} act={act} />}
      {beside === undefined && <Frame columns={columns} box={box} act={act} />}
      {beside === "states" && <StateFacts columns={columns} box={box} />}
    </>
  );
}

function SpanActions({ id, act }: { id: bigint; act: Props["act"] }) {
  return (
    <div className={css.actions}>
      <Button testId="sample-span" onClick={() => act({ kind: "only-id", chip: { kind: "span", id } })}>
        Show only this span
      </Button>
      <Button testId="sample-trace" onClick={() => act({ kind: "view", view: "trace" })}>
        Waterfall
      </Button>
    </div>
  );
}

/** What a thread waited for, who held that, and its stack. */
function StateFacts({ columns: { id, start, duration, origin }, box }: Pick<Props, "columns" | "box">) {
  const question = useSame({ thread: id[box], moment: origin + BigInt(Math.floor(start[box] + duration[box] / 2)) });
  const answered = useAnswer(question, (asked) => viewer.stateThen(asked.thread, asked.moment, 0), true);
  const then = answered?.question === question ? answered.answer : null;
  if (then === null) return null;
  return (
    <ul className={css.stack} data-testid="sample-state">
      {stateLines(then).map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a function may be in a stack several times
        <li key={i}>{line}</li>
      ))}
    </ul>
  );
}

function Frame({ columns, box, act }: Omit<Props, "trace">) {
  const name = columns.names[columns.name[box]] ?? "";
  const stack = stackOf(columns, box).slice(0, MOST_FRAMES);
  const isFolded = isRun(columns, box);
  return (
    <>
      <div className={css.actions}>
        {isFolded && (
          <Button testId="sample-unfold" onClick={() => act({ kind: "look", look: { folded: false } })}>
            Show all frames
          </Button>
        )}
        {ACTIONS.map(({ action, label, tip }) => {
          const query = isFolded ? null : functionAction(action, name);
          if (query === null) return null;
          return (
            <Button key={action} testId={`sample-${action}`} tip={tip} onClick={() => act(query)}>
              {label}
            </Button>
          );
        })}
      </div>
      <h3 className={css.caption}>Stack</h3>
      <ol className={css.stack} data-testid="sample-stack">
        {stack.map((frame, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a function may be in a stack several times
          <li key={i} title={frame}>
            <FrameName text={frame} />
          </li>
        ))}
      </ol>
    </>
  );
}
