/** Reset of the pprof reader's state, on an empty store. */
import { resetGroup } from "./group";
import { resetLabels } from "./labels";
import { resetProfile } from "./profile";
import { resetRemarks } from "./remarks";
import { resetTables } from "./tables";

export function resetPprof(): void {
  resetProfile();
  resetTables();
  resetGroup();
  resetLabels();
  resetRemarks();
}
