/** Bounds of modules that are not ours: a demangler that never returns is ended, and the next name is answered. */
import binaryen from "binaryen";
import { describe, expect, it } from "vitest";
import { Demangler } from "../src/symbols/demangle.ts";
import { boundModule } from "./bound-module.mjs";

/**
 * A demangler with the interface of the package: `body` decides by `$first`, the byte after `_Z`, and other names
 * become their first six bytes.
 */
function stub(body, helpers = "") {
  const module = binaryen.parseText(`(module
    (import "./index_bg.js" "__wbindgen_init_externref_table" (func $start))
    (memory 1)
    (export "memory" (memory 0))
    (export "__wbindgen_start" (func $start))
    (func (export "__wbindgen_malloc") (param i32 i32) (result i32) (i32.const 64))
    (func (export "__wbindgen_free") (param i32 i32 i32))
    ${helpers}
    (func (export "demangle_any") (param $at i32) (param $size i32) (result i32 i32)
      (local $first i32)
      (local.set $first (i32.load8_u offset=2 (local.get $at)))
      ${body}
      (tuple.make 2 (local.get $at) (i32.const 6))))`);
  try {
    module.setFeatures(binaryen.Features.All);
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

const onlyFor = (letter, code) => `(if (i32.eq (local.get $first) (i32.const ${letter.charCodeAt(0)})) (then ${code}))`;
const HANGS = {
  "in a loop": stub(onlyFor("L", "(loop $l (br $l))")),
  "in a loop of calls": stub(onlyFor("L", "(loop $l (call $leaf) (br $l))"), "(func $leaf)"),
  "in calls that call each other": stub(
    onlyFor("L", "(call $tree (i32.const 60))"),
    `(func $tree (param $depth i32)
       (if (i32.eqz (local.get $depth)) (then (return)))
       (call $tree (i32.sub (local.get $depth) (i32.const 1)))
       (call $tree (i32.sub (local.get $depth) (i32.const 1))))`,
  ),
  "in copies": stub(onlyFor("L", "(loop $l (memory.copy (i32.const 0) (i32.const 1) (i32.const 65535)) (br $l))")),
};

describe("a demangler that never returns", () => {
  it.each(Object.keys(HANGS))("%s is ended by its fuel, and the next name is answered", async (how) => {
    const demangler = await Demangler.create(boundModule(HANGS[how], 1));
    expect(demangler.readable("_Zshort-and-long")).toBe("_Zshor");
    expect(demangler.readable("_ZL1")).toBe("_ZL1");
    expect(demangler.readable("_Zother-and-long")).toBe("_Zothe");
  });

  it("ends every name of a file that has nothing else, and then names that would be answered", async () => {
    const demangler = await Demangler.create(boundModule(HANGS["in a loop"], 1));
    for (let i = 0; i < 5000; i++) expect(demangler.readable(`_ZL${i}`)).toBe(`_ZL${i}`);
    expect(demangler.readable("_Zafter-it")).toBe("_Zafter-it");
  });
});

describe("a bounded module", () => {
  const run = (wasm, fuel) => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
      "./index_bg.js": { __wbindgen_init_externref_table() {} },
    });
    exports.fuel.value = fuel;
    exports.demangle_any(64, 0);
    return fuel - exports.fuel.value;
  };

  it("uses a unit for each 256 bytes that it copies or fills", () => {
    const plain = run(boundModule(stub(""), 1), 1000);
    const fill = (bytes) => `(memory.fill (i32.const 0) (i32.const 0) (i32.const ${bytes}))`;
    expect(run(boundModule(stub(fill(255)), 1), 1000)).toBe(plain);
    expect(run(boundModule(stub(fill(256)), 1), 1000)).toBe(plain + 1);
    expect(run(boundModule(stub(fill(32 << 10)), 1), 1000)).toBe(plain + 128);
  });

  it("has no more memory than its limit", () => {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(boundModule(stub(""), 3)), {
      "./index_bg.js": { __wbindgen_init_externref_table() {} },
    });
    expect(() => exports.memory.grow(2)).not.toThrow();
    expect(() => exports.memory.grow(1)).toThrow(RangeError);
  });
});
