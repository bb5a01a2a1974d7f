import { useCallback, useMemo, useRef } from "react";
import { frameName } from "../../model/flame.ts";
import type { Measured } from "../../model/measure.ts";
import type { ProfileTab } from "../../model/profile-tabs.ts";
import type { QueryAction, QueryState } from "../../model/query.ts";
import { filterOf } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { FlameGraph } from "./FlameGraph.tsx";
import css from "./FlamePanel.module.css";
import { NoSamples } from "./NoSamples.tsx";
import { ProfileNote } from "./ProfileNote.tsx";
import { StatusLine } from "./StatusLine.tsx";
import { useSelection } from "./use-selection.ts";
import { useWidth } from "./use-width.ts";

interface Props {
  id: string;
  tabs: ProfileTab[];
  profile: Measured;
  query: QueryState;
  act: (action: QueryAction) => void;
  dark: boolean;
  onFailure: (failure: Failure) => void;
}

const ROOT_NAME = "all";

/** The samples looked at: their totals, the way out of the zoom, the graph, the frame in hand. */
export function FlamePanel({ id, tabs, profile, query, act, dark, onFailure }: Props) {
  const ruler = useRef<HTMLDivElement>(null);
  const width = useWidth(ruler);
  const failed = useCallback(
    (failure: Failure, focus: number) => {
      // A zoom out of a link may name a frame this recording does not have.
      if (focus !== 0 && failure.code !== "core.trap") act({ kind: "focus", node: 0 });
      else onFailure(failure);
    },
    [act, onFailure],
  );
  const selection = useSelection(profile, filterOf(query), query.focus, width, failed);
  const onFocus = useCallback((node: number) => act({ kind: "focus", node }), [act]);
  const present = useMemo(
    () => tabs.flatMap((tab) => (tab.profile === null ? [] : [{ profile: tab.profile, label: tab.label }])),
    [tabs],
  );

  const tab = tabs.find(({ type }) => type === profile.type);

  return (
    <section id={id} className={css.panel} role="tabpanel" aria-label="Flame graph">
      {/* As wide as the graph will be, whatever is shown meanwhile. */}
      <div ref={ruler} className={css.ruler} />
      {selection !== null && <StatusLine selection={selection} />}
      <ProfileNote profile={profile} label={tab?.label ?? profile.type} about={tab?.about ?? ""} />
      {selection !== null && selection.totals.samples === 0 && (
        <NoSamples
          profile={selection.profile}
          profiles={present}
          filter={selection.filter}
          label={tabs.find((tab) => tab.type === selection.profile.type)?.label ?? selection.profile.type}
          onType={(type) => act({ kind: "type", type })}
          onClear={() => act({ kind: "clear" })}
        />
      )}
      {selection !== null && selection.totals.samples > 0 && (
        <>
          <Breadcrumb
            path={selection.answer.path}
            focus={frameName(selection.answer.frames, 0, ROOT_NAME)}
            rootName={ROOT_NAME}
            onFocus={onFocus}
          />
          <FlameGraph selection={selection} rootName={ROOT_NAME} dark={dark} onFocus={onFocus} />
        </>
      )}
    </section>
  );
}
