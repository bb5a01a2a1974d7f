/** Bars of a frame's tooltip: self beside total, and what the threads did, in the colours of the table of parts. */
import { PART_WORDS } from "../../../../model/span-time/words.ts";
import { formatPercent } from "../../../../model/words/format.ts";
import type { FrameStates } from "../../../../worker/api.ts";
import type { ShownFrame } from "../../../parts/answers/surroundings.ts";
import css from "../../../parts/drawing/tooltip.module.css";
import "../../../parts/drawing/TimeBar.module.css";

/** Parts with words; the others are in the bar. */
const MOST = 4;

function element(className = "", ...children: Node[]): HTMLElement {
  const made = document.createElement("span");
  made.className = className;
  made.append(...children);
  return made;
}

/** Self within total within the selection. */
export function selfBar({ total, self, whole }: Pick<ShownFrame, "total" | "self" | "whole">): Node {
  const of = (value: number, className = "") => {
    const bar = element(className);
    bar.style.width = `${whole > 0 ? (100 * value) / whole : 0}%`;
    return bar;
  };
  return element(css.selfBar, of(total, css.total), of(self, css.self));
}

export function statesBar(states: FrameStates): Node {
  const bar = element(css.states);
  for (const { part, value } of states) {
    const own = element();
    own.dataset.part = part;
    own.style.flexGrow = String(value);
    bar.append(own);
  }
  const rows = wordsOf(states).map(([part, text]) => {
    const key = element(css.key);
    key.dataset.part = part;
    const row = element(css.state, key);
    row.append(text);
    return row;
  });
  return element("", bar, ...rows);
}

export function statesWords(states: FrameStates): string {
  return wordsOf(states)
    .map(([, text]) => text)
    .join(", ");
}

function wordsOf(states: FrameStates): [part: string, text: string][] {
  const whole = states.reduce((sum, { value }) => sum + value, 0);
  return states
    .slice(0, MOST)
    .map(({ part, value }) => [part, `${formatPercent(value, whole)} ${PART_WORDS[part].name}`]);
}
