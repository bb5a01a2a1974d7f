import { InferredPart } from "../inferred/InferredNote.tsx";
import css from "./Share.module.css";

interface Props {
  value: number;
  whole: number;
  text: string;
  /** The value of samples with inferred context. */
  inferred?: number | undefined;
}

/** A figure over a bar of its share. */
export function Share({ value, whole, text, inferred = 0 }: Props) {
  const width = whole <= 0 ? 0 : Math.max(0, Math.min(100, (100 * value) / whole));
  return (
    <>
      <span className={css.bar} style={{ width: `${width}%` }}>
        <InferredPart inferred={inferred} of={value} />
      </span>
      <span className={css.text}>{text}</span>
    </>
  );
}
