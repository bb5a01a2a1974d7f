import { inferredShare } from "../../../model/trace/coverage.ts";
import css from "./InferredPart.module.css";

/** After the name of a row: `38 % inferred`. */
export function InferredNote({ inferred, of, side = "" }: { inferred: number; of: number; side?: string }) {
  if (inferred <= 0 || of <= 0) return null;
  return (
    <span className={css.note} data-testid="row-inferred" data-exact={inferred}>
      {side}
      {inferredShare(inferred, of)}
    </span>
  );
}

/** The sign of inferred context in a bar: its end is striped as far as it is of samples with inferred context. */
export function InferredPart({ inferred, of }: { inferred: number; of: number }) {
  if (inferred <= 0 || of <= 0) return null;
  return <span className={css.part} style={{ width: `${Math.min(100, (100 * inferred) / of)}%` }} />;
}
