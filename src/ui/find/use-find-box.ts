/** State of the search box: its text, whether the list is open, what Enter, Escape and a paste do. */
import { useCallback, useRef, useState } from "react";
import type { Choice } from "../../model/lists/suggestions.ts";
import { type Find, parseFind } from "../../model/query/find.ts";
import { exactPattern, loadedPattern } from "../../model/query/pattern.ts";
import type { QueryAction } from "../../model/query/query.ts";
import type { FindListHandle } from "./FindList.tsx";

export function useFindBox(onFind: (find: Find) => void, act: (action: QueryAction) => void) {
  const list = useRef<FindListHandle>(null);
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  /** Enter was pressed for this text before its rows were there. */
  const [enteredFor, setEnteredFor] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const show = useCallback(() => setOpen(true), []);
  const hide = useCallback(() => setOpen(false), []);

  const change = (changed: string) => {
    setText(changed);
    setEnteredFor(null);
    setError(null);
  };
  const leave = () => {
    change("");
    hide();
  };
  const take = (find: Find) => {
    const pattern = find.kind === "chip" && find.chip.kind === "frame" ? find.chip.pattern : null;
    const found = () => {
      leave();
      onFind(find);
    };
    if (pattern === null) found();
    else void loadedPattern(pattern).then(({ error: reason }) => (reason === null ? found() : setError(reason)));
  };
  const choose = (choice: Choice) => {
    if (choice.kind === "find") return take(choice.find);
    leave();
    if (choice.kind === "command") choice.command.run();
    else act({ kind: "search", pattern: exactPattern(choice.name) });
  };
  const enter = () => {
    if (open && list.current?.choose() === true) return;
    const find = parseFind(text);
    if (find !== null) return take(find);
    setEnteredFor(text);
    show();
  };
  const onEscape = () => {
    if (open && error === null) hide();
    else leave();
  };

  return {
    list,
    text,
    open,
    enteredFor,
    error,
    show,
    hide,
    choose,
    type: (typed: string) => {
      change(typed);
      show();
    },
    /** False if the text has no id: the browser then pastes it into the field that has the focus. */
    paste: (pasted: string) => {
      const find = parseFind(pasted);
      if (find?.kind !== "ids") return false;
      take(find);
      return true;
    },
    /** False where the key is not for the list. */
    press: (key: string) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined && open) list.current?.move(step);
      else if (step !== undefined) show();
      else if (key === "Enter") enter();
      else if (key === "Escape" && (open || text !== "")) onEscape();
      else return false;
      return true;
    },
  };
}
