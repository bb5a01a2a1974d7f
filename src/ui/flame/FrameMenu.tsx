import type { KeyboardEvent } from "react";
import { useLayoutEffect, useRef } from "react";
import { type FunctionAction, shapeAction } from "../../model/flame/frame-actions.ts";
import type { QueryAction } from "../../model/query/query.ts";
import type { Shape } from "../../model/query/shape.ts";
import { copyText } from "../clipboard/copy-text.ts";
import css from "./FrameMenu.module.css";

interface Props {
  /** Where it was asked for, in the window. */
  at: { x: number; y: number };
  title: string;
  /** Name of the frame's function; "" where it has none. */
  name: string;
  shape: Shape;
  /** Null where there is nothing to zoom to. */
  zoom: (() => void) | null;
  perform: (action: FunctionAction) => void;
  act: (action: QueryAction) => void;
  /** The frame's stack as text. */
  stack: () => string;
  onClose: () => void;
}

interface Item {
  label: string;
  keys: string;
  run: (() => void) | null;
  /** Of what is on or off. */
  checked?: boolean;
}

/**
 * Pixels from the menu's corner to the pointer. A menu that opens while the button is down closes when the button comes
 * up outside of it, and its rounded corner is outside.
 */
const INSIDE = 5;

/** What can be done with a frame. Escape or a click elsewhere closes it: the browser's own popover. */
export function FrameMenu(props: Props) {
  const { at, title, onClose } = props;
  const menu = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return;
    current.showPopover();
    // Where it was asked for, as far as the window has room.
    const { offsetWidth, offsetHeight, style } = current;
    style.left = `${Math.max(8, Math.min(at.x - INSIDE, innerWidth - offsetWidth - 8))}px`;
    style.top = `${Math.max(8, Math.min(at.y - INSIDE, innerHeight - offsetHeight - 8))}px`;
    itemsOf(current)[0]?.focus();
  }, [at]);

  /** Closed first, so that the focus is back where it was when the page changes. */
  const choose = (run: () => void) => {
    menu.current?.hidePopover();
    run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(event.currentTarget);
    const index = items.indexOf(document.activeElement as HTMLElement);
    const next: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 };
    const to = next[event.key];
    if (event.key === "Tab") menu.current?.hidePopover();
    else if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={menu}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={title}
      className={css.menu}
      data-testid="frame-menu"
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState === "closed") onClose();
      }}
    >
      {groupsOf(props).map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of menu items is no fieldset
        <div key={group[0]?.label} role="group" className={css.group}>
          {group.map((item) => (
            <MenuItem key={item.label} item={item} choose={choose} />
          ))}
        </div>
      ))}
    </div>
  );
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

function groupsOf({ name, shape, zoom, perform, act, stack }: Props): Item[][] {
  const of = (action: FunctionAction) => (name === "" ? null : () => perform(action));
  const change = (key: string) => () => {
    const action = shapeAction(key, shape);
    if (action !== null) act(action);
  };
  const copy = (text: () => string) => () => void copyText(text());
  return [
    [
      { label: "Zoom in", keys: "Enter", run: zoom },
      { label: "Focus on this function", keys: "F", run: of("from") },
      { label: "Merge it into its callers", keys: "M", run: of("merge") },
      { label: "Hide stacks with it", keys: "H", run: of("hide") },
      { label: "Keep only stacks with it", keys: "", run: of("only") },
    ],
    [
      { label: "Open in the sandwich", keys: "S", run: of("sandwich") },
      { label: "Search for it", keys: "", run: of("search") },
      { label: "Copy name", keys: "", run: name === "" ? null : copy(() => name) },
      { label: "Copy stack", keys: "C", run: copy(stack) },
    ],
    [
      { label: "Collapse direct recursion", keys: "R", run: change("r"), checked: shape.recursion === "direct" },
      { label: "Collapse all recursion", keys: "Shift+R", run: change("R"), checked: shape.recursion === "all" },
      { label: "Split frames by line", keys: "L", run: change("l"), checked: shape.lines },
    ],
  ];
}

interface ItemProps {
  item: Item;
  choose: (run: () => void) => void;
}

function MenuItem({ item: { label, keys, run, checked }, choose }: ItemProps) {
  return (
    <button
      type="button"
      {...(checked === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": checked })}
      aria-disabled={run === null}
      tabIndex={-1}
      className={css.item}
      onClick={() => run !== null && choose(run)}
    >
      <span className={css.check} aria-hidden="true">
        {checked === true ? "✓" : ""}
      </span>
      {label}
      <kbd className={css.keys}>{keys}</kbd>
    </button>
  );
}
