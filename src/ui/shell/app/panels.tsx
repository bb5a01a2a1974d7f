/** The panels of a page with a recording: the row of each says where it is, when it is shown, and what loads it. */
import { Fragment, type ReactNode } from "react";
import type { QueryAction, Selecting } from "../../../model/query/query.ts";
import type { Undoable, UndoableAction } from "../../../model/query/undo.ts";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import { areSpansAlone } from "../../../model/trace/shows-trace.ts";
import type { Measured } from "../../../model/words/measure.ts";
import type { Failure, Overview } from "../../../worker/api.ts";
import { SelectionHeader } from "../../parts/selection/SelectionHeader.tsx";
import type { Outlined } from "../../parts/selection/use-outline.ts";
import { SymbolNotice } from "../../parts/symbols/SymbolNotice.tsx";
import { Lazy, useLazy } from "../../primitives/lazy/lazy.ts";
import { Diagnostics, FailureMessage, LinkedNote, SlowNotice, SpansAlone } from "../messages/Messages.tsx";
import { OtlpReports } from "../messages/OtlpReports.tsx";
import type { FileReport } from "../messages/use-otlp-reports.ts";
import { PrintHead } from "./PrintHead.tsx";

/** What a panel may show. */
export interface PanelProps {
  names: string[];
  overview: Overview;
  /** On those of the files that are OTLP profiles. */
  reports: FileReport[];
  undoable: Undoable;
  /** The parts of the query that select samples. */
  selecting: Selecting;
  outlined: Outlined | null;
  tabs: ProfileTab[];
  profile: Measured | null;
  /** What a link of another tool selected. */
  note: string;
  /** What did not succeed last. */
  failure: Failure | null;
  user: (action: UndoableAction) => void;
  /** Ends the decoder's work, and reads the files again. */
  onStop: () => void;
}

/** `notices`: below the top bar. `selection`: below the timeline, above the view. */
type Place = "notices" | "selection";

interface Panel {
  id: string;
  at: Place;
  show: (page: PanelProps) => ReactNode;
}

/** The 100 slowest calls: a number that is read in a moment. */
const FEW: QueryAction = { kind: "calls", calls: [{ part: "slowest", text: "100" }] };
const FRAMES_READING = new Lazy(() =>
  import("../../views/calls/FramesReading.tsx").then(({ FramesReading }) => FramesReading),
);

/** In the order in which they are on the page. */
export const PANELS: readonly Panel[] = [
  { id: "failure", at: "notices", show: ({ failure }) => failure !== null && <FailureMessage failure={failure} /> },
  { id: "linked", at: "notices", show: ({ note }) => note !== "" && <LinkedNote words={note} /> },
  { id: "slow", at: "notices", show: ({ onStop }) => <SlowNotice onStop={onStop} /> },
  { id: "frames", at: "notices", show: (page) => page.overview.calls !== null && <CallsReading {...page} /> },
  {
    id: "diagnostics",
    at: "notices",
    show: ({ overview: { diagnostics, files, cancelled } }) => <Diagnostics {...{ diagnostics, files, cancelled }} />,
  },
  {
    id: "spans-alone",
    at: "notices",
    show: ({ overview: { files } }) => areSpansAlone(files) && <SpansAlone files={files} />,
  },
  { id: "reports", at: "notices", show: ({ reports }) => <OtlpReports reports={reports} /> },
  { id: "symbols", at: "notices", show: ({ overview }) => overview.hasAddresses && <SymbolNotice /> },
  {
    id: "print",
    at: "notices",
    show: ({ names, profile, undoable }) =>
      profile !== null && <PrintHead names={names} profile={profile} search={undoable.query.search} />,
  },
  {
    id: "selection",
    at: "selection",
    show: ({ names, overview, undoable, outlined, tabs, selecting, profile, user }) =>
      profile !== null && (
        <SelectionHeader
          {...{ names, outlined, tabs }}
          tellsRecording={undoable.query.view === "overview"}
          files={overview.files}
          traces={overview.traces?.traces ?? 0}
          query={selecting}
          zeros={overview.rows}
          hasChart={overview.rows.length > 0}
          hasRequests={hasRequests(overview)}
          type={profile.type}
          act={user}
        />
      ),
  },
];

/** The panels at a place. */
export function panelsAt(place: Place, page: PanelProps): ReactNode {
  return PANELS.filter(({ at }) => at === place).map(({ id, show }) => <Fragment key={id}>{show(page)}</Fragment>);
}

/** The recording tells where the time of requests went. */
function hasRequests({ calls, traces, profiles, files }: Overview): boolean {
  if (areSpansAlone(files)) return false;
  return calls === null && (traces !== null || profiles.some(({ samplesWithRoot }) => samplesWithRoot > 0));
}

/** Progress of the frames of calls. After Cancel the calls selected before are selected again, or a few. */
function CallsReading({ undoable: { past }, user }: PanelProps) {
  const Loaded = useLazy(FRAMES_READING);
  return Loaded !== null && <Loaded onCancel={() => user(past.length > 0 ? { kind: "undo" } : FEW)} />;
}
