import { Copy } from "lucide-react";
import { useState } from "react";
import { formatCount } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { Result } from "../../../worker/api.ts";
import { copyText } from "../../primitives/clipboard/copy-text.ts";
import { Button, IconButton } from "../../primitives/icon/Icon.tsx";
import { showToast } from "../../primitives/toast/toasts.ts";
import css from "./FrameDetailsDialog.module.css";

/** Characters of a large value on the page; the whole is copied. */
const LARGE = 20_000;

interface Props {
  text: string;
  /** It is the beginning of a longer one. */
  isCut: boolean;
  /** Characters of the whole; null where that is unknown. */
  length: number | null;
  readWhole: () => Promise<Result<string>>;
}

/** A value of a parameter: its beginning, and the rest when it is asked for. */
export function ValueText({ text, isCut, length, readWhole }: Props) {
  const [whole, setWhole] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(false);
  const read = async (): Promise<string | null> => {
    if (!isCut) return text;
    if (whole !== null) return whole;
    const result = await readWhole();
    if (!result.ok) showToast({ tone: "error", text: result.error.message });
    return result.ok ? result.value : null;
  };
  const onCopy = async () => {
    const all = await read();
    if (all === null) return;
    const isCopied = await copyText(all);
    showToast(
      isCopied ? { tone: "success", text: "Value copied" } : { tone: "error", text: "The browser did not copy it" },
    );
  };
  // The button stays where it is: what had the focus keeps it.
  const onOpen = async () => {
    if (isOpen) return setOpen(false);
    const all = await read();
    setWhole(all);
    setOpen(all !== null);
  };
  const shown = isOpen ? (whole ?? text) : text;
  const isWhole = isOpen || !isCut;
  return (
    <span className={css.value}>
      <bdi className={css.code} data-testid="param-text" data-whole={isWhole}>
        {text === "" ? <span className={css.empty}>(empty)</span> : visible(shown, LARGE)}
      </bdi>
      {isCut && (
        <Button testId="param-whole" aria-expanded={isOpen} onClick={() => void onOpen()}>
          {isOpen ? "Show the beginning" : allWords(length)}
        </Button>
      )}
      <IconButton icon={Copy} label="Copy value" testId="param-copy" onClick={() => void onCopy()} />
    </span>
  );
}

function allWords(length: number | null): string {
  return length === null ? "Show all" : `Show all ${formatCount(length)} characters`;
}
