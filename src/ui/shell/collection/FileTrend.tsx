import { type FileRow, inTime } from "../../../model/collection/rows.ts";
import { formatCounted, formatPercent } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import css from "./CollectionView.module.css";

interface Props {
  rows: readonly FileRow[];
  /** The chosen function. */
  name: string;
  /** File that keys act on in the table; it is marked. */
  active: number | undefined;
  onFile: (index: number) => void;
}

const PERCENT = 100;

/** The share of a function in each file, in the order of time. The column of the table has the figures. */
export function FileTrend({ rows, name, active, onFile }: Props) {
  const measured = inTime(rows).filter(({ share }) => share !== null);
  const totals = measured.map(({ share }) => share?.total ?? 0);
  const most = Math.max(0, ...totals);
  const height = (share: number) => (most === 0 ? 0 : (PERCENT * share) / most);
  return (
    <section className={css.trend} aria-label="Trend of a function">
      <p className={css.trendHead}>
        <span className={css.scale} data-testid="file-trend-most">
          {formatPercent(most, 1)}
        </span>
        <span className={css.key} data-of="total">
          total
        </span>
        <span className={css.key} data-of="self">
          self
        </span>
      </p>
      <div className={css.columns} role="img" aria-label={trendWords(name, totals)} data-testid="file-trend">
        {measured.map(({ index, name: file, share }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: keys choose the row in the table
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <span
            key={index}
            className={css.column}
            data-active={index === active}
            title={`${visible(file, 80)}: ${shareWords(share)}`}
            onClick={() => onFile(index)}
          >
            <span className={css.total} style={{ height: `${height(share?.total ?? 0)}%` }} />
            <span className={css.self} style={{ height: `${height(share?.self ?? 0)}%` }} />
          </span>
        ))}
      </div>
    </section>
  );
}

function shareWords(share: FileRow["share"]): string {
  if (share === null) return "no samples";
  if (share.atMost > 0) return `at most ${formatPercent(share.atMost, 1)}`;
  return `${formatPercent(share.total, 1)} total, ${formatPercent(share.self, 1)} self`;
}

/** The picture as a sentence. */
function trendWords(name: string, totals: readonly number[]): string {
  const function_ = visible(name, 120);
  const [first] = totals;
  if (first === undefined) return `No file has samples for ${function_}`;
  const [least, most] = [Math.min(...totals), Math.max(...totals)];
  const ends = `${formatPercent(first, 1)} in the first, ${formatPercent(totals.at(-1) ?? 0, 1)} in the last`;
  const extent = `between ${formatPercent(least, 1)} and ${formatPercent(most, 1)}`;
  return `Total share of ${function_} in ${formatCounted(totals.length, "file")}: ${ends}, ${extent}`;
}
