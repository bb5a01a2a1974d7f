import type { ReactNode } from "react";
import type { FilesToOpen } from "../app/use-recording.ts";
import { FilePicker } from "./FilePicker.tsx";
import { fetchSample } from "./inputs.ts";
import css from "./Welcome.module.css";

interface Props {
  onOpen: (files: FilesToOpen) => void;
  /** What went wrong before, if anything. */
  children?: ReactNode;
}

/** The page without a recording. */
export function Welcome({ onOpen, children }: Props) {
  return (
    <main className={css.welcome} tabIndex={-1}>
      {children}
      <section className={css.card}>
        <h2>Drop a JFR recording here</h2>
        <p>
          See where the time of one span went, and write it as OTLP profiles. The file stays in this page: nothing is
          uploaded.
        </p>
        <div className={css.actions}>
          <FilePicker className={css.primary} label="Choose files…" onFiles={onOpen} />
          <button type="button" data-testid="open-sample" onClick={() => onOpen(fetchSample)}>
            Open the sample
          </button>
        </div>
      </section>
    </main>
  );
}
