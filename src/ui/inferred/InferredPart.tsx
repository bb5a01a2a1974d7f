import css from "./InferredPart.module.css";

/** The sign of inferred context in a bar: its end is striped as far as it is of samples with inferred context. */
export function InferredPart({ inferred, of }: { inferred: number; of: number }) {
  if (inferred <= 0 || of <= 0) return null;
  return <span className={css.part} style={{ width: `${Math.min(100, (100 * inferred) / of)}%` }} />;
}
