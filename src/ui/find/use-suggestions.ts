/** What the recording has for the text of the search box: asked a moment after the last letter, newest text only. */
import { useEffect, useRef, useState } from "react";
import type { Found } from "../../model/lists/suggestions.ts";
import { Latest } from "../../model/query/latest.ts";
import { partPattern } from "../../model/query/pattern.ts";
import type { Query } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";

/** Typing waits so long for the next letter. */
const PAUSE_MS = 60;
/** Of each key, and functions. */
const MOST = 6;
/** Shorter texts are in too many function names. */
const SHORTEST_NAME = 2;

interface Answer {
  /** Null before the first text. */
  text: string | null;
  found: Found | null;
}

/** `settled` is whether `found` is of this text; until then it is that of a former one. */
export function useSuggestions(text: string, samples: Query): { found: Found | null; settled: boolean } {
  const [answer, setAnswer] = useState<Answer>({ text: null, found: null });
  const latest = useRef(new Latest());
  const wanted = text.trim();

  useEffect(() => {
    const mine = latest.current;
    if (wanted === "") {
      mine.forget();
      setAnswer({ text: "", found: null });
      return;
    }
    let isNewest = true;
    const timer = setTimeout(() => {
      mine.ask(
        () => found(wanted, samples, () => isNewest),
        (result) => setAnswer({ text: wanted, found: result }),
      );
    }, PAUSE_MS);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [wanted, samples]);

  useEffect(() => {
    const mine = latest.current;
    return () => mine.forget();
  }, []);

  return { found: wanted === "" ? null : answer.found, settled: answer.text === wanted };
}

/** A failure is an empty answer: the box still takes ids, and the view's request reports the failure. */
async function found(text: string, samples: Query, isNewest: () => boolean): Promise<Found> {
  const suggested = await viewer.suggest(text, MOST);
  const suggestions = suggested.ok ? suggested.value : { values: [], roots: [] };
  if (!isNewest() || text.length < SHORTEST_NAME) return { suggestions, functions: [] };
  const top = await viewer.top(samples, "total", 0, MOST, { find: partPattern(text) });
  return { suggestions, functions: top.ok ? top.value.rows : [] };
}
