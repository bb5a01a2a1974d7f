/** A small box beside the pointer. Text only, and never under the pointer itself. */
import { overlaysOf } from "./overlays.ts";
import css from "./tooltip.module.css";

const GAP_PX = 12;

export class Tooltip {
  private readonly box: HTMLDivElement;
  /** Where the pointer was last. */
  private last: PointerEvent | null = null;

  constructor(near: HTMLElement, testId = "frame-tip") {
    this.box = near.ownerDocument.createElement("div");
    this.box.className = css.tooltip;
    this.box.dataset.testid = testId;
    this.box.hidden = true;
    // The same words are in the detail line, which assistive technology reads.
    this.box.setAttribute("aria-hidden", "true");
    this.box.part.add("tooltip");
    overlaysOf(near).append(this.box);
  }

  show(event: PointerEvent, lines: (string | Node)[]): void {
    this.box.replaceChildren();
    for (const line of lines) this.add(line);
    this.box.hidden = false;
    this.follow(event);
  }

  /** The answer to a question may come after the box is shown. */
  add(line: string | Node): void {
    const row = this.box.ownerDocument.createElement("div");
    if (typeof line === "string") row.textContent = line;
    this.box.append(typeof line === "string" ? row : line);
    if (this.last !== null) this.follow(this.last);
  }

  follow(event: PointerEvent): void {
    this.last = event;
    if (this.box.hidden) return;
    const { offsetWidth, offsetHeight, style } = this.box;
    const right = event.clientX + GAP_PX;
    const below = event.clientY + GAP_PX;
    const left = right + offsetWidth > innerWidth ? event.clientX - GAP_PX - offsetWidth : right;
    const top = below + offsetHeight > innerHeight ? event.clientY - GAP_PX - offsetHeight : below;
    style.transform = `translate(${Math.max(0, left)}px, ${Math.max(0, top)}px)`;
  }

  hide(): void {
    this.box.hidden = true;
  }

  destroy(): void {
    this.box.remove();
  }
}
