/**
 * Bounds for a wasm module that is not ours: its memory gets a limit, and its work needs fuel. Each call of a function,
 * each round of a loop and each 256 bytes copied or filled use one unit of the exported global `fuel`; a module
 * without fuel traps. So a module that never returns is ended without a clock and without a thread, and the same input
 * always gets as far.
 */
import binaryen from "binaryen";

/** What binaryen's pass calls at each function's start and end and in each loop. */
const STEP = "log_execution";
const COPY = "bounded_copy";
const FILL = "bounded_fill";

/** `pages`: most pages of 64 KiB that the memory may have. */
export function boundModule(wasm, pages) {
  const text = instrumented(wasm)
    .replaceAll("(memory.copy\n", `(call $${COPY}\n`)
    .replaceAll("(memory.fill\n", `(call $${FILL}\n`)
    .replace(/^ \(memory \$\S+ (\d+)(?: \d+)?\)$/m, (memory, least) => memory.replace(/ \d.*/, ` ${least} ${pages})`));
  const module = binaryen.parseText(text.replace(/\)\s*$/, `${helpers(/\(memory (\S+)/.exec(text)[1])})`));
  try {
    module.setFeatures(binaryen.Features.All);
    // The pass gives each place a number, which is not used.
    module.runPasses(["dae"]);
    if (!module.validate()) throw new Error("the bounded module is not valid");
    return module.emitBinary();
  } finally {
    module.dispose();
  }
}

function instrumented(wasm) {
  const module = binaryen.readBinary(wasm);
  try {
    module.runPasses([STEP.replace("_", "-")]);
    module.removeFunction(STEP);
    return module.emitText();
  } finally {
    module.dispose();
  }
}

function helpers(memory) {
  const spend = (amount) => `
  (global.set $fuel (i32.sub (global.get $fuel) ${amount}))
  (if (i32.lt_s (global.get $fuel) (i32.const 0)) (then (unreachable)))`;
  // A size of 2 GiB or more is beyond the memory, so it traps in any case.
  const sized = (name, instruction) => `
 (func $${name} (param $to i32) (param $from i32) (param $size i32)${spend("(i32.shr_u (local.get $size) (i32.const 8))")}
  (${instruction} (local.get $to) (local.get $from) (local.get $size)))`;
  return `
 (global $fuel (mut i32) (i32.const 0))
 (export "fuel" (global $fuel))
 (func $${STEP} (param i32)${spend("(i32.const 1)")})${sized(COPY, `memory.copy ${memory} ${memory}`)}${sized(FILL, `memory.fill ${memory}`)}
`;
}
