/** Cleanup of a writer that ran out of memory: all memory is freed, and there is no message. */

import { endScratch, freeOutput } from "./output";
import { dropPlan } from "./plan";
import { dropGroups } from "./pprof/groups";
import { dropCollapsed } from "./viewers/collapsed";
import { dropTables } from "./viewers/firefox-tables";

/** Does nothing if no message is being written. */
export function abandonOutput(): void {
  dropCollapsed();
  dropTables();
  dropGroups();
  dropPlan();
  endScratch();
  freeOutput();
}
