import type { Failure } from "../../worker/api.ts";
import { Lazy } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { useSymbols } from "./symbol-store.ts";

const NEWS = new Lazy(() => import("./SymbolNews.tsx"));

interface Props {
  /** Without a recording files of symbols wait for one. */
  isOpen: boolean;
  onFailure: (failure: Failure) => void;
}

/** Progress of files of symbols, and those that wait for a recording. */
export function SymbolNews({ isOpen, onFailure }: Props) {
  const { progress, files } = useSymbols();
  const isShown = progress !== null || (!isOpen && files.length > 0);
  const loaded = useLazy(isShown ? NEWS : null, onFailure);
  return isShown && loaded !== null && <loaded.SymbolNews />;
}
