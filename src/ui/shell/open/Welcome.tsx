import { FileUp, Lock, Play } from "lucide-react";
import type { ReactNode } from "react";
import { ARCHIVE_ENDINGS, PACKED_ENDINGS } from "../../../core/inputs/formats.ts";
import { visible } from "../../../model/words/text.ts";
import type { InputFile } from "../../../worker/api.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { fetchSample } from "../../parts/files/inputs.ts";
import { JOININGS, openWords } from "../../parts/files/joining.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import { Miniature } from "./Miniature.tsx";
import type { Over } from "./use-drop.ts";
import css from "./Welcome.module.css";

interface Props {
  onSample: (sample: typeof fetchSample) => void;
  onFiles: (files: InputFile[]) => void;
  /** What went wrong before, if anything. */
  children?: ReactNode;
}

const NOTES = new Lazy(() => import("./LinkNote.tsx"));

const FORMATS = ["JFR", "OTLP profiles", "pprof", "Collapsed stacks", "Cloud Profiler dumps"];
const PACKED = [...PACKED_ENDINGS, ...ARCHIVE_ENDINGS].map((ending) => `.${ending}`).join(" ");

/** The page without a recording: its purpose, how to open one, and a picture of the result. */
export function Welcome({ onSample, onFiles, children }: Props) {
  const notes = useLazy(NOTES, () => {});
  return (
    <main className={css.welcome} tabIndex={-1}>
      {children}
      <div className={css.columns}>
        <section className={css.words} aria-labelledby="welcome">
          <h2 id="welcome" className={css.headline}>
            See where one slow request spent its time
          </h2>
          <p className={css.lead}>
            Spanflame draws the profile of a single trace: flame graph, timeline, threads and locks, next to all other
            requests of the same endpoint. Add its trace file for a waterfall, and paste any trace or span id.
          </p>
          {notes !== null && <notes.LinkNote onFiles={onFiles} />}
          <div className={css.drop}>
            <Icon of={FileUp} size={24} className={css.mark} />
            <p className={css.hint}>Drop recordings here</p>
            <div className={css.actions}>
              <FilePicker look="primary" label="Choose files…" onFiles={onFiles} />
              <FilePicker isFolder label="Open a folder…" onFiles={onFiles} />
              <Button testId="open-sample" onClick={() => onSample(fetchSample)}>
                <Icon of={Play} size={14} /> Try the sample
              </Button>
            </div>
            <ul className={css.formats} aria-label="Formats">
              {FORMATS.map((name) => (
                <li key={name}>{name}</li>
              ))}
              <li className={css.packed}>{PACKED}</li>
            </ul>
          </div>
          <p className={css.private}>
            <Icon of={Lock} size={14} /> Nothing leaves this machine: files are read in this page.
          </p>
          {notes !== null && <notes.HowToRecord />}
        </section>
        <Miniature />
      </div>
    </main>
  );
}

interface DropTargetsProps {
  over: Over;
  /** Files of the open recording: without any there is one target. */
  names: readonly string[];
}

/** Over the page while files are dragged across it. */
export function DropTargets({ over, names }: DropTargetsProps) {
  if (names.length === 0) {
    return (
      <div className={css.over}>
        <div className={css.only}>
          <Icon of={FileUp} size={32} className={css.dropTargetsMark} />
          <p>Drop to open</p>
        </div>
      </div>
    );
  }
  const open = visible(openWords(names), 60);
  return (
    <div className={css.over} data-testid="drop-targets">
      {JOININGS.map(({ how, label, about }) => (
        <div key={how} className={css.target} data-joining={how} data-over={over === how || undefined}>
          <p className={css.label}>{label}</p>
          <p className={css.about}>
            <bdi>{about(open)}</bdi>
          </p>
        </div>
      ))}
    </div>
  );
}
