import { FileUp, GitCompareArrows, Layers, TrendingUp } from "lucide-react";
import { useState } from "react";
import type { FileRow } from "../../../model/collection/rows.ts";
import { inTime } from "../../../model/collection/rows.ts";
import { formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { Select } from "../../primitives/field/Select.tsx";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./CollectionView.module.css";
import type { Collected } from "./use-collection.ts";
import { openSome } from "./ways.ts";

interface Props {
  collected: Collected;
  rows: readonly FileRow[];
  /** In the order of the table. */
  sorted: readonly FileRow[];
  /** The row that keys act on. */
  active: number;
  selected: ReadonlySet<number>;
  onFunction: (name: string) => void;
}

/** What can be done with the active file, with the selected files, or with all of them. */
export function FileActions({ collected, rows, sorted, active, selected, onFunction }: Props) {
  const [baseline, setBaseline] = useState<number | null>(null);
  const readable = inTime(rows).filter(({ facts }) => facts?.readable !== false);
  const chosen = selected.size === 0 ? readable : readable.filter(({ index }) => selected.has(index));
  const row = sorted[active];
  const top = row?.top ?? null;
  const filesOf = (some: readonly FileRow[]) => some.flatMap(({ index }) => collected.collection.files[index] ?? []);
  const base = chosen.find(({ index }) => index === baseline) ?? chosen[0];
  const compare = () => {
    // The active file, or the last one in time.
    const others = chosen.filter((each) => each !== base);
    const other = others.find((each) => each === row) ?? others.at(-1);
    if (base === undefined || other === undefined) return;
    openSome(collected, filesOf(chosen), [
      { kind: "baseline", baseline: `file:${base.name}`, file: other.name },
      { kind: "view", view: "diff" },
    ]);
  };
  return (
    <div className={css.actions}>
      <Button
        testId="files-open"
        tip={row === undefined ? "No file" : visible(row.name, 80)}
        disabled={row === undefined || row.facts?.readable === false}
        onClick={() => row !== undefined && openSome(collected, filesOf([row]))}
      >
        <Icon of={FileUp} size={14} /> Open file
      </Button>
      <Button
        look={selected.size === 1 ? undefined : "primary"}
        testId="files-merge"
        tip="Opens the files as one recording"
        disabled={chosen.length < 2}
        onClick={() => openSome(collected, filesOf(chosen))}
      >
        <Icon of={Layers} size={14} />{" "}
        {selected.size === 0 ? "Merge all" : `Merge ${formatCounted(chosen.length, "file")}`}
      </Button>
      {selected.size > 1 && chosen.length > 1 && (
        <>
          <Button testId="files-compare" tip="Opens Compare: a file against the baseline" onClick={compare}>
            <Icon of={GitCompareArrows} size={14} /> Compare with
          </Button>
          <Select
            className={css.baseline}
            aria-label="Baseline"
            testId="files-baseline"
            value={String(base?.index)}
            options={chosen.map(({ index, name }) => [String(index), visible(name, 80)] as const)}
            onChange={(index) => setBaseline(Number(index))}
          />
        </>
      )}
      {top !== null && (
        <Button
          testId="files-trend"
          tip={`Share of ${visible(top.name, 120)} in each file`}
          onClick={() => onFunction(top.name)}
        >
          <Icon of={TrendingUp} size={14} /> Trend of its top function
        </Button>
      )}
    </div>
  );
}
