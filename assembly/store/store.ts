/** The store of all samples: readers fill it, views and writers read it. */
import { resetArena } from "../memory/arena";
import { resetApart } from "./apart";
import { forgetCalls } from "./calls";
import { resetContexts } from "./contexts";
import { resetDiagnostics } from "./diagnostics";
import { resetFacts } from "./facts";
import { resetIncidents } from "./incidents";
import { resetInferred } from "./inferred";
import { resetMeasurements } from "./measurements";
import { resetProfiles } from "./profiles";
import { resetRoots } from "./roots";
import { dropRuns } from "./runs";
import { resetSamples } from "./samples";
import { resetScopes } from "./scopes";
import { resetSkipped } from "./skipped";
import { resetSnapshots } from "./snapshots";
import { resetSpanTraces } from "./span-traces";
import { resetSpans } from "./spans";
import { resetSymbols } from "./symbols";
import { resetTables } from "./tables";

/** An empty store in fresh memory. Every pointer handed out before is void. */
export function resetStore(): void {
  resetArena();
  resetApart();
  resetTables();
  resetSymbols();
  resetScopes();
  resetProfiles();
  resetSamples();
  resetSnapshots();
  resetSkipped();
  resetRoots();
  resetFacts();
  resetIncidents();
  resetMeasurements();
  resetDiagnostics();
  resetContexts();
  resetInferred();
  dropRuns();
  forgetCalls();
  resetSpans();
  resetSpanTraces();
}
