import { useEffect, useId, useRef, useState } from "react";
import type { Find } from "../../model/query/find.ts";
import { parseFind } from "../../model/query/find.ts";
import { loadedPattern } from "../../model/query/pattern.ts";
import { isDialogOpen } from "../dialog/is-dialog-open.ts";
import css from "./IdBox.module.css";

interface Props {
  onFind: (find: Find) => void;
}

/**
 * Takes an id, `key=value`, `key!=value` or `/frame/`, typed or pasted; a pasted one needs no Enter, an id not even the
 * box.
 */
export function IdBox({ onFind }: Props) {
  const [text, setText] = useState("");
  const [error, setError] = useState<string | null>(null);
  const errorId = useId();

  const refuse = (input: string, reason: string) => {
    setText(input);
    setError(reason);
  };
  const submit = (input: string): boolean => {
    const find = parseFind(input);
    if (find === null) {
      setError(`No trace, endpoint or attribute matches "${input.slice(0, 80)}"`);
      return false;
    }
    const take = () => {
      setError(null);
      setText("");
      onFind(find);
    };
    if (find.kind === "chip" && find.chip.kind === "frame")
      void loadedPattern(find.chip.pattern).then(({ error }) => (error === null ? take() : refuse(input, error)));
    else take();
    return true;
  };

  const found = useRef(onFind);
  found.current = onFind;
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      const find = parseFind(clipboardData?.getData("text/plain") ?? "");
      if (find?.kind === "ids" && !isDialogOpen()) found.current(find);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, []);

  return (
    <form
      className={css.box}
      onSubmit={(event) => {
        event.preventDefault();
        submit(text);
      }}
    >
      <input
        className={css.input}
        data-testid="id-input"
        aria-label="Span or local root id in decimal or hex, key=value, key!=value, or /frame/"
        placeholder="id, key=value, /frame/"
        title="A span or local root id in decimal or hex, key=value, key!=value, or /regular expression/ for a frame"
        spellCheck={false}
        autoComplete="off"
        value={text}
        aria-invalid={error !== null}
        aria-describedby={error === null ? undefined : errorId}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setError(null);
        }}
        onPaste={(event) => {
          if (text === "" && submit(event.clipboardData.getData("text/plain"))) event.preventDefault();
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape") setError(null);
        }}
      />
      {error !== null && (
        <p className={css.error} id={errorId} role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
