/** Selected files: those that the user marked one by one, or those in the range of the histogram. */
import { type KeyboardEvent, useRef, useState } from "react";
import { type FileRow, filesIn } from "../../../model/collection/rows.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import type { Activation } from "../../parts/grid/VirtualGrid.tsx";

interface Listed extends Pick<ViewProps, "query" | "act"> {
  /** In the order of the table. */
  sorted: readonly FileRow[];
}

export function useFileSelection({ sorted, query, act }: Listed) {
  const { time } = query.files;
  const [marked, setMarked] = useState<readonly number[] | null>(null);
  /** The row where a range of rows begins. */
  const anchor = useRef(0);
  const selected = new Set(time === null ? (marked ?? []) : filesIn(sorted, time));

  const select = (files: readonly number[]) => {
    setMarked(files);
    if (time !== null) act({ kind: "files", files: { time: null } });
  };
  const toggle = (at: number) => {
    const file = sorted[at]?.index;
    anchor.current = at;
    if (file === undefined) return;
    select(selected.has(file) ? [...selected].filter((other) => other !== file) : [...selected, file]);
  };
  const selectRange = (to: number) => {
    const [first, last] = [Math.min(anchor.current, to), Math.max(anchor.current, to)];
    select(sorted.slice(first, last + 1).map(({ index }) => index));
  };
  /** A row became the active one, by a click or a key. */
  const onActivated = (at: number, { type, shiftKey, ctrlKey, metaKey }: Activation) => {
    if (shiftKey) selectRange(at);
    else if (type === "click" && (ctrlKey || metaKey)) toggle(at);
    else anchor.current = at;
  };
  /** True for a key that selects. */
  const onKeyDown = (event: KeyboardEvent, at: number): boolean => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && key.toLowerCase() === "a") select(sorted.map(({ index }) => index));
    else if (ctrlKey || metaKey || altKey) return false;
    else if (key === " ") toggle(at);
    else if (key === "Escape" && selected.size > 0) select([]);
    else return false;
    return true;
  };
  return { selected, select, toggle, onActivated, onKeyDown };
}
