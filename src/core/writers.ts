/** Functions of the wasm module by output format. */
import type { OutputFormat } from "./types.ts";

/** As in assembly/index.ts: each writes the samples of `mask` by the plan at `plan`. */
interface Writers {
  writeOtlpProtobuf(mask: number, plan: number): void;
  writeOtlpJson(mask: number, plan: number, pretty: boolean): void;
  writePprof(mask: number, plan: number): void;
  writeCollapsed(mask: number, plan: number): void;
  writeSpeedscope(mask: number, plan: number, pretty: boolean): void;
  writeFirefox(mask: number, plan: number, pretty: boolean): void;
}

type Write = (wasm: Writers, mask: number, plan: number, pretty: boolean) => void;

export const WRITERS: Record<OutputFormat, Write> = {
  otlp: (wasm, mask, plan) => wasm.writeOtlpProtobuf(mask, plan),
  "otlp-json": (wasm, mask, plan, pretty) => wasm.writeOtlpJson(mask, plan, pretty),
  pprof: (wasm, mask, plan) => wasm.writePprof(mask, plan),
  collapsed: (wasm, mask, plan) => wasm.writeCollapsed(mask, plan),
  speedscope: (wasm, mask, plan, pretty) => wasm.writeSpeedscope(mask, plan, pretty),
  firefox: (wasm, mask, plan, pretty) => wasm.writeFirefox(mask, plan, pretty),
};
