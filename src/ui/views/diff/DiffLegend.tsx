import type { FramesAnswer } from "../../../core/types.ts";
import { cssOf, DIFF_SCALE, diffTone } from "../../../model/flame/colour.ts";
import { hiddenWords } from "../../../model/words/answer-words.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import css from "./DiffLegend.module.css";

/** Figures on the scale at their places: a change of one half is three times as much, or a third. */
const FIGURES: [at: number, words: string][] = [
  [0.25, "3× less"],
  [0.5, "same"],
  [0.75, "3× more"],
];

interface Props {
  answer: FramesAnswer;
  /** Shares of each total are compared, not values. */
  isShare: boolean;
  /** The values are measured: nothing is chance. */
  isExact: boolean;
  isPanel: boolean;
}

/** The colours of a comparison: the scale from the baseline to the selection, and the pale ones of chance. */
export function DiffLegend({ answer, isShare, isExact, isPanel }: Props) {
  const dark = useDark();
  const measured = isShare ? "share" : "value";
  const words = `Colours by the ${measured} in the selection compared with the ${measured} in the baseline`;
  return (
    <div className={css.foot} data-panel={isPanel || undefined}>
      <ul className={css.legend} aria-label={words} data-testid={isPanel ? undefined : "diff-legend"}>
        <li className={css.row}>
          <span className={css.end}>only in the baseline</span>
          <span className={css.scale} data-tip={`${words}.`}>
            {DIFF_SCALE.map((tone) => (
              <span key={tone.light} className={css.step} style={{ background: cssOf(tone, dark) }} />
            ))}
            {FIGURES.map(([at, figure]) => (
              <span key={figure} className={css.figure} style={{ left: `${100 * at}%` }}>
                {figure}
              </span>
            ))}
          </span>
          <span className={css.end}>only in the selection</span>
        </li>
        {!isExact && (
          <li
            className={css.row}
            data-tip="Too few samples to be sure: the difference may be chance (p ≥ 0.05). These frames have the palest colours."
          >
            <span className={css.swatch}>
              {[-1, 1].map((change) => (
                <span key={change} className={css.step} style={{ background: cssOf(diffTone(change, false), dark) }} />
              ))}
            </span>
            pale: may be chance
          </li>
        )}
      </ul>
      <span className={css.hidden}>{hiddenWords(ofShown(answer), false)}</span>
    </div>
  );
}

/** Widths are shares or sums of both selections: they have another unit than the value of one. */
function ofShown(answer: FramesAnswer): FramesAnswer {
  return { ...answer, selectionTotal: answer.frames.total[0] ?? 0 };
}
