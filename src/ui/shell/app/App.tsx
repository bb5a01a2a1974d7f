import { type ComponentProps, type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import type { QueryState } from "../../../model/query/query.ts";
import type { Failure, InputFile } from "../../../worker/api.ts";
import { useSymbols } from "../../parts/answers/symbol-store.ts";
import { Boundary } from "../../primitives/boundary/Boundary.tsx";
import { useKeptFocus } from "../../primitives/keys/use-keys.ts";
import { Lazy, likelySoon, useLazy } from "../../primitives/lazy/lazy.ts";
import { OnFailure } from "../../primitives/lazy/on-failure.ts";
import { Dark } from "../../primitives/theme/dark.ts";
import { useTheme } from "../../primitives/theme/use-theme.ts";
import { toastFailure, whenWaiting } from "../../primitives/toast/toasts.ts";
import { Tooltips } from "../../primitives/tooltip/Tooltips.tsx";
import type { CollectionProps } from "../collection/CollectionView.tsx";
import { useCollection } from "../collection/use-collection.ts";
import type { FileReport } from "../messages/use-otlp-reports.ts";
import { useOtlpReports } from "../messages/use-otlp-reports.ts";
import { Incoming, Loading } from "../open/Loading.tsx";
import { useDrop, useLaunch, useTaking } from "../open/use-drop.ts";
import { JoinDialog, useJoining } from "../open/use-joining.tsx";
import { DropTargets, Welcome } from "../open/Welcome.tsx";
import { clearAddress } from "../recording/address.ts";
import type { Recording } from "../recording/use-recording.ts";
import { useRecording } from "../recording/use-recording.ts";
import { TopBar } from "../topbar/TopBar.tsx";
import css from "./App.module.css";
import { choiceOf, useOpening } from "./use-opening.ts";
import { RECORDING, useQuery } from "./use-query.ts";

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
      <Themed recording={recording} />
    </Boundary>
  );
}

const inMain = (panel: ReactNode) => (
  <main key="main" className={css.crashed} tabIndex={-1}>
    {panel}
  </main>
);

/** What is around all of the page; an exception in it makes the page again, too. */
function Themed({ recording }: Pick<PageProps, "recording">) {
  const { fail, generation } = recording;
  const { theme, dark, choose } = useTheme();
  const onFatal = useCallback((failure: Failure) => fail(failure, generation), [fail, generation]);
  return (
    <Dark value={dark}>
      <OnFailure value={onFatal}>
        <Page recording={recording} theme={theme} onTheme={choose} />
      </OnFailure>
    </Dark>
  );
}

interface PageProps extends Pick<ComponentProps<typeof TopBar>, "theme" | "onTheme"> {
  recording: Recording;
}

function Page({ recording, theme, onTheme }: PageProps) {
  const { state, incoming, generation, cancel } = recording;
  const [undoable, act] = useQuery();
  const query = undoable?.query ?? null;
  useKeptFocus();
  const { open, change, stale } = useOpening(recording, query, act);
  const { onTable, collected, isShown } = useCollection(recording, { query, act, change });
  const files = state.phase === "open" ? state.inputs : NONE;
  const names = useMemo(() => files.map(({ name }) => name), [files]);
  const hasTraces = state.phase === "open" && state.overview.inputs.every(({ kind }) => kind === "trace");
  const joining = useJoining(open, files.length > 0, hasTraces);
  const take = useTaking(open, files.length > 0, hasTraces);
  const over = useDrop(take, joining.ask);
  useLaunch(take);
  const reports = useOtlpReports(state.phase === "loading" ? NONE : state.otlp);
  const onDefaults = useCallback(() => act({ kind: "defaults" }), [act]);
  const onStop = useStop(recording, query, onDefaults);
  const loaded = useLazy(state.phase === "open" && !stale ? RECORDING : null);
  const bar = useMemo(
    () => ({ files, onFiles: joining.ask, onChange: change, theme, onTheme }),
    [files, joining.ask, change, theme, onTheme],
  );
  const refused = <Refused recording={recording} change={change} onDefaults={onDefaults} />;
  return (
    <div className={css.app} data-testid="drop" data-over={over ?? undefined}>
      {state.phase === "open" && loaded !== null && undoable !== null && !isShown ? (
        <Boundary
          what="The recording"
          resetOn={query}
          onReset={onDefaults}
          frame={(panel) => [<TopBar key="bar" {...bar} />, inMain(panel)]}
        >
          <loaded.RecordingView
            key={generation}
            names={names}
            overview={state.overview}
            reports={reports}
            undoable={undoable}
            act={act}
            bar={bar}
            collected={collected}
            onTable={onTable}
            onTake={take}
            onStop={onStop}
          />
        </Boundary>
      ) : (
        <TopBar {...bar} />
      )}
      {collected !== null && isShown && (
        <CollectionView collected={collected}>{state.phase === "empty" && refused}</CollectionView>
      )}
      {state.phase === "empty" && !isShown && (
        <Welcome onSample={(sample) => open(sample, "replace")} onFiles={joining.ask}>
          {refused}
          <LazyOtlpReports reports={reports} />
        </Welcome>
      )}
      {state.phase === "loading" && <Loading incoming={state} onCancel={cancel} />}
      {state.phase === "open" && (loaded === null || undoable === null) && !isShown && (
        <Loading incoming={{ ...NO_NEWS, names }} onCancel={cancel} />
      )}
      <div className={css.notices}>
        {state.phase === "open" && refused}
        {incoming !== null && <Incoming incoming={incoming} onCancel={cancel} />}
        <SymbolNews isOpen={state.phase === "open"} />
      </div>
      <JoinDialog {...joining} names={names} />
      {over !== null && <DropTargets over={over} names={names} />}
      <Toasts />
      <Tooltips />
    </div>
  );
}

/** Ends a question that takes too long, and reads the files again without what was asked. */
function useStop({ restart }: Recording, query: QueryState | null, onDefaults: () => void): () => void {
  return useCallback(() => {
    onDefaults();
    restart(choiceOf(query));
  }, [onDefaults, restart, query]);
}

/** Of a recording that is read, and whose view is being loaded. */
const NO_NEWS = { progress: null, cancelling: false, again: false, isShown: false };

const REFUSED = new Lazy(() => import("../messages/RefusedFiles.tsx"));

interface RefusedProps {
  recording: Recording;
  change: ReturnType<typeof useOpening>["change"];
  onDefaults: () => void;
}

/** Why files are not open: over the open recording, or on the welcome page. */
function Refused({ recording: { state, dismiss }, change, onDefaults }: RefusedProps) {
  const refusal = state.phase === "loading" ? null : state.refusal;
  const [lost, setLost] = useState<Failure | null>(null);
  const loaded = useLazy(refusal === null ? null : REFUSED, setLost);
  if (refusal === null) return null;
  if (loaded === null) return lost !== null && <p role="alert">{(refusal.failure ?? lost).message}</p>;
  return (
    <loaded.RefusedFiles
      refusal={refusal}
      isOther={state.phase === "open"}
      onOpen={(again, alone) => {
        if (refusal.byQuestion) onDefaults();
        change(again, [], alone);
      }}
      onDismiss={dismiss}
    />
  );
}

const VIEW = new Lazy(() => import("../collection/CollectionView.tsx"));

/** The table of many files, loaded when it is first shown. */
function CollectionView(props: CollectionProps) {
  const loaded = useLazy(VIEW, toastFailure);
  return loaded !== null && <loaded.CollectionView {...props} />;
}

const REPORTS = new Lazy(() => import("../messages/OtlpReports.tsx"));

/** Reports of OTLP files without a recording: fetched with the first one, as the first load needs none. */
function LazyOtlpReports({ reports }: { reports: readonly FileReport[] }) {
  const loaded = useLazy(reports.length > 0 ? REPORTS : null);
  if (loaded === null) return null;
  return (
    <>
      <loaded.OtlpReports reports={reports} />
      <loaded.CleanReports reports={reports} />
    </>
  );
}

const REGION = likelySoon(() =>
  import("../../primitives/toast/ToastRegion.tsx").then(({ ToastRegion }) => ToastRegion),
);
const quietly = () => {};

/** Place of the toasts; once in the page. */
function Toasts() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => whenWaiting(() => setWanted(true)), []);
  const Region = useLazy(wanted ? REGION : null, quietly);
  return Region !== null && <Region />;
}

const NEWS = new Lazy(() => import("../../parts/symbols/SymbolNews.tsx"));

/** Progress of files of symbols, and those that wait for a recording to be open. */
function SymbolNews({ isOpen }: { isOpen: boolean }) {
  const { progress, files } = useSymbols();
  const isShown = progress !== null || (!isOpen && files.length > 0);
  const loaded = useLazy(isShown ? NEWS : null);
  return isShown && loaded !== null && <loaded.SymbolNews />;
}
