import css from "./Share.module.css";

/** A figure over a bar of its share. */
export function Share({ value, whole, text }: { value: number; whole: number; text: string }) {
  const width = whole <= 0 ? 0 : Math.max(0, Math.min(100, (100 * value) / whole));
  return (
    <>
      <span className={css.bar} style={{ width: `${width}%` }} />
      <span className={css.text}>{text}</span>
    </>
  );
}
