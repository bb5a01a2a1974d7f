/** State of the pprof reader, made on an empty store. */
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
