import { type ReactNode, useCallback, useLayoutEffect, useRef } from "react";
import { extraKey } from "../../core/extra-events.ts";
import type { Failure, InputFile } from "../../worker/api.ts";
import { Boundary } from "../boundary/Boundary.tsx";
import { useKeptFocus } from "../keys/use-kept-focus.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { CleanReports, OtlpReports } from "../messages/OtlpReports.tsx";
import { RefusedFiles } from "../messages/RefusedFiles.tsx";
import { useOtlpReports } from "../messages/use-otlp-reports.ts";
import { requestedByAddress } from "../open/inputs.ts";
import { Loading } from "../open/Loading.tsx";
import { useDrop } from "../open/use-drop.ts";
import { Welcome } from "../open/Welcome.tsx";
import { useTheme } from "../theme/use-theme.ts";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { clearAddress } from "./address.ts";
import { RECORDING } from "./lazy-recording.ts";
import { useQuery } from "./use-query.ts";
import type { FilesToOpen, Recording } from "./use-recording.ts";
import { useRecording } from "./use-recording.ts";

/** One empty list for all, so that it is always the same. */
const NONE: InputFile[] = [];

/** The recording, and the page that shows it: after an exception the page is made again, and the recording is still there. */
export function App() {
  const recording = useRecording();
  return (
    <Boundary
      what="The page"
      onReset={clearAddress}
      frame={(panel) => (
        <>
          <header>
            <h1 className={css.brand}>Spanflame</h1>
          </header>
          {inMain(panel)}
        </>
      )}
    >
      <Page recording={recording} />
    </Boundary>
  );
}

const inMain = (panel: ReactNode) => (
  <main className={css.crashed} tabIndex={-1}>
    {panel}
  </main>
);

function Page({ recording }: { recording: Recording }) {
  const { state, generation, open: read, reread, restart, cancel, fail, dismiss } = recording;
  const [undoable, act] = useQuery();
  const { query } = undoable;
  const { theme, dark, next } = useTheme();
  useKeptFocus();
  // Not at first only where the page is made again.
  const opened = useRef(state.phase !== "empty" || state.refusal !== null);
  const inAddress = useRef(query.extra);

  // The query of the address is for the first recording; another one starts without.
  const open = useCallback(
    (files: FilesToOpen) => {
      const first = !opened.current;
      opened.current = true;
      read(files, first ? inAddress.current : [], first ? {} : { opened: () => act({ kind: "reset" }) });
    },
    [act, read],
  );
  const over = useDrop(open);

  // Before the first paint, or the welcome page would flash up.
  useLayoutEffect(() => {
    const requested = opened.current ? null : requestedByAddress(location.search);
    if (requested === null) return;
    opened.current = true;
    read(requested, inAddress.current);
    return () => {
      opened.current = false;
    };
  }, [read]);

  // Events were added or taken away, here or by Back and Forward: only the files know their samples.
  const { extra } = query;
  const stale = state.phase === "open" && extraKey(state.extra) !== extraKey(extra);
  useLayoutEffect(() => {
    if (stale) reread(extra, { kept: (former) => act({ kind: "events", extra: former }) });
  }, [stale, extra, reread, act]);

  const reports = useOtlpReports(state.phase === "loading" ? NONE : state.otlp);
  const files = state.phase === "open" ? state.inputs : NONE;
  const change = useCallback(
    (changed: InputFile[], onOpened?: () => void) =>
      read(changed, extra, onOpened === undefined ? {} : { opened: onOpened }),
    [read, extra],
  );
  const onFatal = useCallback((failure: Failure) => fail(failure, generation), [fail, generation]);
  const onDefaults = useCallback(() => act({ kind: "defaults" }), [act]);
  const onStop = () => {
    onDefaults();
    restart(extra);
  };
  const part = useLazy(state.phase === "open" && !stale ? RECORDING : null, onFatal);
  const bar = { files, onFiles: open, onChange: change, theme, onTheme: next };
  const refusal = state.phase === "loading" || state.refusal === null ? null : state.refusal;
  const refused = refusal !== null && (
    <RefusedFiles
      refusal={refusal}
      isOther={state.phase === "open"}
      onOpen={(again) => {
        if (refusal.byQuestion) onDefaults();
        change(again);
      }}
      onDismiss={dismiss}
    />
  );
  return (
    <div className={css.app} data-testid="drop" data-over={over || undefined}>
      {state.phase === "open" && part !== null ? (
        <Boundary
          what="The recording"
          resetOn={query}
          onReset={onDefaults}
          frame={(panel) => (
            <>
              <TopBar {...bar} />
              {inMain(panel)}
            </>
          )}
        >
          <part.RecordingView
            key={generation}
            names={files.map(({ name }) => name)}
            overview={state.overview}
            reports={reports}
            undoable={undoable}
            act={act}
            dark={dark}
            bar={bar}
            refused={refused}
            onFatal={onFatal}
            onStop={onStop}
          />
        </Boundary>
      ) : (
        <TopBar {...bar} />
      )}
      {state.phase === "empty" && (
        <Welcome onOpen={open}>
          {refused}
          <OtlpReports reports={reports} />
          <CleanReports reports={reports} />
        </Welcome>
      )}
      {state.phase === "loading" && (
        <Loading names={state.names} progress={state.progress} cancelling={state.cancelling} onCancel={cancel} />
      )}
      {state.phase === "open" && part === null && (
        <Loading names={files.map(({ name }) => name)} progress={null} cancelling={false} onCancel={cancel} />
      )}
      {over && (
        <div className={css.over}>
          <p>Drop to open</p>
        </div>
      )}
    </div>
  );
}
