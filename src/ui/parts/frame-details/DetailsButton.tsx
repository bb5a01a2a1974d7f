/** Opens the details of the current row's frames, where a dump is open. */
export function DetailsButton({ onDetails }: { onDetails: (() => void) | null }) {
  if (onDetails === null) return null;
  return (
    <button
      type="button"
      data-tip="Invocations, parameters and SQL of the current row (D)"
      data-testid="details-open"
      onClick={onDetails}
    >
      Details
    </button>
  );
}
