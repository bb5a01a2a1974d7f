import { useCallback, useLayoutEffect, useRef } from "react";
import { extraKey } from "../../core/extra-events.ts";
import type { InputFile } from "../../worker/api.ts";
import { useKeptFocus } from "../keys/use-kept-focus.ts";
import { FailureMessage, Unreadable } from "../messages/Messages.tsx";
import { CleanReports, OtlpReports } from "../messages/OtlpReports.tsx";
import { useOtlpReports } from "../messages/use-otlp-reports.ts";
import { requestedByAddress } from "../open/inputs.ts";
import { Loading } from "../open/Loading.tsx";
import { useDrop } from "../open/use-drop.ts";
import { Welcome } from "../open/Welcome.tsx";
import { RECORDING } from "../part/parts.ts";
import { usePart } from "../part/use-part.ts";
import { useTheme } from "../theme/use-theme.ts";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { useQuery } from "./use-query.ts";
import type { FilesToOpen } from "./use-recording.ts";
import { useRecording } from "./use-recording.ts";

/** One empty list for all, so that it is always the same. */
const NONE: InputFile[] = [];

export function App() {
  const recording = useRecording();
  const { state, generation, open: read, reread, cancel, fail } = recording;
  const [undoable, act] = useQuery();
  const { query } = undoable;
  const { theme, dark, next } = useTheme();
  useKeptFocus();
  const opened = useRef(false);
  const inAddress = useRef(query.extra);

  // The query of the address is for the first recording; another one starts afresh.
  const open = useCallback(
    (files: FilesToOpen) => {
      const first = !opened.current;
      if (!first) act({ kind: "reset" });
      opened.current = true;
      read(files, first ? inAddress.current : []);
    },
    [act, read],
  );
  const over = useDrop(open);

  // Before the first paint, or the welcome page would flash up.
  useLayoutEffect(() => {
    const requested = requestedByAddress(location.search);
    if (requested !== null) read(requested, inAddress.current);
    opened.current = requested !== null;
  }, [read]);

  // Events were added or taken away, here or by Back and Forward: only the files know their samples.
  const { extra } = query;
  const stale = state.phase === "open" && extraKey(state.extra) !== extraKey(extra);
  useLayoutEffect(() => {
    if (stale) reread(extra);
  }, [stale, extra, reread]);

  const reports = useOtlpReports(state.phase === "loading" ? NONE : state.otlp);
  const files = state.phase === "open" ? state.inputs : NONE;
  const change = useCallback((changed: InputFile[]) => read(changed, extra), [read, extra]);
  const part = usePart(state.phase === "open" && !stale ? RECORDING : null, fail);
  const bar = { files, onFiles: open, onChange: change, theme, onTheme: next };
  return (
    <div className={css.app} data-testid="drop" data-over={over || undefined}>
      {state.phase === "open" && part !== null ? (
        <part.RecordingView
          key={generation}
          names={files.map(({ name }) => name)}
          overview={state.overview}
          reports={reports}
          undoable={undoable}
          act={act}
          dark={dark}
          bar={bar}
          onFatal={fail}
        />
      ) : (
        <TopBar {...bar} />
      )}
      {state.phase === "empty" && (
        <Welcome onOpen={open}>
          {state.failure !== null && <FailureMessage failure={state.failure} />}
          {state.diagnostics.length > 0 && <Unreadable diagnostics={state.diagnostics} />}
          <OtlpReports reports={reports} />
          <CleanReports reports={reports} />
        </Welcome>
      )}
      {state.phase === "loading" && <Loading names={state.names} progress={state.progress} onCancel={cancel} />}
      {state.phase === "open" && part === null && (
        <Loading names={files.map(({ name }) => name)} progress={null} onCancel={cancel} />
      )}
      {over && (
        <div className={css.over}>
          <p>Drop to open</p>
        </div>
      )}
    </div>
  );
}
