/**
 * The script of a report: a graph for each embedded data, with search, zoom and keys. It is the only script of its
 * page.
 */

import { matchingRows } from "../../model/flame/flame.ts";
import { FRAME_TYPES } from "../../model/flame/frame-types.ts";
import { valueThrough } from "../../model/flame/widest-frames.ts";
import { plainText } from "../../model/query/pattern.ts";
import { formatCounted, formatPercent } from "../../model/words/format.ts";
import { fromData, type ReportData } from "../data.ts";
import { element } from "./element.ts";
import { Graph } from "./graph.ts";

const KEYS =
  "Arrow keys move, Enter zooms in, Backspace zooms out one step, Escape resets the zoom; / searches, n and N walk through the matches, c copies the stack.";

function start(data: ReportData, host: HTMLElement, suffix: string): void {
  const drawn = fromData(data);
  const { answer } = drawn;
  const found = element("span", { id: `found${suffix}`, role: "status" });
  const input = element("input", {
    class: "search",
    id: `search${suffix}`,
    type: "search",
    placeholder: "Find frames: / (a|b)",
    "aria-label": "Find frames: part of a name, or several parts separated by |",
    spellcheck: "false",
    autocomplete: "off",
  });
  const out = element("button", { class: "out", id: `out${suffix}`, type: "button" }, "Whole graph");
  const tools = element("div", { class: "tools" });
  tools.append(input, found, out);
  host.append(tools);
  const graph = new Graph(host, drawn, suffix, (zoomed) => {
    out.disabled = !zoomed;
  });
  host.append(element("p", { class: "hint keys" }, KEYS));

  input.addEventListener("input", () => {
    const matches = input.value === "" ? null : matchingRows(answer.frames, plainText(input.value), drawn.lines);
    graph.find(matches);
    found.textContent = matches === null ? "" : foundWords(matches);
  });
  const foundWords = (matches: ReadonlySet<number>) => {
    // Hidden frames, and those inside of a run, are not in the report, so they cannot be searched.
    const least =
      answer.hiddenFrames > 0 || answer.frames.frameType.some((type) => FRAME_TYPES[type] === "run") ? "at least " : "";
    const share = formatPercent(valueThrough(answer.frames, matches), answer.selectionTotal);
    return `${formatCounted(matches.size, "match", "matches")} · ${least}${share} of total`;
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") graph.walk(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && input.value !== "") {
      input.value = "";
      input.dispatchEvent(new Event("input"));
    } else return;
    event.preventDefault();
  });
  out.addEventListener("click", () => {
    graph.zoom(0);
    graph.focus();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey || event.altKey)
      return;
    // That of the graph with the focus; without one the first.
    const focused = document.activeElement?.closest(".graph") ?? document.querySelector(".graph");
    if (focused !== host) return;
    event.preventDefault();
    input.focus();
  });
}

for (const script of document.querySelectorAll<HTMLElement>("script[type='application/json']")) {
  const suffix = script.id.slice("data".length);
  const host = document.getElementById(`graph${suffix}`);
  if (host !== null) start(JSON.parse(script.textContent), host, suffix);
}
