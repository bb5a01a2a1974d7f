import { expect, it } from "vitest";
import { noteText, outerRanges, readNotes, withNote } from "./time-notes.ts";

const note = (from: bigint, to: bigint, text: string) => ({ from, to, text });
const [A, B] = [note(5n, 9n, "pool is full"), note(2n, 3n, "a~b")];

it("notes come back from their texts, in the order of time, and damaged ones are left out", () => {
  expect(readNotes([A, B].map(noteText))).toEqual([B, A]);
  expect(readNotes(["", "5-9", "5-9~", "9-5~x", "5-9~ ", "-5-9~x", `${10n ** 20n}-9~x`])).toEqual([]);
  expect(readNotes([`1-2~${"x".repeat(999)}`])[0]?.text).toHaveLength(200);
  expect(readNotes(Array.from({ length: 99 }, (_, i) => `${i}-${i + 1}~x`))).toHaveLength(30);
});

it("a note is added, changed and taken away", () => {
  expect(withNote([A], null, B)).toEqual([B, A]);
  expect(withNote([B, A], A, { ...A, text: "empty" })).toEqual([B, { ...A, text: "empty" }]);
  expect(withNote([B, A], B, { ...B, text: " " })).toEqual([A]);
});

it("outer ranges go beyond both ends of the selected one", () => {
  const ranges = [note(0n, 100n, ""), note(10n, 50n, ""), note(60n, 70n, "")];
  expect(outerRanges(ranges, { from: 20n, to: 30n })).toEqual(ranges.slice(0, 2));
  expect(outerRanges(ranges, { from: 10n, to: 40n })).toEqual(ranges.slice(0, 1));
  expect(outerRanges(ranges, null)).toEqual([]);
});
