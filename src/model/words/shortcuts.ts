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
      [["Ctrl+Z"], "undo the last filter"],
      [["Ctrl+Shift+Z"], "redo"],
      [["1", "2", "3", "4"], "show Overview, Flame, Chart, Requests"],
      [["5", "6", "7", "8"], "show Trace, Compare, Events, Calls"],
      [["E"], "open and close the list of requests, endpoints and threads"],
      [["T"], "from the flame graph to the chart in the order of time, and back"],
      [["?"], "show keyboard shortcuts"],
      [["Alt+←", "Alt+→"], "back, forward"],
      [["Escape"], "close the open dialog or menu"],
    ],
  },
  {
    where: "Graph",
    keys: [
      [["↑", "↓", "←", "→"], "move between frames"],
      [["Home", "End"], "go to the zoomed frame or the last neighbour"],
      [["Enter"], "zoom to the frame; open hidden frames or a collapsed run"],
      [["Backspace"], "zoom out one step"],
      [["Escape"], "reset zoom"],
      [["N", "Shift+N"], "next and previous match of the search"],
      [["S"], "show callers and callees in the sandwich"],
      [["F"], "focus: stacks begin at the function"],
      [["M"], "merge the function into its callers"],
      [["H"], "exclude stacks with the function"],
      [["R", "Shift+R"], "collapse direct recursion or all recursion"],
      [["L"], "split frames by line"],
      [["C"], "copy the stack"],
      [["D"], "with a dump, also in tables: show invocations, parameters and SQL of the frame"],
      [["O"], "open the source of the frame"],
      [["P"], "show the frame beside the graph: figures, callers, callees, actions"],
      [["Shift+F10"], "open the frame menu"],
    ],
  },
  {
    where: "Chart",
    keys: [
      [["↑", "↓", "←", "→"], "move to the caller, the first callee, the frames before and after"],
      [["Enter", "click"], "open the frame's detail"],
      [["Space", "double click"], "zoom to the frame"],
      [["W", "S", "+", "−", "scroll"], "zoom; as close as 1 ms"],
      [["A", "D", "Shift+←", "Shift+→", "drag"], "move the visible time"],
      [["Shift+drag"], "zoom to a range"],
      [["Backspace"], "go back to the zoom before"],
      [["Home", "Escape"], "show the whole call"],
      [["N", "Shift+N"], "next and previous match of the search"],
      [["C"], "copy the stack"],
    ],
  },
  {
    where: "List of calls",
    keys: [
      [["Space"], "select the call, or take it out"],
      [["Shift+↑", "Shift+↓"], "select a range"],
      [["Ctrl+A"], "select all that match"],
      [["Escape"], "clear the selection"],
      [["Enter"], "open the flame graph of the call"],
    ],
  },
  {
    where: "Table of files",
    keys: [
      [["Space"], "select the file, or take it out"],
      [["Shift+↑", "Shift+↓"], "select a range"],
      [["Ctrl+A", "Escape"], "select all files, clear the selection"],
      [["Enter"], "open the file"],
      [["T"], "show the trend of the file's top function"],
      [["←", "→", "Shift+arrow"], "in the histogram: move the range of time, or its end"],
    ],
  },
  {
    where: "Requests",
    keys: [
      [["Enter"], "show the map of the row's requests or spans"],
      [["S"], "compare the slowest 5 % with the rest"],
      [["↑", "↓", "←", "→"], "in the map: move the region"],
      [["Shift+arrow"], "in the map: resize the region"],
      [["Enter", "Escape"], "in the map: select the region, clear it"],
    ],
  },
  {
    where: "Lists and tables",
    keys: [
      [["↑", "↓", "Page", "Home", "End"], "move between rows"],
      [["Enter"], "filter by the row, or remove that filter"],
      [["Ctrl+Enter"], "add to selection"],
      [["N", "Shift+N"], "in the call tree: next and previous match of the search"],
      [["G"], "group a request by endpoint, a span by operation"],
    ],
  },
  {
    where: "Filters",
    keys: [
      [["Enter", "Delete"], "remove the focused filter"],
      [["Enter"], "in the search: keep only stacks with matching frames"],
    ],
  },
  {
    where: "Timeline",
    keys: [
      [["←", "→"], "move an edge of the range; Shift moves ten steps"],
      [["Escape", "Delete"], "clear range"],
      [["Ctrl+scroll", "pinch"], "zoom at the pointer; Shift+scroll moves"],
      [["W", "S", "+", "−", "0"], "zoom in, zoom out, show the whole recording"],
      [["A", "D"], "move the visible time"],
      [["F"], "zoom to the selection"],
      [["←", "→", "Page", "Home", "End"], "on the time axis: move the visible range"],
    ],
  },
  {
    where: "Heat map",
    keys: [
      [["↑", "↓", "←", "→"], "move by 20 ms or by a column; Shift extends the range"],
      [["Page", "Home", "End"], "move ten columns, to the first cell or to the last"],
      [["Enter"], "filter by the range"],
      [["Escape", "Delete"], "clear range"],
    ],
  },
];
