/** What the page asks first in a state, for ahead.ts: the question of its view about the selected samples. */
import { filterOf, type QueryState } from "../../model/query/query.ts";
import type { Measured } from "../../model/recording/measure.ts";
import { viewer } from "../../worker/client.ts";
import { framesQuestion } from "../flame/use-frames.ts";
import { knownWidth } from "../flame/use-width.ts";
import { useNamed } from "../symbols/symbol-store.ts";
import { type Parts, shownView } from "../views.ts";
import { useForesight } from "./ahead.ts";
import { samplesOf } from "./use-answer.ts";
import { sandwichQuestion, whyQuestion } from "./view-questions.ts";

interface Panel {
  query: QueryState;
  profile: Measured;
  parts: Parts;
  width: number;
}

/** Fields of the state that decide about the profile, which is known for the state on the page only. */
const OF_PROFILE = ["type", "measure", "extra", "inferred"] as const;

export function useFirstQuestion({ query, profile, parts, width }: Panel): void {
  const named = useNamed();
  useForesight((next) => {
    if (parts.calls || OF_PROFILE.some((field) => next[field] !== query[field])) return null;
    const samples = samplesOf(profile, filterOf(next), next.shape, named);
    const { id } = shownView(next.view, parts);
    if (id === "why") return whyQuestion(samples);
    const half = knownWidth("sandwich");
    if (id === "sandwich" && half > 0) return sandwichQuestion(viewer, samples, next.function, half);
    return id === "flame" && width > 0 ? framesQuestion(viewer, samples, next, width) : null;
  });
}
