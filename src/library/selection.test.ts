import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OpenInput } from "./inputs.ts";
import { openWith } from "./open.ts";

const module = WebAssembly.compile(readFileSync("build/core.wasm"));
const load = () => module;
const sample: OpenInput = { name: "sample.jfr", data: readFileSync("public/sample.jfr") };

describe("selections", () => {
  it("answer for themselves, whatever is asked and written between", async () => {
    using recording = await openWith(load, sample);
    const cpu = recording.select("cpu");
    const wall = recording.select("wall", { frame: "run" });
    const first = { cpu: cpu.top(), wall: wall.top() };
    expect(first.cpu).not.toEqual(first.wall);
    expect(() => recording.select("cpu", { frame: "(" })).toThrow(/not a supported regular expression/);
    recording.select("wall").write("otlp");
    expect({ cpu: cpu.top(), wall: wall.top() }).toEqual(first);
  });
});
