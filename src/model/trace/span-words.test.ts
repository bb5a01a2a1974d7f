import { expect, test } from "vitest";
import { reasonSentence, reasonWords, type Silence } from "./span-words.ts";

const MS = 1e6;

test.each<[silence: Partial<Silence>, words: string, sentence: RegExp]>([
  [
    { reason: "short", self: 3 * MS },
    "self 3 ms: too short to sample",
    /^Its self time is 3 ms, shorter than .* 10 ms/,
  ],
  [
    { self: 415 * MS },
    "left out by the sampler",
    /self time of 415 ms: with 50 ms between wall samples, the sampler left/,
  ],
  [{ self: 415 * MS, paused: 187 * MS }, "left out by the sampler", /A collection paused it for 187 ms\.$/],
  [{ self: 415 * MS, paused: 400 * MS }, "paused for a collection 400 ms", /A collection paused it for 400 ms\.$/],
  [
    { self: 20 * MS },
    "no sample",
    /^No CPU sample was taken in its self time of 20 ms, which is shorter than the 50 ms/,
  ],
  [{ self: 415 * MS, wall: 0 }, "no CPU sample", /no wall sample carries a span id\.$/],
])("%j has the words %s", (silence, words, sentence) => {
  const all: Silence = { reason: "unsampled", self: 0, paused: 0, period: 10 * MS, wall: 50 * MS, ...silence };
  expect(reasonWords(all)).toBe(words);
  expect(reasonSentence(all)).toMatch(sentence);
});
