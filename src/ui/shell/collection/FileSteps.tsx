import { ChevronLeft, ChevronRight, Table2 } from "lucide-react";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./FileSteps.module.css";
import type { Collected } from "./use-collection.ts";
import { useRows } from "./use-rows.ts";
import { openOf, openSome } from "./ways.ts";

export interface StepProps {
  collected: Collected;
}

/**
 * Back to the table, and the file before or after in its order. Where several files are open together, the file filter
 * moves; else the next file is opened in place of the open one.
 */
export function FileSteps({ collected }: StepProps) {
  const { collection, query, act } = collected;
  const openFiles = openOf(collected);
  const { sorted } = useRows(collection, query);
  const inOrder = sorted.flatMap(({ index }) => collection.files[index] ?? []);
  const isTogether = openFiles.length > 1;
  const files = isTogether ? inOrder.filter(({ blob }) => openFiles.some((open) => open.blob === blob)) : inOrder;
  const current = isTogether
    ? files.findIndex(({ name }) => name === query.filter.file)
    : files.findIndex(({ blob }) => blob === openFiles[0]?.blob);
  const step = (by: number) => {
    const next = files[current + by];
    if (next === undefined) return;
    if (isTogether) act({ kind: "add", chip: { kind: "file", name: next.name } });
    else openSome(collected, [next]);
  };
  const place = current < 0 ? `${files.length} files` : `${current + 1} of ${files.length}`;
  return (
    <nav className={css.steps} aria-label="Files of the collection" data-testid="file-steps">
      <IconButton
        icon={ChevronLeft}
        label="Previous file"
        testId="file-before"
        aria-disabled={current <= 0}
        onClick={() => step(-1)}
      />
      <span className={css.place} role="status" data-testid="file-place">
        {place}
      </span>
      <IconButton
        icon={ChevronRight}
        label="Next file"
        testId="file-after"
        aria-disabled={current >= files.length - 1}
        onClick={() => step(1)}
      />
      <IconButton
        icon={Table2}
        label="Table of files"
        testId="file-table"
        onClick={() => act({ kind: "files", files: { shown: true } })}
      />
    </nav>
  );
}
