/** Build ids of an ELF file with notes of GNU and of Go, in any order, and of a damaged one. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { bytes, elfOf } from "../../test/kit/elf-writer.ts";
import { bytesSource } from "../bytes/byte-source.ts";
import { hasBuildId } from "./build-id.ts";
import { identify } from "./identify.ts";

const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../build/symbols.wasm", import.meta.url))),
);

const NOTE = 7;
const GO_ID = "4LVp2Bb_CE5-5y82z-2P/LR6_xuzyBKPXx54FXaPt/wLr9wcXJlEgLij7oIJMT/8NEvodGbTc-NYtyz56Wq";
const padded = (text: Uint8Array) => Buffer.concat([text, Buffer.alloc(-text.length & 3)]);
const note = (owner: string, type: number, described: Uint8Array) =>
  bytes([4, owner.length + 1], [4, described.length], [4, type], padded(Buffer.from(`${owner}\0`)), padded(described));
const GNU = note("GNU", 3, Uint8Array.of(0xab, 0x12));
const GO = note("Go\0", 4, Buffer.from(GO_ID));
const OTHER = note("stapsdt", 3, new Uint8Array(10));

async function idsOf(...sections: Uint8Array[]) {
  const file = elfOf(sections.map((content, i) => ({ name: `.note.${i}`, content, type: NOTE })));
  const { buildId, goBuildId } = await identify(module, bytesSource(file));
  return [buildId, goBuildId];
}

it.each([
  ["none", [OTHER], ["", ""]],
  ["of GNU", [OTHER, GNU], ["ab12", ""]],
  ["of Go", [GO], [GO_ID, GO_ID]],
  ["of both", [GNU, GO], ["ab12", GO_ID]],
  ["of both, that of Go first", [GO, GNU], ["ab12", GO_ID]],
  ["of both in one section", [Buffer.concat([OTHER, GO, GNU])], ["ab12", GO_ID]],
  ["the first of several", [GNU, note("GNU", 3, Uint8Array.of(1, 2))], ["ab12", ""]],
  ["none of a note that is cut", [GO.subarray(0, 40)], ["", ""]],
  ["none longer than any", [note("Go\0", 4, Buffer.from(`${GO_ID}/${GO_ID}`))], ["", ""]],
])("has build ids: %s", async (_, sections, ids) => {
  expect(await idsOf(...sections)).toEqual(ids);
});

it("belongs to what a recording states by either id, whole, and to no empty one", () => {
  const file = { buildId: "ab12", goBuildId: GO_ID };
  expect(["ab12", GO_ID, "ab", GO_ID.slice(0, -1), ""].map((id) => hasBuildId(file, id))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
