/** A text of the page's state while it is typed: the state has it a moment after the last letter. */
import { useEffect, useRef, useState } from "react";

export function useDebouncedText(
  value: string,
  pauseMs: number,
  onValue: (value: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value);
  // Undo, a link or another part may have changed the text meanwhile: then the text that was typed here is outdated.
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);

  const send = useRef(onValue);
  send.current = onValue;
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      send.current(text);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);

  return [text, setText];
}
