/** Selection of calls in their list: by mouse, by keys, as a range, or all that match. */
import { type KeyboardEvent, useRef } from "react";
import type { CallPart } from "../../../core/types.ts";
import { listedParts, MOST_IDS } from "../../../model/query/call-chips.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { CallQuestion, CallRow } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import type { Activation } from "../../parts/grid/VirtualGrid.tsx";
import { useFailure } from "../../primitives/lazy/on-failure.ts";
import { showToast } from "../../primitives/toast/toasts.ts";

interface Listed {
  /** The selection, of which the list shows a part. */
  calls: readonly CallPart[];
  question: CallQuestion;
  setActive: (index: number) => void;
  rowAt: (index: number) => CallRow | undefined;
  act: (action: QueryAction) => void;
}

export function useCallSelection({ calls, question, setActive, rowAt, act }: Listed) {
  const onFailure = useFailure();
  /** Where a range begins. */
  const anchor = useRef(0);
  const ids = calls.flatMap((part) => (part.part === "ids" ? part.ids : []));

  const select = (wanted: readonly string[]) => {
    if (wanted.length > MOST_IDS) {
      const text = `At most ${MOST_IDS} calls can be picked one by one. Filter the list to select more.`;
      showToast({ tone: "info", text });
    }
    const picked: CallPart[] = wanted.length === 0 ? [] : [{ part: "ids", ids: wanted.slice(0, MOST_IDS) }];
    act({ kind: "calls", calls: [...picked, ...listedParts(calls)] });
  };
  const toggle = (index: number) => {
    const id = rowAt(index)?.id;
    anchor.current = index;
    if (id !== undefined) select(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  };
  const selectOnly = (index: number) => {
    const id = rowAt(index)?.id;
    anchor.current = index;
    if (id !== undefined) select([id]);
  };
  const selectRange = async (to: number) => {
    const [first, last] = [Math.min(anchor.current, to), Math.max(anchor.current, to)];
    const answer = await viewer.ofCalls("ids", question, first, Math.min(last, first + MOST_IDS));
    if (answer.ok) select(answer.value);
    else onFailure(answer.error);
  };

  /** Keys move the row that they act on; a click selects, too. */
  const onActive = (index: number, { type, shiftKey, ctrlKey, metaKey }: Activation) => {
    const isClick = type === "click";
    setActive(index);
    if (shiftKey) void selectRange(index);
    else if (isClick && (ctrlKey || metaKey)) toggle(index);
    else if (isClick) selectOnly(index);
    else anchor.current = index;
  };
  /** Opens a call by itself in the graph. */
  const open = (index: number) => {
    selectOnly(index);
    act({ kind: "view", view: "flame" });
  };
  const onKeyDown = (event: KeyboardEvent, index: number): boolean => {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === "a") {
      select([]);
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (key === " ") toggle(index);
    else if (key === "Escape" && ids.length > 0) select([]);
    else return false;
    return true;
  };
  return { ids, select, open, onActive, onKeyDown };
}
