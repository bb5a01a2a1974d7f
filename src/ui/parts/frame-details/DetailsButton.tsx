import { Button } from "../../primitives/icon/Icon.tsx";

/** Opens the details of the current row's frames, where a dump is open. */
export function DetailsButton({ onDetails }: { onDetails: (() => void) | null }) {
  if (onDetails === null) return null;
  return (
    <Button tip="Invocations, parameters and SQL of the current row (D)" testId="details-open" onClick={onDetails}>
      Details
    </Button>
  );
}
