/** Commands that parts of the page offer to the search box, by id: a part registers what its own button does. */
import { useEffect, useRef } from "react";

export type PartCommand = "export" | "find" | "pauses" | "shortcuts" | "symbols";

const offered = new Map<PartCommand, () => void>();

/** Offers a command for as long as the component is there. */
export function useCommand(id: PartCommand, run: () => void): void {
  const newest = useRef(run);
  newest.current = run;
  useEffect(() => {
    const call = () => newest.current();
    offered.set(id, call);
    return () => {
      if (offered.get(id) === call) offered.delete(id);
    };
  }, [id]);
}

export function isOffered(id: PartCommand): boolean {
  return offered.has(id);
}

export function runCommand(id: PartCommand): void {
  offered.get(id)?.();
}
