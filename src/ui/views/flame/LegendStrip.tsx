import { memo, useEffect, useMemo, useRef, useState } from "react";
import { cssOf, type Tone } from "../../../model/flame/colour.ts";
import { type LegendRow, shareWords } from "../../../model/flame/legend.ts";
import { visible } from "../../../model/words/text.ts";
import { whenIdle } from "../../parts/answers/after-paint.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import { storage } from "../../primitives/panes/use-stored.ts";
import { useDark } from "../../primitives/theme/dark.ts";
import type { AskOwnProps } from "./AskOwn.tsx";
import css from "./LegendStrip.module.css";
import type { Colours } from "./use-colours.ts";

/** The reader was asked for packages, and has none. */
const OWN_ASKED = "own-asked";
const ASK_OWN = new Lazy(() => import("./AskOwn.tsx").then(({ AskOwn }) => AskOwn));

/** Colours of a swatch that can be distinguished. */
const MOST_STRIPES = 4;

interface Props {
  colours: Colours;
  /** To ask which packages are the reader's own; absent where the view does not ask. */
  own?: Pick<AskOwnProps, "look" | "onOwn"> | undefined;
  isPanel?: boolean;
}

/** Colours of the graph, with the share of each. A click highlights its frames; a second one or Escape ends that. */
export const LegendStrip = memo(function LegendStrip({
  colours: { legend, frames, whole, highlighted, highlight },
  own,
  isPanel = false,
}: Props) {
  const rows = useRows(legend);
  const isAsked = rows.length > 0 && rows.every(({ key }) => key !== "application") && !storage.getItem(OWN_ASKED);
  const Ask = useLazy(own !== undefined && isAsked ? ASK_OWN : null);
  const group = useRef<HTMLFieldSetElement>(null);
  const active = rows.find(({ key }) => key === highlighted);
  return (
    <fieldset
      ref={group}
      className={css.legend}
      part="legend"
      aria-label="Colours, with the share of the samples that have such a frame"
      data-testid={isPanel ? undefined : "legend"}
      data-panel={isPanel || undefined}
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
      {own !== undefined && Ask !== null && <Ask {...own} frames={frames} storeKey={OWN_ASKED} />}
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

function Entry({ row, whole, pressed, onPress }: EntryProps) {
  const dark = useDark();
  const { label, tones, value, isPart } = row;
  const [share, self = ""] = shareWords(row, whole).split(/(?= \()/);
  const words = (
    <>
      <span className={css.swatch} style={{ background: stripes(tones, dark) }} aria-hidden="true" />
      <bdi className={css.label}>{visible(label, 80)}</bdi>
      <span className={css.share}>
        {share}
        {self !== "" && <span className={css.self}>{self}</span>}
      </span>
    </>
  );
  if (tones.length === 0)
    return (
      <span className={css.row} data-exact={value} title="Frames narrower than half a pixel">
        {words}
      </span>
    );
  return (
    <Button
      className={css.row}
      aria-pressed={pressed}
      data-exact={value}
      data-part={isPart || undefined}
      title={`${visible(label)}${share === "" ? "" : `, ${share}${self}: share of the samples with such a frame, and of those that end in one`}. Click to highlight`}
      onClick={onPress}
    >
      {words}
    </Button>
  );
}

/** Equal stripes of the row's colours, as a background. */
function stripes(tones: readonly Tone[], dark: boolean): string {
  if (tones.length === 0) return "none";
  const shown = tones.slice(0, MOST_STRIPES);
  const stops = shown.map((tone, i) => `${cssOf(tone, dark)} 0 ${(100 * (i + 1)) / shown.length}%`);
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}
