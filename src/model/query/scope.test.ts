import { expect, test } from "vitest";
import type { Filter } from "../../core/types.ts";
import { EMPTY_QUERY, type QueryState } from "./query.ts";
import { oneId, ownSpan, scopeAbsence, withIds } from "./scope.ts";

const LOW = 7n;

const of = (filter: Filter): QueryState => ({ ...EMPTY_QUERY, filter });

test("one id is a span, whether its root is chosen too, or a single root", () => {
  expect(oneId(EMPTY_QUERY)).toBeNull();
  expect(oneId(of({ span: [8n] }))).toEqual({ kind: "span", id: 8n });
  expect(oneId(of({ span: [8n], localRoot: [LOW] }))).toEqual({ kind: "span", id: 8n });
  expect(oneId(of({ localRoot: [LOW] }))).toEqual({ kind: "local-root", id: LOW });
  expect(oneId(of({ span: [8n, 9n] }))).toBeNull();
  expect(oneId(of({ localRoot: [1n, 2n] }))).toBeNull();
  expect(oneId(of({ span: [8n], localRoot: [1n, 2n] }))).toBeNull();
});

test("other ids leave the other filters", () => {
  const attributes = [{ key: "a", value: "b" }];
  const query = of({ span: [8n], localRoot: [LOW], attributes });
  expect(withIds(query, { localRoot: 9n })).toEqual({ localRoot: 9n, attributes });
  expect(withIds(query, {})).toEqual({ attributes });
});

test("a root's own span bears its id; a trace names none", () => {
  expect(ownSpan(LOW)).toBe(LOW);
  expect(ownSpan((1n << 64n) | LOW)).toBeNull();
});

test("there is a choice only where it makes a difference", () => {
  const scopes = { root: LOW, span: 8n, ofRoot: 12, ofSpan: 5 };
  expect(scopeAbsence(scopes)).toBe("");
  expect(scopeAbsence({ ...scopes, ofSpan: 12 })).toBe("All samples are in this span.");
  expect(scopeAbsence({ ...scopes, span: LOW, ofSpan: 12 })).toBe("All samples are in the entry span.");
  expect(scopeAbsence({ ...scopes, root: 0n, ofRoot: 0 })).toBe(
    "No sample of this span carries the id of its request.",
  );
  expect(scopeAbsence({ ...scopes, span: LOW, ofSpan: 0 })).toBe("All samples are in child spans.");
  // A trace id of 128 bits names no span.
  expect(scopeAbsence({ ...scopes, root: (1n << 64n) | LOW, span: 0n, ofSpan: 0 })).toBe(
    "All samples are in child spans.",
  );
});
