import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { filterKey } from "../model/query/query.ts";
import { formatPercent } from "../model/words/format.ts";
import { Tooltip } from "../ui/parts/drawing/tooltip.ts";
import { Boundary } from "../ui/primitives/boundary/Boundary.tsx";
import { Dark } from "../ui/primitives/theme/dark.ts";
import { Unreadable } from "../ui/shell/messages/Messages.tsx";
import { checkNames, conditionsOf } from "./conditions.ts";
import { Failed } from "./Failed.tsx";
import { problemOf } from "./problem.ts";
import type { Announce, ViewerOptions } from "./types.ts";
import { type Opened, useRecording } from "./use-recording.ts";
import { View } from "./View.tsx";
import css from "./Viewer.module.css";

interface Props {
  options: ViewerOptions;
  announce: Announce;
}

/** The embedded flame graph: everything inside the shadow root. */
export function Viewer({ options, announce }: Props) {
  const wrapper = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const dark = useProbed(probe);
  useTips(wrapper);
  useTypedKeys(wrapper);
  const opened = useRecording(options);
  const { theme = "auto" } = options;
  return (
    <div ref={wrapper} className={css.viewer} data-overlays data-theme={theme === "auto" ? undefined : theme}>
      <span ref={probe} className={css.probe} aria-hidden="true" />
      <Boundary what="The flame graph" resetOn={opened}>
        <Dark value={dark}>
          <Content opened={opened} options={options} keys={wrapper} announce={announce} />
        </Dark>
      </Boundary>
    </div>
  );
}

interface ContentProps extends Props {
  opened: Opened;
  /** Its element gets the keys. */
  keys: { current: HTMLElement | null };
}

function Content({ opened, options, keys, announce }: ContentProps) {
  const checked = useChecked(options);
  const error = checked.error ?? (opened.kind === "failed" ? opened.error : null);
  useEffect(() => {
    if (error !== null) announce("error", { code: error.code, message: error.message });
  }, [error, announce]);
  if (checked.error !== null) return <Failed error={checked.error} />;
  switch (opened.kind) {
    case "nothing":
      return <p className={css.message}>No data.</p>;
    case "reading":
      return (
        <p className={css.message} role="status" part="progress">
          Reading{opened.share > 0 && ` ${formatPercent(opened.share, 1)}`}…
        </p>
      );
    case "failed":
      return opened.overview === null || opened.overview.diagnostics.length === 0 ? (
        <Failed error={opened.error} />
      ) : (
        <div className={css.message} data-code={opened.error.code} part="error">
          <Unreadable {...opened.overview} />
        </div>
      );
    case "open":
      return (
        // Other conditions are another selection: zoom, search and filters of before do not belong to it.
        <View
          key={filterKey(checked.filter)}
          recording={opened.recording}
          graphs={opened.graphs}
          overview={opened.overview}
          filter={checked.filter}
          options={options}
          keys={keys}
          announce={announce}
        />
      );
  }
}

/** The conditions on the samples, or why the options are not valid. */
function useChecked(options: ViewerOptions) {
  const { filter, localRoot, span, view, theme } = options;
  return useMemo(() => {
    try {
      checkNames({ view, theme });
      return { filter: conditionsOf({ filter, localRoot, span }), error: null };
    } catch (problem) {
      return { filter: {}, error: problemOf(problem) };
    }
  }, [filter, localRoot, span, view, theme]);
}

/** What the style sheet gives the probe in a dark element. */
const DARK = "rgb(0, 0, 0)";

/**
 * `probe` has another colour in the dark. A change of the scheme has no event, but a colour that changes is a
 * transition.
 */
function useProbed(probe: RefObject<HTMLElement | null>): boolean {
  const [dark, setDark] = useState(false);
  useLayoutEffect(() => {
    const { current } = probe;
    if (current === null) return;
    const look = () => setDark(getComputedStyle(current).color === DARK);
    look();
    current.addEventListener("transitionend", look);
    return () => current.removeEventListener("transitionend", look);
  }, [probe]);
  return dark;
}

/** Elements inside of `area` have the text in `data-tip`. */
function useTips(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = area;
    if (current === null) return;
    const tooltip = new Tooltip(current, "tip");
    const listening = new AbortController();
    const { signal } = listening;
    const follow = (event: PointerEvent) => {
      const tip = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tip]")?.dataset.tip : null;
      if (tip === undefined || tip === null || event.pointerType === "touch") tooltip.hide();
      else tooltip.show(event, [tip]);
    };
    current.addEventListener("pointerover", follow, { signal });
    current.addEventListener("pointerleave", () => tooltip.hide(), { signal });
    current.addEventListener("pointerdown", () => tooltip.hide(), { signal });
    return () => {
      listening.abort();
      tooltip.destroy();
    };
  }, [area]);
}

/**
 * Letters that are typed into a field of the element stay inside. The page around sees the element as their target, not
 * the field, so its shortcuts would take them.
 */
function useTypedKeys(area: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = area;
    if (current === null) return;
    const keep = (event: KeyboardEvent) => {
      const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (isLetter && event.target instanceof HTMLInputElement && event.target.type === "search")
        event.stopPropagation();
    };
    current.addEventListener("keydown", keep);
    return () => current.removeEventListener("keydown", keep);
  }, [area]);
}
