/** Reset of the OTLP reader's state, on an empty store. */
import { resetLocations } from "./locations";
import { resetMessage } from "./message";
import { resetProfile } from "./profile";
import { resetResources } from "./resource";
import { resetSample } from "./sample";
import { resetScopeReader } from "./scope";

export function resetOtlp(): void {
  resetMessage();
  resetLocations();
  resetProfile();
  resetResources();
  resetScopeReader();
  resetSample();
}
