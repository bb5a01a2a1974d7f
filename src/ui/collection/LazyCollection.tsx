import { Lazy } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { toastFailure } from "../toast/toasts.ts";
import type { CollectionProps } from "./CollectionView.tsx";

const VIEW = new Lazy(() => import("./CollectionView.tsx"));

/** The table of many files, loaded when it is first shown. */
export function CollectionView(props: CollectionProps) {
  const loaded = useLazy(VIEW, toastFailure);
  return loaded !== null && <loaded.CollectionView {...props} />;
}
