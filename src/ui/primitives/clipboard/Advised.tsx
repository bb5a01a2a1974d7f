import { Copy } from "lucide-react";
import { useState } from "react";
import { Button, Icon } from "../icon/Icon.tsx";
import css from "./Advised.module.css";
import { copyText } from "./copy-text.ts";

interface Props {
  words: string;
  /** That records it better. */
  setting?: string;
}

/** What a recording lacks, and the setting to copy. */
export function Advised({ words, setting }: Props) {
  const [copied, setCopied] = useState(false);
  if (setting === undefined) return words;
  return (
    <>
      {words} <code className={css.setting}>{setting}</code>{" "}
      <Button aria-label="Copy the setting" onClick={async () => setCopied(await copyText(setting))}>
        <Icon of={Copy} size={14} /> {copied ? "Copied" : "Copy"}
      </Button>
    </>
  );
}
