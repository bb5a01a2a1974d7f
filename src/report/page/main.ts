/**
 * The script of a report: the graph made of the embedded data, its search, zoom and keys. It is the only script of its
 * page.
 */
import { matchingRows } from "../../model/flame/flame.ts";
import { valueThrough } from "../../model/flame/widest-frames.ts";
import { plainText } from "../../model/query/pattern.ts";
import { formatCounted, formatPercent } from "../../model/words/format.ts";
import { fromData, type ReportData } from "../data.ts";
import { element } from "./element.ts";
import { Graph } from "./graph.ts";

const KEYS =
  "Arrow keys move, Enter zooms in, Backspace zooms out one step, Escape resets the zoom; / searches, n and N walk through the matches, c copies the stack.";

function start(data: ReportData, host: HTMLElement): void {
  const drawn = fromData(data);
  const { answer } = drawn;
  const found = element("span", { id: "found", role: "status" });
  const input = element("input", {
    id: "search",
    type: "search",
    placeholder: "find frames / (a|b)",
    "aria-label": "Find frames: part of a name, or several parts separated by |",
    spellcheck: "false",
    autocomplete: "off",
  });
  const out = element("button", { id: "out", type: "button" }, "Whole graph");
  const tools = element("div", { class: "tools" });
  tools.append(input, found, out);
  host.append(tools);
  const graph = new Graph(host, drawn, (zoomed) => {
    out.disabled = !zoomed;
  });
  host.append(element("p", { class: "hint keys" }, KEYS));

  input.addEventListener("input", () => {
    const matches = input.value === "" ? null : matchingRows(answer.frames, plainText(input.value), drawn.lines);
    graph.find(matches);
    found.textContent = matches === null ? "" : foundWords(matches);
  });
  const foundWords = (matches: ReadonlySet<number>) => {
    // Hidden frames are not in the report, so they cannot be searched.
    const least = answer.hiddenFrames > 0 ? "at least " : "";
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
    if (event.key !== "/" || event.target === input || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

const text = document.getElementById("data")?.textContent;
const host = document.getElementById("graph");
if (text && host !== null) start(JSON.parse(text), host);
