/** Frame types of messages: those of the conventions are read, shown, and written into all formats that have them. */
import { expect, it } from "vitest";
import { ProfileBuilder } from "../../src/library/builder/builder.ts";
import { FRAME_TYPES, frameTypeWord } from "../../src/model/flame/frame-types.ts";
import { loadCore } from "../kit/open-recording.ts";

const NAMES = Object.values(FRAME_TYPES).filter((name) => !["", "root", "run"].includes(name));
/** Texts that are no type of the conventions. */
const OTHERS = ["abort-marker", "wasm", "go ", "GO", "root"];

async function recorded() {
  const builder = await ProfileBuilder.with(loadCore);
  const profile = builder.profile({ type: "cpu", unit: "count", times: false });
  for (const type of [...NAMES, ...OTHERS]) {
    const location = builder.location({ type, lines: [{ function: builder.function({ name: `in ${type}` }) }] });
    profile.add({ stack: builder.stack([location]) });
  }
  return builder.open();
}

it("each type of the conventions is that of its frames, in samples and in views", async () => {
  using recording = await recorded();
  const selection = recording.select("cpu");
  const types = [...selection.samples()].map(({ stack }) => stack?.frames[0]?.type);
  expect(types).toEqual([...NAMES, ...OTHERS.map(() => "")]);
  const { frames } = selection.flame();
  const shown = Array.from(frames.name, (name, row) => [frames.names[name], FRAME_TYPES[frames.frameType[row]!]]);
  for (const name of NAMES) expect(shown).toContainEqual([`in ${name}`, name]);
});

it("each type is written again, others as the attributes that they were", async () => {
  using recording = await recorded();
  const json = JSON.parse(new TextDecoder().decode(recording.write("otlp-json").bytes));
  const { locationTable, attributeTable, stringTable } = json.dictionary;
  const written = locationTable.slice(1).map(({ attributeIndices }: { attributeIndices: number[] }) => {
    expect(attributeIndices).toHaveLength(1);
    const { keyStrindex, value } = attributeTable[attributeIndices[0]!];
    return [stringTable[keyStrindex], value.stringValue];
  });
  expect(written).toEqual([...NAMES, ...OTHERS].map((type) => ["profile.frame.type", type]));
});

it("each type is a category of the Firefox Profiler, with the word that the page has", async () => {
  using recording = await recorded();
  const { meta, threads, shared } = JSON.parse(new TextDecoder().decode(recording.write("firefox").bytes));
  const [{ frameTable, funcTable }] = threads;
  const found = frameTable.category.map((category: number, row: number) => [
    shared.stringArray[funcTable.name[frameTable.func[row]]],
    meta.categories[category].name.toLowerCase(),
  ]);
  const word = (type: string) => frameTypeWord(type as (typeof NAMES)[number]).toLowerCase();
  expect(found).toEqual([
    ...NAMES.map((type) => [`in ${type}`, word(type)]),
    ...OTHERS.map((type) => [`in ${type}`, "other"]),
  ]);
});
