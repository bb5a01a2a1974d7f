/** The good and broken messages of ../shared/otlp-cases, each with one fault: what is sound is read, and nothing traps. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";
import { Core } from "../../core/core.ts";
import { bytesSource } from "../byte-source.ts";
import { readInputs } from "../open.ts";

const CASES = new URL("../../../../shared/otlp-cases/", import.meta.url);
const names = existsSync(CASES) ? readdirSync(CASES).filter((name) => /\.(pb|json)$/.test(name)) : [];
const module = await WebAssembly.compile(
  new Uint8Array(readFileSync(new URL("../../../build/core.wasm", import.meta.url))),
);

describe.skipIf(names.length === 0)("the shared cases", () => {
  it("x", async () => {
    const core = await Core.instantiate(module);
    for (const name of names) {
      core.reset();
      await readInputs(core, [{ name, source: bytesSource(new Uint8Array(readFileSync(new URL(name, CASES)))) }]);
      const p = core
        .profiles()
        .map((p) => `${p.type}/${p.unit} ${p.samples}=${p.value}`)
        .join("; ");
      console.log(
        name,
        "|",
        p,
        "|",
        core
          .diagnostics()
          .map((d) => d.code)
          .join(" "),
      );
    }
  });
});
