/** A small box beside the pointer. Text only, and never under the pointer itself. */
import css from "./tooltip.module.css";

const GAP_PX = 12;

export class Tooltip {
  private readonly box: HTMLDivElement;

  constructor(near: HTMLElement) {
    this.box = near.ownerDocument.createElement("div");
    this.box.className = css.tooltip;
    this.box.hidden = true;
    // The same words are in the detail line, which assistive technology reads.
    this.box.setAttribute("aria-hidden", "true");
    near.ownerDocument.body.append(this.box);
  }

  show(event: PointerEvent, lines: string[]): void {
    this.box.replaceChildren(
      ...lines.map((line) => {
        const row = this.box.ownerDocument.createElement("div");
        row.textContent = line;
        return row;
      }),
    );
    this.box.hidden = false;
    this.follow(event);
  }

  follow(event: PointerEvent): void {
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
