/** First questions of the views Sandwich and Why. They are apart from the views, which are loaded when first opened. */
import type { Query, SandwichAnswer } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import type { Ahead } from "./ahead.ts";
import type { Around } from "./surroundings.ts";
import { samplesKey } from "./use-answer.ts";

/** `name`: "" asks for the function with most self time. */
export function sandwichQuestion(
  viewer: Pick<Around["viewer"], "sandwich">,
  samples: Query,
  name: string,
  width: number,
): Ahead<SandwichAnswer | null> {
  return {
    key: `sandwich ${width} ${samplesKey(samples)} ${name}`,
    ask: () => viewer.sandwich(samples, name, width),
  };
}

type Why = Awaited<ReturnType<typeof viewer.why>>;

export function whyQuestion(samples: Query): Ahead<Extract<Why, { ok: true }>["value"]> {
  return { key: `why ${samplesKey(samples)}`, ask: () => viewer.why(samples) };
}
