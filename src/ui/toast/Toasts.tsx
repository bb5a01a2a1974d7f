import { useEffect, useState } from "react";
import { likelySoon } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { whenWaiting } from "./toasts.ts";

const REGION = likelySoon(() => import("./ToastRegion.tsx").then(({ ToastRegion }) => ToastRegion));
const quietly = () => {};

/** Place of the toasts; once in the page. */
export function Toasts() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenWaiting(() => setWanted(true)), []);
  const Region = useLazy(wanted ? REGION : null, quietly);
  return Region !== null && <Region />;
}
