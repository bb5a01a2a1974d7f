import { memo, useEffect, useMemo, useRef, useState } from "react";
import { cssOf, type Tone } from "../../../model/flame/colour.ts";
import type { LegendRow } from "../../../model/flame/legend.ts";
import { formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { whenIdle } from "../../parts/answers/after-paint.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import css from "./LegendStrip.module.css";
import type { Colours } from "./use-colours.ts";

/** Colours of a swatch that can be distinguished. */
const MOST_STRIPES = 4;

interface Props {
  colours: Colours;
}

/** Colours of the graph, with the share of each. A click highlights its frames; a second one or Escape ends that. */
export const LegendStrip = memo(function LegendStrip({ colours: { legend, whole, highlighted, highlight } }: Props) {
  const rows = useRows(legend);
  const group = useRef<HTMLFieldSetElement>(null);
  const active = rows.find(({ key }) => key === highlighted);
  return (
    <fieldset
      ref={group}
      className={css.legend}
      part="legend"
      aria-label="Colours, with the self value of the frames shown"
      data-testid="legend"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || highlighted === null) return;
        event.stopPropagation();
        highlight(null);
      }}
    >
      {rows.map((row) => (
        <Entry
          key={row.key}
          row={row}
          whole={whole}
          pressed={row.key === highlighted}
          onPress={() => highlight(row.key === highlighted ? null : row.key)}
        />
      ))}
      <span role="status" className="visually-hidden">
        {active === undefined ? "" : `${visible(active.label, 80)} highlighted`}
      </span>
    </fieldset>
  );
});

/** Rows of the graph that is shown; none until a new graph is painted, so that it is painted sooner. */
function useRows(legend: () => LegendRow[]): LegendRow[] {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    let isThere = true;
    whenIdle(() => {
      if (isThere) setPainted(true);
    });
    return () => {
      isThere = false;
    };
  }, []);
  return useMemo(() => (isPainted ? legend() : []), [isPainted, legend]);
}

interface EntryProps {
  row: LegendRow;
  whole: number;
  pressed: boolean;
  onPress: () => void;
}

function Entry({ row: { label, tones, value, isPart }, whole, pressed, onPress }: EntryProps) {
  const dark = useDark();
  const words = (
    <>
      <span className={css.swatch} style={{ background: stripes(tones, dark) }} aria-hidden="true" />
      <bdi className={css.label}>{visible(label, 80)}</bdi>
      <span className={css.share}>{formatPercent(value, whole)}</span>
    </>
  );
  if (tones.length === 0)
    return (
      <span className={css.row} data-exact={value} title="Frames narrower than half a pixel">
        {words}
      </span>
    );
  return (
    <button
      type="button"
      className={css.row}
      aria-pressed={pressed}
      data-exact={value}
      data-part={isPart || undefined}
      title={`${visible(label)}: share of self value. Click to highlight`}
      onClick={onPress}
    >
      {words}
    </button>
  );
}

/** Equal stripes of the row's colours, as a background. */
function stripes(tones: readonly Tone[], dark: boolean): string {
  if (tones.length === 0) return "none";
  const shown = tones.slice(0, MOST_STRIPES);
  const stops = shown.map((tone, i) => `${cssOf(tone, dark)} 0 ${(100 * (i + 1)) / shown.length}%`);
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}
