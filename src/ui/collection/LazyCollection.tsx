import { Lazy } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { showToast } from "../toast/toasts.ts";
import type { CollectionProps } from "./CollectionView.tsx";
import type { StepProps } from "./FileSteps.tsx";

const VIEW = new Lazy(() => import("./CollectionView.tsx"));
const STEPS = new Lazy(() => import("./FileSteps.tsx"));

const onFailure = ({ message }: { message: string }) => showToast({ tone: "error", text: message });

/** The table of many files, loaded when it is first shown. */
export function CollectionView(props: CollectionProps) {
  const loaded = useLazy(VIEW, onFailure);
  return loaded !== null && <loaded.CollectionView {...props} />;
}

/** Ways from a file of a collection to the others. */
export function FileSteps(props: StepProps) {
  const loaded = useLazy(STEPS, onFailure);
  return loaded !== null && <loaded.FileSteps {...props} />;
}
