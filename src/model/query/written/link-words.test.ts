import { describe, expect, it } from "vitest";
import { linkedFile, linkWords } from "./link-words.ts";

describe("a link without its recording", () => {
  it.each([
    ["", ""],
    ["#of=shop.jfr~131072", ""],
    ["#view=top", "all samples in Top"],
    ["#root=4657", "request 4657 in Overview"],
    ["#trace=1-5759e988-bd862e3fe1be46a994272793&around=1m", "trace 5759e988bd862e3fe1be46a994272793 in Overview"],
    ["#span=0x1f&around=30s", "span 000000000000001f in Overview"],
    ["#root=4657&view=chart", "request 4657 in Chart"],
    ["#trace=4bf92f3577b34da6a3ce929d0e0e4736&view=trace", "trace 4bf92f3577b34da6a3ce929d0e0e4736 in Trace"],
    ["#attr=tenant%3Dacme", "tenant = acme in Overview"],
  ])("%s selects %j", (hash, words) => {
    expect(linkWords(hash)).toBe(words);
  });

  it.each([
    ["shop.jfr~131072", { name: "shop.jfr", size: "128 KiB" }],
    ["a~b~7", { name: "a~b", size: "7 B" }],
    ["shop.jfr", { name: "shop.jfr", size: "" }],
    ["\u202egpj.exe~12345678901234567890", { name: expect.not.stringContaining("\u202e"), size: "" }],
  ])("names %j", (text, file) => {
    expect(linkedFile(text)).toEqual(file);
  });
});
