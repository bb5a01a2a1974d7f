import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { type Find, parseFind } from "../../model/query/find.ts";
import { isDialogOpen } from "../dialog/is-dialog-open.ts";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { isPastedTrace } from "../open/pasted-trace.ts";
import css from "./FindBox.module.css";
import type { FindListProps } from "./FindList.tsx";
import { useFindBox } from "./use-find-box.ts";

const LIST = likelySoon(() => import("./FindList.tsx").then(({ FindList }) => FindList));

interface Props extends Pick<FindListProps, "tabs" | "profile" | "query" | "act" | "onTheme"> {
  onFind: (find: Find) => void;
  onFailure: Parameters<typeof useLazy>[1];
}

const IS_MAC = /Mac|iP(hone|ad|od)/.test(navigator.userAgent);

/**
 * The search box of the whole page: an id in any form, an endpoint, operation, thread, attribute, function or command.
 * A pasted id needs no Enter, and not even the box.
 */
export function FindBox({ onFind, onFailure, ...page }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState<string>();
  const box = useFindBox(onFind, page.act);
  const { text, open, error, show } = box;
  const List = useLazy(open ? LIST : null, onFailure);
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
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isMeant = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isMeant || event.key.toLowerCase() !== "k" || isDialogOpen()) return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
      show();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [input, show]);
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
