import { expect, it } from "vitest";
import { EMPTY_QUERY, reduceQuery } from "./query.ts";
import { subjectOf } from "./subject.ts";

const tenant = { kind: "attribute", key: "tenant", value: "acme" } as const;

it("is the one id, else the one value, else nothing", () => {
  const valued = reduceQuery(EMPTY_QUERY, { kind: "add", chip: tenant });
  expect(subjectOf(EMPTY_QUERY)).toBeNull();
  expect(subjectOf(valued)).toEqual({ kind: "value", key: "tenant", value: "acme" });
  expect(subjectOf(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { ...tenant, exclude: true } }))).toBeNull();
  expect(subjectOf(reduceQuery(valued, { kind: "also", chip: { ...tenant, value: "other" } }))).toBeNull();
  const rooted = reduceQuery(valued, { kind: "add", chip: { kind: "local-root", id: 7n } });
  expect(subjectOf(rooted)).toEqual({ kind: "id", of: "local-root", id: 7n, word: "local root" });
  expect(subjectOf(reduceQuery(rooted, { kind: "also", chip: { kind: "local-root", id: 8n } }))).toBeNull();
  expect(subjectOf(reduceQuery(EMPTY_QUERY, { kind: "add", chip: { kind: "span", id: 7n } }))).toMatchObject({
    of: "span",
    word: "span",
  });
});
