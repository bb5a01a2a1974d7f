/** Cleanup of a writer that ran out of memory: all memory is freed, there is no message, and no sample is a copy. */

import { endScratch, freeOutput } from "./output";
import { dropPlan } from "./plan";
import { dropGroups } from "./pprof/groups";
import { joinProcesses } from "./processes";
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
  joinProcesses();
}
