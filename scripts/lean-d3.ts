/**
 * Packages that src/ui/views/flame/lean-d3.ts replaces, for `resolve` of the builds that have d3-flame-graph: of
 * d3-scale it calls `scaleLinear`, of d3-format `format`, of d3-array `ascending`, of d3-ease it names `easeCubic`.
 */
import { fileURLToPath } from "node:url";

const LEAN = fileURLToPath(new URL("../src/ui/views/flame/lean-d3.ts", import.meta.url));
const REPLACED = ["d3-array", "d3-ease", "d3-format", "d3-scale", "d3-transition"];

export const LEAN_D3 = {
  // One copy: what takes the place of transitions adds itself to the d3-selection it finds.
  dedupe: ["d3-selection"],
  alias: Object.fromEntries(REPLACED.map((name) => [name, LEAN])),
};
