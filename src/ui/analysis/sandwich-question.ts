/** The first question of the view Sandwich. It is apart from the view, which is loaded when it is first opened. */
import type { Query, SandwichAnswer } from "../../worker/api.ts";
import type { Around } from "../surroundings.ts";
import type { Ahead } from "./ahead.ts";
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
