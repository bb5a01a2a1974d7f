/** Selections that formats of one profile refuse. */
import type { Core } from "../../../src/core/core.ts";
import type { Filter } from "../../../src/core/types.ts";

/** Whether samples of several profiles pass; `profile` is one that is chosen, or null. */
export function hasSeveral(core: Core, profile: number | null, filter: Filter): boolean {
  if (profile !== null) return false;
  return core.profiles().filter(({ id }) => core.select(id, filter).samples > 0).length > 1;
}
