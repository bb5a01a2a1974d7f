import { type Blocked, heldFilter, shortClass } from "../../../model/waits/held.ts";
import { formatCount, formatNanos, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { MiddleText } from "../../parts/grid/FrameName.tsx";
import { useOpenFilter } from "../../parts/selection/open-filter.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import view from "./OverviewView.module.css";
import css from "./Rows.module.css";

const SHOWN = 8;

interface Props extends Pick<ViewProps, "profile" | "tabs" | "act"> {
  blocked: readonly Blocked[];
}

/** Who holds what others wait for. A row opens what its holder did during its longest hold. */
export function WhoBlocks({ blocked, ...props }: Props) {
  const open = useOpenFilter(props);
  const most = Number(blocked[0]?.durationNano ?? 1n);
  return (
    <section className={view.section} data-testid="who-blocks">
      <h2 className={view.title}>Who blocks whom</h2>
      <p className={view.quiet}>waits for locks; a row opens what the holder did during its longest hold</p>
      <p className={`${css.row} ${css.blocked} ${css.heads}`} aria-hidden="true">
        <span className={css.name}>held by</span>
        <span className={`${css.name} ${css.waiter}`}>waiting</span>
        <span className={css.name}>on</span>
        <span>time</span>
        <span>waits</span>
        <span data-tip="The part of the time whose holder is certain; the rest is inferred">certain</span>
      </p>
      <ol>
        {blocked.slice(0, SHOWN).map((row) => {
          const { holder, waiter, durationNano, waits, certainNano, longest } = row;
          return (
            <li key={`${holder} ${waiter} ${row.class}`}>
              <Button
                className={`${css.row} ${css.blocked}`}
                testId="blocked"
                disabled={heldFilter(longest) === null}
                onClick={() => void open(heldFilter(longest))}
              >
                <span className={view.bar} style={{ width: `${(100 * Number(durationNano)) / most}%` }} />
                {[holder, waiter, shortClass(row.class)].map((text, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two of them may be the same
                  <span key={i} className={i === 1 ? `${css.name} ${css.waiter}` : css.name}>
                    <MiddleText text={visible(text || "(no name)", 120)} />
                  </span>
                ))}
                <span>{formatNanos(Number(durationNano))}</span>
                <span>{formatCount(waits)}</span>
                <span>{formatPercent(certainNano, durationNano)}</span>
              </Button>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
