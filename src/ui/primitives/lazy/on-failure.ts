/** What becomes of a failed question, or of a part of the page that cannot be loaded: decided by what is around. */
import { createContext, useContext } from "react";
import type { Failure } from "../../../worker/api.ts";

export const OnFailure = createContext((failure: Failure): void => {
  throw new Error(failure.message); // nothing around shows it: at least the console does
});

export const useFailure = () => useContext(OnFailure);
