/** A typed pattern and its error. Neither is there until the engine for patterns is loaded, if the pattern needs it. */
import { useEffect, useMemo, useState } from "react";
import { type Checked, isReady, loadedPattern, patternOf } from "../../../model/query/pattern.ts";

const NOT_YET: Checked = { expression: null, error: null };

export function usePattern(pattern: string): Checked {
  const [loaded, setLoaded] = useState({ pattern: "", checked: NOT_YET });
  const checked = useMemo(() => {
    if (loaded.pattern === pattern && pattern !== "") return loaded.checked;
    return isReady(pattern) ? patternOf(pattern) : NOT_YET;
  }, [pattern, loaded]);
  useEffect(() => {
    if (checked !== NOT_YET) return;
    let wanted = true;
    void loadedPattern(pattern).then((answer) => {
      if (wanted) setLoaded({ pattern, checked: answer });
    });
    return () => {
      wanted = false;
    };
  }, [pattern, checked]);
  return checked;
}
