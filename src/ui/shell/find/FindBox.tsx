import { type RefObject, useCallback, useEffect, useId, useRef, useState } from "react";
import { type Find, parseFind } from "../../../model/query/find.ts";
import { exactPattern, loadedPattern } from "../../../model/query/pattern.ts";
import type { QueryAction } from "../../../model/query/query.ts";
import type { Choice } from "../../../model/query/suggestions.ts";
import { useCommand } from "../../parts/commands/commands.ts";
import { isDialogOpen } from "../../primitives/keys/use-keys.ts";
import { likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { isPastedTrace } from "../open/pasted-trace.ts";
import css from "./FindBox.module.css";
import type { FindListHandle, FindListProps } from "./FindList.tsx";

const LIST = likelySoon(() => import("./FindList.tsx").then(({ FindList }) => FindList));

interface Props extends Pick<FindListProps, "tabs" | "profile" | "query" | "act" | "parts" | "onTheme"> {
  onFind: (find: Find) => void;
}

const IS_MAC = /Mac|iP(hone|ad|od)/.test(navigator.userAgent);

/**
 * The search box of the whole page: an id in any form, an endpoint, operation, thread, attribute, function or command.
 * A pasted id needs no Enter, and not even the box.
 */
export function FindBox({ onFind, ...page }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState<string>();
  const box = useFindBox(onFind, page.act);
  const { text, open, error, show } = box;
  const List = useLazy(open ? LIST : null);
  const isShown = open && List !== null;
  const isListed = isShown && active !== undefined;
  useOpenKey(input, show);
  usePastedAnywhere(onFind);

  return (
    <search className={css.box}>
      <input
        ref={input}
        className={css.input}
        data-testid="id-input"
        role="combobox"
        aria-label="Search traces, endpoints and functions"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={isListed}
        aria-controls={isListed ? id : undefined}
        aria-activedescendant={isListed ? active : undefined}
        aria-keyshortcuts="Control+K Meta+K"
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : `${id}-error`}
        placeholder="Search traces, endpoints, functions…"
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={(event) => box.type(event.currentTarget.value)}
        onClick={show}
        onBlur={box.hide}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData("text/plain");
          if (text === "" && !isPastedTrace(pasted) && box.paste(pasted)) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (box.press(event.key)) event.preventDefault();
        }}
      />
      <span className={css.key} aria-hidden="true">
        {IS_MAC ? "⌘K" : "Ctrl K"}
      </span>
      {isShown && (
        <List
          {...page}
          ref={box.list}
          id={id}
          text={text}
          enteredFor={box.enteredFor}
          input={input.current}
          onChoose={box.choose}
          onActive={setActive}
        />
      )}
      {error !== null && (
        <p className={css.error} id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
    </search>
  );
}

/** Ctrl+K or ⌘K leads to the box from everywhere, also from other inputs; not while a dialog is open. */
function useOpenKey(input: RefObject<HTMLInputElement | null>, show: () => void): void {
  const open = useCallback(() => {
    input.current?.focus();
    input.current?.select();
    show();
  }, [input, show]);
  useCommand("find", open);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isMeant || event.key.toLowerCase() !== "k" || isDialogOpen()) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [open]);
}

/** Ctrl+V anywhere but in a field: the id that was copied elsewhere. */
function usePastedAnywhere(onFind: (find: Find) => void): void {
  const found = useRef(onFind);
  found.current = onFind;
  useEffect(() => {
    const onPaste = ({ target, clipboardData, defaultPrevented }: ClipboardEvent) => {
      // A trace joins the recording.
      if (defaultPrevented) return;
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      const find = parseFind(clipboardData?.getData("text/plain") ?? "");
      if (find?.kind === "ids" && !isDialogOpen()) found.current(find);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, []);
}

/** Arrows then move in the graph or the table; where the view has neither, the box keeps the focus. */
function toView(): void {
  document.querySelector<HTMLElement>(":is([role=tree], [role=grid], [role=treegrid])[tabindex='0']")?.focus();
}

/** An id is answered by the view, whichever opens: the next key is for it. */
function toAnswer(): void {
  document.querySelector<HTMLElement>("[role=tabpanel][tabindex='-1']")?.focus({ preventScroll: true });
}

/** State of the search box: its text, whether the list is open, what Enter, Escape and a paste do. */
function useFindBox(onFind: (find: Find) => void, act: (action: QueryAction) => void) {
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
      if (find.kind === "ids") toAnswer();
      else toView();
      onFind(find);
    };
    if (pattern === null) found();
    else void loadedPattern(pattern).then(({ error: reason }) => (reason === null ? found() : setError(reason)));
  };
  const choose = (choice: Choice) => {
    if (choice.kind === "find") return take(choice.find);
    leave();
    if (choice.kind === "command") return choice.command.run();
    toView();
    act({ kind: "search", pattern: exactPattern(choice.name) });
  };
  const enter = () => {
    if (open && list.current?.choose() === true) return;
    const find = parseFind(text);
    if (find !== null) return take(find);
    setEnteredFor(text);
    show();
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
      else if (key === "Escape" && (open || text !== "")) leave();
      else return false;
      return true;
    },
  };
}
