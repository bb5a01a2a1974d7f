/** The row of a table that keys act on. Rows that answer another question start at the top. */
import { useEffect, useState } from "react";

/** `question` is compared by identity. */
export function useActiveRow(question: unknown) {
  const [active, setActive] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question is what decides
  useEffect(() => setActive(0), [question]);
  return [active, setActive] as const;
}
