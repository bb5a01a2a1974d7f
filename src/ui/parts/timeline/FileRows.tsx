import { Fragment } from "react";
import type { TimeRow } from "../../../core/answers/time-rows.ts";
import type { TimeRange } from "../../../core/types.ts";
import { shareAt } from "../../../model/timeline/lanes.ts";
import { gapBetween } from "../../../model/timeline/marks.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { formatMoment } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { SplitText } from "../grid/SplitText.tsx";
import css from "./FileRows.module.css";
import { StripCanvas } from "./StripCanvas.tsx";
import rowCss from "./Timeline.module.css";
import type { Overviews } from "./use-row.ts";

interface Props {
  rows: readonly TimeRow[];
  current: TimeRow;
  onRow: (row: TimeRow) => void;
  /** The samples of each row over its time; null until they are known. */
  overviews: Overviews | null;
  /** The time filter. */
  range: TimeRange | null;
  marked: boolean;
  width: number;
}

/** Of several files each has a row with its own beginning; the timeline below is that of the pressed one. */
export function FileRows({ rows, current, onRow, overviews, range, marked, width }: Props) {
  return (
    <ul className={`${rowCss.rows} ${css.rows}`} aria-label="Files">
      {rows.map((row, i) => {
        const before = rows[i - 1];
        const gap = before === undefined ? "" : gapBetween(before, row);
        const answered = overviews?.answer[overviews.question.rows.indexOf(row)];
        return (
          <Fragment key={`${row.file} ${row.from}`}>
            {gap !== "" && (
              <li className={css.gap} data-testid="file-gap">
                {gap}
              </li>
            )}
            <li className={rowCss.row} data-testid="file-row">
              <Button
                look="quiet"
                className={css.name}
                aria-pressed={row === current}
                tip={`${visible(row.file, 200)}, ${timeWords(row)}`}
                onClick={() => onRow(row)}
              >
                <SplitText text={visible(row.file, 120)} />
              </Button>
              {/* biome-ignore lint/a11y: the button beside it does the same by keys */}
              <div className={`${rowCss.rowPlot} ${css.strip}`} onClick={() => onRow(row)}>
                {answered !== undefined && (
                  <StripCanvas
                    strip={{ ...answered, ...answered.strips[0]! }}
                    shown={row}
                    heaviest={0}
                    marked={marked}
                    width={width}
                  />
                )}
                {range !== null && range.from < row.to && range.to > row.from && (
                  <div
                    className={css.range}
                    style={{
                      left: `${100 * shareAt(row, range.from)}%`,
                      width: `${100 * (shareAt(row, range.to) - shareAt(row, range.from))}%`,
                    }}
                  />
                )}
                <span className={css.time}>{timeWords(row)}</span>
              </div>
            </li>
          </Fragment>
        );
      })}
    </ul>
  );
}

/** `2026-11-20 20:59:09 UTC · 60 s`. */
function timeWords({ from, to }: TimeRow): string {
  const moment = formatMoment(from, 0);
  const start = moment === "" ? "" : `${moment} · `;
  return start + formatNanos(to - from);
}
