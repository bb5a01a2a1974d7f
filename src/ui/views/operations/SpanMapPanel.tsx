import { ChartBarStacked, GitCompareArrows } from "lucide-react";
import { type CSSProperties, useMemo, useRef } from "react";
import type { SpanChoice } from "../../../core/types.ts";
import type { SpanRegion } from "../../../model/query/query.ts";
import { choiceOf } from "../../../model/query/span-choice.ts";
import { regionWords } from "../../../model/trace/operation-words.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import type { SpanMap as Density, RegionQuestion } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame } from "../../parts/answers/use-answer.ts";
import { usePages } from "../../parts/answers/use-pages.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { compareSpans } from "./compare.ts";
import { OperationChoice } from "./OperationChoice.tsx";
import css from "./OperationsView.module.css";
import { RegionList } from "./RegionList.tsx";
import { SpanMap } from "./SpanMap.tsx";
import { CELL, faintest } from "./span-map-canvas.ts";
import { usePlotSize } from "./use-plot-size.ts";

/** CSS pixels from which the list is beside the map. */
const WIDE = 1100;
/** All spans by start and duration; those of a region are listed, and compared with the rest. */
export function SpanMapPanel({ profile, tabs, query, act, width }: ViewProps) {
  const { by, of, region, spanSort, spanReversed } = query.operations;
  const plot = useRef<HTMLDivElement>(null);
  const size = usePlotSize(plot);
  const isWide = width >= WIDE;
  const density = useDensity(useSame(choiceOf({ by, of, region: null, slowest: null })), size);
  const choice = useMemo(() => choiceOf({ by, of, region, slowest: null }), [by, of, region]);
  const question = useSame<RegionQuestion>({ choice, sort: spanSort, reversed: spanReversed });
  const pages = usePages(question, (asked, offset, limit) => viewer.ofTraces("regionSpans", asked, offset, limit));
  const count = pages.question === question ? pages.count : null;
  const item = by === "endpoint" ? "request" : "span";
  const isPart = region !== null && count !== null && count > 0 && count < (density?.spans ?? 0);
  return (
    <div className={css.mapped} data-wide={isWide}>
      <div className={css.mapSide}>
        <div className={css.summary}>
          <OperationChoice {...{ by, of, act }} />
          <Legend density={density} item={item} />
        </div>
        <SpanMap
          ref={plot}
          density={density}
          region={region}
          size={size}
          onRegion={(next) => act({ kind: "operations", operations: { region: next } })}
        />
      </div>
      <div className={css.listSide}>
        <div className={css.summary}>
          <p role="status" data-testid="region-total" data-count={count ?? undefined}>
            {listWords(count, item, region, density)}
          </p>
          <div className={css.actions}>
            {region !== null && (
              <Button testId="region-clear" onClick={() => act({ kind: "operations", operations: { region: null } })}>
                Clear region
              </Button>
            )}
            <Button
              testId="region-compare"
              tip={`Compares the samples of the ${item}s in the region with those of all other ${item}s of the map`}
              disabled={!isPart}
              onClick={() => act(compareSpans({ profile, tabs }, choice))}
            >
              <Icon of={GitCompareArrows} size={14} /> Compare with the rest
            </Button>
            <Button
              testId="region-time"
              tip="Where the time of these requests went"
              disabled={count === null || count === 0}
              onClick={() => act({ kind: "operations", operations: { shape: "time", slowest: null } })}
            >
              <Icon of={ChartBarStacked} size={14} /> Time
            </Button>
          </div>
        </div>
        <RegionList
          {...pages}
          part={query.operations}
          zero={density?.start.from ?? 0n}
          isOne={of !== null}
          act={act}
          isRequests={item === "request"}
          width={isWide ? width * LIST_SHARE : width}
        />
      </div>
    </div>
  );
}

/** The list's share of the view, beside the map. */
const LIST_SHARE = 0.4;

function useDensity(choice: SpanChoice, { width, height }: { width: number; height: number }): Density | null {
  const question = useSame(
    width === 0 ? null : { choice, columns: Math.floor(width / CELL), rows: Math.floor(height / CELL) },
  );
  const ask = (asked: NonNullable<typeof question>) =>
    viewer.ofTraces("spanMap", asked.choice, asked.columns, asked.rows);
  return useAnswer(question, ask)?.answer ?? null;
}

function listWords(count: number | null, item: string, region: SpanRegion | null, density: Density | null): string {
  if (count === null || density === null) return "…";
  const spans = formatCounted(count, item);
  return region === null
    ? `${spans}. Drag over the map to select some.`
    : `${spans}: ${regionWords(region, density.start.from)}`;
}

function Ramp({ most }: { most: number }) {
  const style: CSSProperties & Record<"--faintest", string> = { "--faintest": `${100 * faintest(most)}%` };
  return (
    <>
      <span className={css.ramp} style={style} aria-hidden="true" /> {formatCount(most)}
    </>
  );
}

/** How many spans, or requests, a cell of each strength has. */
function Legend({ density, item }: { density: Density | null; item: string }) {
  if (density === null || density.most === 0) return null;
  return (
    <p className={css.legend} data-testid="span-map-legend">
      {item}s in a cell: 1 {density.most > 1 && <Ramp most={density.most} />}
    </p>
  );
}
