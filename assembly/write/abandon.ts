/** What a writer leaves behind when memory runs out: all of it is given back, and no message is there. */

import { endScratch, freeOutput } from "./output";
import { dropPlan } from "./plan";
import { dropGroups } from "./pprof/groups";
import { dropCollapsed } from "./viewers/collapsed";
import { dropTables } from "./viewers/firefox-tables";

/** Does nothing where no message is in the making. */
export function abandonOutput(): void {
  dropCollapsed();
  dropTables();
  dropGroups();
  dropPlan();
  endScratch();
  freeOutput();
}
