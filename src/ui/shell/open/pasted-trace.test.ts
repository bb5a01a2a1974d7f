/** What is pasted as a trace, and what stays a text for the search box. */
import { expect, it } from "vitest";
import { isPastedTrace } from "./pasted-trace.ts";

it.each([
  ['{"resourceSpans":[{"scopeSpans":[]}]}', true],
  ['\n {"resource_spans": []}', true],
  ['{"data":[{"spans":[{"traceID":"1","spanID":"2","duration":5}],"processes":{}}]}', true],
  ['[{"traceId":"1","id":"2","timestamp":1,"duration":5}]', true],
  ['[[{"trace_id":1,"span_id":2,"start":1,"duration":5}]]', true],
  ["6dea3ca369d40e0a", false],
  ['{"level":"info","trace_id":"6dea3ca369d40e0a","span_id":"1","duration":5}', false],
  ["[main] INFO trace_id=6dea3ca369d40e0a duration: 5", false],
  ['"trace_id": "1", "duration": 5', false],
  ["", false],
])("%j: %j", (text, isTrace) => {
  expect(isPastedTrace(text)).toBe(isTrace);
});
