import { expect, test } from "vitest";
import { EMPTY_QUERY } from "./query.ts";
import { oneId, ownSpan, scopeAbsence, withIds } from "./scope.ts";

const LOW = 7n;

test("one id is a span, whether its root is chosen too, or a single root", () => {
  expect(oneId(EMPTY_QUERY)).toBeNull();
  expect(oneId({ ...EMPTY_QUERY, spans: [8n] })).toEqual({ kind: "span", id: 8n });
  expect(oneId({ ...EMPTY_QUERY, spans: [8n], localRoots: [LOW] })).toEqual({ kind: "span", id: 8n });
  expect(oneId({ ...EMPTY_QUERY, localRoots: [LOW] })).toEqual({ kind: "local-root", id: LOW });
  expect(oneId({ ...EMPTY_QUERY, spans: [8n, 9n] })).toBeNull();
  expect(oneId({ ...EMPTY_QUERY, localRoots: [1n, 2n] })).toBeNull();
  expect(oneId({ ...EMPTY_QUERY, spans: [8n], localRoots: [1n, 2n] })).toBeNull();
});

test("other ids leave the other filters", () => {
  const query = { ...EMPTY_QUERY, spans: [8n], localRoots: [LOW], attributes: [{ key: "a", value: "b" }] };
  expect(withIds(query, { localRoot: 9n })).toEqual({ localRoot: 9n, attributes: query.attributes });
  expect(withIds(query, {})).toEqual({ attributes: query.attributes });
});

test("a root's own span bears its id; a trace names none", () => {
  expect(ownSpan(LOW)).toBe(LOW);
  expect(ownSpan((1n << 64n) | LOW)).toBeNull();
});

test("there is a choice only where it makes a difference", () => {
  const scopes = { root: LOW, span: 8n, ofRoot: 12, ofSpan: 5 };
  expect(scopeAbsence(scopes)).toBe("");
  expect(scopeAbsence({ ...scopes, ofSpan: 12 })).toBe("All samples of the root are of this one span.");
  expect(scopeAbsence({ ...scopes, root: 0n, ofRoot: 0 })).toBe("No sample of this span names its root.");
  expect(scopeAbsence({ ...scopes, span: LOW, ofSpan: 0 })).toContain("root's own span");
  // A trace of 128 bits says no span of its own.
  expect(scopeAbsence({ ...scopes, root: (1n << 64n) | LOW, span: 0n, ofSpan: 0 })).toContain("root's own span");
});
