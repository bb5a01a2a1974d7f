/**
 * A link for those who open it without its recording: the selection in words, and the files that it is about. A file is
 * `of=NAME~BYTES` in the hash, which no browser sends to a server.
 */
import { formatBytes } from "../../words/format.ts";
import { hexId } from "../../words/ids.ts";
import { visible } from "../../words/text.ts";
import { filterWords } from "../chip-words.ts";
import { EMPTY_QUERY } from "../query.ts";
import { askedTrace } from "./linked-trace.ts";
import { hashToQuery } from "./query-hash.ts";

const LONGEST_NAME = 60;

/** A file of a link: its name, and its size where the link states one. */
export function linkedFile(text: string): { name: string; size: string } {
  const [, name = text, bytes] = /^(.*)~(\d{1,15})$/s.exec(text) ?? [];
  return { name: visible(name, LONGEST_NAME), size: bytes === undefined ? "" : formatBytes(Number(bytes)) };
}

/** `span 4bf9… in Trace`; "" for a link that selects nothing. Times count from 1970: no file says where they begin. */
export function linkWords(hash: string): string {
  const query = hashToQuery(hash);
  const asked = askedTrace(hash);
  const trace = asked?.trace?.ids[0] ?? asked?.span?.ids[0];
  const id = trace === undefined ? query.trace.id.replace("all", "") : hexId(trace);
  const what = asked !== null && asked.trace === null ? "span" : "trace";
  const selected = [filterWords(query, []), id === "" ? "" : `${what} ${id}`].filter(Boolean).join(" · ");
  const { view } = asked === null ? query : EMPTY_QUERY;
  if (selected === "" && view === EMPTY_QUERY.view) return "";
  return `${selected || "all samples"} in ${view[0]?.toUpperCase()}${view.slice(1)}`;
}
