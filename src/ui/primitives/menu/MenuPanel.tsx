import { Check, type LucideIcon } from "lucide-react";
import type { KeyboardEvent } from "react";
import { useLayoutEffect, useRef } from "react";
import { Button, Icon } from "../icon/Icon.tsx";
import css from "./MenuPanel.module.css";

export interface MenuItem {
  label: string;
  icon?: LucideIcon | undefined;
  /** Keys that do the same. */
  keys?: string | undefined;
  /** More about it, such as why it cannot be done. */
  tip?: string | undefined;
  /** Null where it cannot be done now. */
  run: (() => void) | null;
  /** For items that are on or off. */
  checked?: boolean | undefined;
  testId?: string | undefined;
}

export interface MenuProps {
  /** Below this element, or at a point of the window. */
  at: Element | { x: number; y: number };
  title: string;
  testId: string;
  /** A line between one group and the next. */
  groups: MenuItem[][];
  onClose: () => void;
}

/** Between the menu and its button, and between the menu and the edges of the window. */
const GAP = 4;
const EDGE = 8;
/**
 * Pixels from the menu's corner to the pointer. A menu that opens while the button is down closes when the button comes
 * up outside of it, and its rounded corner is outside.
 */
const INSIDE = 6;

/**
 * A menu: the browser's own popover. Escape or a click elsewhere closes it, and the focus goes back to where it was.
 * The menus of @base-ui/react put focusable elements without a name around themselves, which axe does not pass.
 */
export function MenuPanel({ at, title, testId, groups, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  /** Where the focus was. */
  const before = useRef<Element | null>(null);

  useLayoutEffect(() => {
    const { current } = menu;
    if (current === null) return;
    before.current = focusBeside(current);
    current.showPopover();
    place(current, at);
    itemsOf(current)[0]?.focus();
    // An item may get its name when the menu is open, and makes it wider.
    const observer = new ResizeObserver(() => place(current, at));
    observer.observe(current);
    return () => observer.disconnect();
  }, [at]);

  /** Closed first, so that the focus is back where it was when the page changes. */
  const choose = (run: () => void) => {
    menu.current?.hidePopover();
    giveBack(menu.current, before.current);
    run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(event.currentTarget);
    const index = items.indexOf(event.target as HTMLElement);
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
      part="menu"
      data-testid={testId}
      onKeyDown={onKeyDown}
      onToggle={(event) => {
        if (event.newState !== "closed") return;
        giveBack(menu.current, before.current);
        onClose();
      }}
    >
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of menu items is no fieldset
        <div key={group[0]?.label} role="group" className={css.group}>
          {group.map((item) => (
            <Item key={item.label} item={item} choose={choose} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The focused element of the document, or of the shadow root, that an element is in. */
function focusBeside(element: Element): Element | null {
  return (element.getRootNode() as Document | ShadowRoot).activeElement;
}

/** Browsers do not give the focus back inside a shadow root. */
function giveBack(menu: Element | null, to: Element | null): void {
  if (menu?.contains(focusBeside(menu)) === true && to instanceof HTMLElement) to.focus();
}

function itemsOf(menu: Element): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
}

/** Where it was asked for, as far as the window has room. */
function place(menu: HTMLElement, at: MenuProps["at"]): void {
  const { offsetWidth, offsetHeight, style } = menu;
  const rect = at instanceof Element ? at.getBoundingClientRect() : null;
  const left = rect?.left ?? (at as { x: number }).x - INSIDE;
  const below = rect === null ? (at as { y: number }).y - INSIDE : rect.bottom + GAP;
  style.left = `${Math.max(EDGE, Math.min(left, innerWidth - offsetWidth - EDGE))}px`;
  style.top = `${Math.max(EDGE, Math.min(below, innerHeight - offsetHeight - EDGE))}px`;
}

interface ItemProps {
  item: MenuItem;
  choose: (run: () => void) => void;
}

function Item({ item: { label, icon, keys, tip, run, checked, testId }, choose }: ItemProps) {
  return (
    <Button
      {...(checked === undefined ? { role: "menuitem" } : { role: "menuitemcheckbox", "aria-checked": checked })}
      aria-disabled={run === null}
      aria-description={tip}
      tip={tip}
      tabIndex={-1}
      className={css.item}
      testId={testId}
      onClick={() => run !== null && choose(run)}
    >
      <span className={css.icon} aria-hidden="true">
        {checked === true ? <Icon of={Check} /> : icon !== undefined && <Icon of={icon} />}
      </span>
      {label}
      {keys !== undefined && keys !== "" && <kbd className={css.keys}>{keys}</kbd>}
    </Button>
  );
}
