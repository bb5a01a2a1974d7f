import { useState, useSyncExternalStore } from "react";

/** Text of the user's file of rules; it stays while the page is open, whichever view is shown. */
let text = "";
const listeners = new Set<() => void>();

function setText(next: string): void {
  text = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A larger file is no list of rules. */
const MOST_BYTES = 1 << 20;

/** The user's rules for findings. After a file with an error there are no user rules. */
export function useRules() {
  const rules = useSyncExternalStore(subscribe, () => text);
  const [error, setError] = useState("");
  const setFile = (file: File | null) => {
    setError("");
    if (file === null) setText("");
    else if (file.size > MOST_BYTES) setError(`${file.name} is larger than 1 MB: it is not a rules file.`);
    else void file.text().then(setText, () => setError(`${file.name} could not be read.`));
  };
  const refuse = (message: string) => {
    setText("");
    setError(`The rules were not added: ${message}.`);
  };
  return { rules, error, setFile, refuse };
}
