/** Keys of the page, for the overview of shortcuts. */

export interface Shortcuts {
  where: string;
  keys: [keys: string[], does: string][];
}

export const SHORTCUTS: Shortcuts[] = [
  {
    where: "Everywhere",
    keys: [
      [["/"], "find frames by a regular expression"],
      [["Ctrl+K", "⌘K"], "search traces, endpoints, functions and commands"],
      [["Ctrl+V"], "open the trace or span whose id, header or log line was copied"],
      [["Ctrl+Z"], "take the last filter back"],
      [["Ctrl+Shift+Z"], "make it again"],
      [["?"], "this overview"],
      [["Alt+←", "Alt+→"], "back and forward, as the browser has it"],
      [["Escape"], "close what is open"],
    ],
  },
  {
    where: "Graph",
    keys: [
      [["↑", "↓", "←", "→"], "go from frame to frame"],
      [["Home", "End"], "go to the zoomed frame, to the last neighbour"],
      [["Enter"], "zoom to the frame; open hidden frames or a collapsed run"],
      [["Backspace"], "zoom out to the frame you came from"],
      [["Escape"], "zoom out wholly"],
      [["N", "Shift+N"], "next and previous match of the search"],
      [["S"], "the frame's function in the sandwich"],
      [["F"], "focus: stacks begin at the function"],
      [["M"], "merge the function into its callers"],
      [["H"], "hide the stacks with the function"],
      [["R", "Shift+R"], "collapse direct recursion, or all"],
      [["L"], "split frames by line"],
      [["C"], "copy the stack"],
      [["Shift+F10"], "menu of the frame"],
    ],
  },
  {
    where: "Lists and tables",
    keys: [
      [["↑", "↓", "Page", "Home", "End"], "go through the rows"],
      [["Enter"], "filter by the row, or no longer"],
      [["Ctrl+Enter"], "the row beside those chosen already"],
      [["N", "Shift+N"], "in the call tree: next and previous match of the search"],
      [["G"], "from a root or span to all samples of its kind"],
    ],
  },
  {
    where: "Filters",
    keys: [
      [["Enter", "Delete"], "remove the filter that has the focus"],
      [["Enter"], "in the search: keep only samples with such a frame"],
    ],
  },
  {
    where: "Timeline",
    keys: [
      [["←", "→"], "move an edge of the range; with Shift by ten steps"],
      [["Escape", "Delete"], "clear the range"],
      [["Ctrl+scroll", "pinch"], "zoom to what is under the pointer; Shift+scroll moves"],
      [["+", "−", "0"], "zoom in, zoom out, show the whole recording"],
      [["S"], "zoom to the selection"],
      [["←", "→", "Page", "Home", "End"], "on the time axis: move the part that is shown"],
    ],
  },
  {
    where: "Heat map",
    keys: [
      [["↑", "↓", "←", "→"], "go from cell to cell: by 20 ms, by a column; with Shift take what is between"],
      [["Page", "Home", "End"], "by ten columns, to the first cell, to the last"],
      [["Enter"], "only the time of the cells taken"],
      [["Escape", "Delete"], "leave; clear the range"],
    ],
  },
];
