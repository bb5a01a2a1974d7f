import { type ReactNode, useCallback } from "react";
import type { Failure, InputFile } from "../../worker/api.ts";
import { Boundary } from "../boundary/Boundary.tsx";
import { useKeptFocus } from "../keys/use-kept-focus.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import { CleanReports, OtlpReports } from "../messages/OtlpReports.tsx";
import { RefusedFiles } from "../messages/RefusedFiles.tsx";
import { useOtlpReports } from "../messages/use-otlp-reports.ts";
import { Loading } from "../open/Loading.tsx";
import { useDrop } from "../open/use-drop.ts";
import { Welcome } from "../open/Welcome.tsx";
import { useTheme } from "../theme/use-theme.ts";
import { Toasts } from "../toast/Toasts.tsx";
import { Tooltips } from "../tooltip/Tooltips.tsx";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { clearAddress } from "./address.ts";
import { RECORDING } from "./lazy-recording.ts";
import { useOpening } from "./use-opening.ts";
import { useQuery } from "./use-query.ts";
import type { Recording } from "./use-recording.ts";
import { useRecording } from "./use-recording.ts";

/** One empty list for all, so that it is always the same. */
const NONE: InputFile[] = [];

/**
 * The recording, and the page that shows it: after an exception the page is made again, and the recording is still
 * there.
 */
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
  const { state, generation, restart, cancel, fail, dismiss } = recording;
  const [undoable, act] = useQuery();
  const { query } = undoable;
  const { theme, dark, next } = useTheme();
  useKeptFocus();
  const { open, change, stale } = useOpening(recording, query, act);
  const over = useDrop(open);
  const reports = useOtlpReports(state.phase === "loading" ? NONE : state.otlp);
  const files = state.phase === "open" ? state.inputs : NONE;
  const onFatal = useCallback((failure: Failure) => fail(failure, generation), [fail, generation]);
  const onDefaults = useCallback(() => act({ kind: "defaults" }), [act]);
  const onStop = () => {
    onDefaults();
    restart(query.extra);
  };
  const loaded = useLazy(state.phase === "open" && !stale ? RECORDING : null, onFatal);
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
      {state.phase === "open" && loaded !== null ? (
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
          <loaded.RecordingView
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
      {state.phase === "open" && loaded === null && (
        <Loading names={files.map(({ name }) => name)} progress={null} cancelling={false} onCancel={cancel} />
      )}
      {over && <DropHint />}
      <Toasts />
      <Tooltips />
    </div>
  );
}

/** Over the page while files are dragged across it. */
function DropHint() {
  return (
    <div className={css.over}>
      <p>Drop to open</p>
    </div>
  );
}
