/** The first question of the view Why. It is apart from the view, which is loaded when it is first opened. */
import type { Query } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import type { Ahead } from "./ahead.ts";
import { samplesKey } from "./use-answer.ts";

type Why = Awaited<ReturnType<typeof viewer.why>>;

export function whyQuestion(samples: Query): Ahead<Extract<Why, { ok: true }>["value"]> {
  return { key: `why ${samplesKey(samples)}`, ask: () => viewer.why(samples) };
}
