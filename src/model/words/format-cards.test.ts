import { expect, it } from "vitest";
import { OFFERED } from "../query/written/export-choice.ts";
import { FORMAT_CARDS } from "./shown-formats.ts";

it("every format that the dialog offers is on one card", () => {
  const names = FORMAT_CARDS.flatMap(({ formats }) => formats.map(({ name }) => name));
  expect(names).toEqual(OFFERED.map(({ name }) => name));
});
