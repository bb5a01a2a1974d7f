/** Questions of flame graphs that show a recording of the library (src/viewer). Loaded with the first of them. */

import { directly } from "../../requests/questions/direct.ts";
import type { GRAPH } from "../../requests/questions/graph.ts";
import { SpanRequests } from "../../requests/traces/span-requests.ts";
import { shortened } from "../../worker/crossing.ts";
import type { RecordingCore } from "../held-core.ts";

/** The answer as the page's worker gives it. Samples of calls are those that the recording has. */
export async function graphAnswer(
  held: RecordingCore,
  name: keyof typeof GRAPH,
  given: readonly unknown[],
): Promise<unknown> {
  const ask = directly({ held, calls: null, spans: SpanRequests.ofNone(held), profiles: held.profiles });
  return shortened(await ask(name, ...given));
}
