/** What the page has once a recording is to be shown: its view, and what reads, changes and writes the query. */
export { EMPTY_QUERY } from "../../../model/query/query.ts";
export { reduceUndoable, undoable } from "../../../model/query/undo.ts";
export { hashToQuery, queryToHash } from "../../../model/query/written/query-hash.ts";
export { RecordingView } from "./RecordingView.tsx";
