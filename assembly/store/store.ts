/** The one place where samples live: readers fill it, views and writers read it. */
import { resetArena } from "../memory/arena";
import { resetDiagnostics } from "./diagnostics";
import { resetProfiles } from "./profiles";
import { resetSamples } from "./samples";
import { resetTables } from "./tables";

/** An empty store in fresh memory. Every pointer handed out before is void. */
export function resetStore(): void {
  resetArena();
  resetTables();
  resetProfiles();
  resetSamples();
  resetDiagnostics();
}
