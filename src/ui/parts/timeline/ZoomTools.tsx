import { ChevronDown, ChevronUp, Maximize2, ScanSearch, ZoomIn, ZoomOut } from "lucide-react";
import type { TimeRange } from "../../../core/types.ts";
import { ZOOM_STEP } from "../../../model/timeline/scale.ts";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./Timeline.module.css";
import type { TimeView } from "./use-time-view.ts";

/** The middle of what zooming by keys or buttons keeps in place: that of the selection, where it is in sight. */
export function zoomCentre({ shown }: TimeView, range: TimeRange | null): number {
  if (range === null || range.to <= shown.from || range.from >= shown.to) return 0.5;
  const middle = Number(range.from - shown.from) / 2 + Number(range.to - shown.from) / 2;
  return Math.min(1, Math.max(0, middle / Number(shown.to - shown.from)));
}

/** How much of the timeline is shown. */
export interface Shown {
  /** One row, until the pointer or the focus is there. */
  low: boolean;
  /** Keeps it open, or makes it low again. */
  onToggle: () => void;
  /** It was just brought back: its first button takes the focus. */
  focused: boolean;
}

interface Props extends Shown {
  view: TimeView;
  range: TimeRange | null;
}

export function ZoomTools({ view, range, low, onToggle, focused }: Props) {
  const at = zoomCentre(view, range);
  return (
    <span className={css.zoomTools}>
      <IconButton
        icon={ZoomIn}
        label="Zoom in"
        tip="Zoom in (W, +, Ctrl+scroll)"
        testId="zoom-in"
        onClick={() => view.zoom(ZOOM_STEP, at)}
      />
      <IconButton
        icon={ZoomOut}
        label="Zoom out"
        tip="Zoom out (S, −)"
        testId="zoom-out"
        aria-disabled={view.isWhole}
        onClick={() => view.zoom(1 / ZOOM_STEP, at)}
      />
      <IconButton
        icon={ScanSearch}
        label="Zoom to selection"
        tip={range === null ? "Zoom to selection: drag over the timeline first" : "Zoom to selection (F)"}
        testId="zoom-selection"
        aria-disabled={range === null}
        onClick={() => range !== null && view.zoomTo(range)}
      />
      <IconButton
        icon={Maximize2}
        label="Whole recording"
        tip="Whole recording (0, double click)"
        testId="zoom-whole"
        aria-disabled={view.isWhole}
        onClick={view.reset}
      />
      <IconButton
        ref={(button) => {
          const { activeElement: at, body } = document;
          if (focused && (at === body || at?.checkVisibility() === false)) button?.focus();
        }}
        icon={low ? ChevronDown : ChevronUp}
        label={low ? "Keep the timeline open" : "Collapse the timeline"}
        aria-expanded={!low}
        testId={low ? "timeline-show" : "timeline-hide"}
        onClick={onToggle}
      />
    </span>
  );
}
