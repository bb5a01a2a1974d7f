import { ChartNoAxesGantt, GitCompareArrows } from "lucide-react";
import type { CallPart } from "../../../core/types.ts";
import { slowestCount, slowestOf } from "../../../model/calls/call-parts.ts";
import { OTHER_CALLS, othersOfMethod } from "../../../model/query/baseline.ts";
import { listedParts } from "../../../model/query/call-chips.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { CallRow } from "../../../worker/api.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./CallsView.module.css";

interface Props extends Pick<ViewProps, "act"> {
  parts: readonly CallPart[];
  /** How many calls the list has; null until that is known. */
  listed: number | null;
  /** The row that keys act on. */
  active: CallRow | undefined;
}

/** Slow calls are so many of 100. */
const PERCENT = "5";

/** Which calls the other views show, and comparisons of calls in one click. */
export function CallActions({ parts, listed, active, act }: Props) {
  const ids = parts.flatMap((part) => (part.part === "ids" ? part.ids : []));
  const matching = listedParts(parts);
  const slowest = slowestOf(parts);
  const compare = (calls: readonly CallPart[], baseline: string) => {
    act({ kind: "calls", calls });
    act({ kind: "baseline", baseline });
    act({ kind: "view", view: "diff" });
  };
  const only = ids.length === 1 && active?.id === ids[0] ? active : undefined;
  const isAll = ids.length === 0 && slowest === null;
  return (
    <div className={css.actions}>
      <p role="status" data-testid="calls-selected">
        {selectedWords(ids.length, slowest === null ? null : slowestCount(slowest, listed ?? 0), listed)}
      </p>
      {!isAll && (
        <Button testId="calls-all" onClick={() => act({ kind: "calls", calls: matching })}>
          Select all
        </Button>
      )}
      {ids.length === 1 && (
        <Button
          testId="calls-chart"
          tip="The call in the order of time"
          onClick={() => act({ kind: "view", view: "chart" })}
        >
          <Icon of={ChartNoAxesGantt} size={14} /> Flame chart
        </Button>
      )}
      {only !== undefined && (
        <Button
          testId="calls-of-method"
          tip="Compares this call with the other calls of its method"
          onClick={() => compare([{ part: "ids", ids }, ...matching], othersOfMethod(only.name))}
        >
          <Icon of={GitCompareArrows} size={14} /> Compare with its method
        </Button>
      )}
      <Button
        testId="calls-slowest"
        tip="Compares the slowest 5 % of these calls with the rest of them"
        onClick={() => compare([...matching, { part: "slowest-percent", text: PERCENT }], OTHER_CALLS)}
      >
        <Icon of={GitCompareArrows} size={14} /> Slowest 5 % against the rest
      </Button>
    </div>
  );
}

function selectedWords(picked: number, slowest: number | null, listed: number | null): string {
  if (listed === null) return "";
  if (picked > 0)
    return `${formatCounted(picked, "call is", "calls are")} selected: the other views show ${picked === 1 ? "it" : "them"}.`;
  if (slowest !== null && slowest < listed) {
    return `Selected: the slowest ${formatCount(slowest)} of ${formatCounted(listed, "call")}.`;
  }
  if (listed === 0) return "";
  return "All of them are selected: the other views show them.";
}
