import { ImageDown, Maximize2, ZoomIn, ZoomOut } from "lucide-react";
import { useMemo } from "react";
import { levelBins } from "../../../model/chart/chart.ts";
import type { ChartColumns } from "../../../model/chart/columns.ts";
import { BINS } from "../../../model/timeline/lanes.ts";
import { ZOOM_STEP } from "../../../model/timeline/scale.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { Minimap } from "../../parts/timeline/Minimap.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import { MenuButton } from "../../primitives/menu/MenuButton.tsx";
import css from "./FlameChart.module.css";
import type { ChartTime } from "./use-chart-time.ts";

interface Props {
  columns: ChartColumns;
  time: ChartTime;
  width: number;
  whole: string;
  onSave: (format: "svg" | "png") => void;
}

/** The overview of the whole time, with the part that is shown, and the zoom. */
export function ChartHead({ columns, time, width, whole, onSave }: Props) {
  const { view } = time;
  const strip = useMemo(
    () => ({ from: view.row.from, to: view.row.to, all: levelBins(columns, BINS), selected: new Float64Array(BINS) }),
    [columns, view.row],
  );
  const length = formatNanos(view.shown.to - view.shown.from);
  return (
    <div className={css.head}>
      <Minimap view={view} strip={strip} marked={false} width={width} caption={whole} />
      <span role="status" className={css.shown} data-testid="chart-shown" title="Length of the time shown">
        {length}
      </span>
      <span className={css.zoom}>
        <IconButton
          icon={ZoomIn}
          label="Zoom in"
          tip="Zoom in (+, scroll)"
          testId="chart-zoom-in"
          aria-disabled={time.isClosest}
          onClick={() => view.zoom(ZOOM_STEP, 0.5)}
        />
        <IconButton
          icon={ZoomOut}
          label="Zoom out"
          tip="Zoom out (−, scroll)"
          testId="chart-zoom-out"
          aria-disabled={view.isWhole}
          onClick={() => view.zoom(1 / ZOOM_STEP, 0.5)}
        />
        <IconButton
          icon={Maximize2}
          label={`Show the ${whole}`}
          tip={`Show the ${whole} (Home, Escape)`}
          testId="chart-fit"
          aria-disabled={view.isWhole}
          onClick={time.showAll}
        />
        <MenuButton
          icon={ImageDown}
          label="Save picture"
          testId="chart-save"
          groups={[
            [
              { label: "Save as SVG", testId: "chart-save-svg", run: () => onSave("svg") },
              { label: "Save as PNG", testId: "chart-save-png", run: () => onSave("png") },
            ],
          ]}
        />
      </span>
    </div>
  );
}
