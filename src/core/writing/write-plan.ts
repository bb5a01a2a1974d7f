/** Encoder of a message's plan into the bytes that the core reads; their layout is in assembly/write/plan.ts. */
import * as ValueKind from "../../../assembly/abi/value-kind.ts";
import * as WritePlan from "../../../assembly/abi/write-plan.ts";
import { encodedFault } from "../instance/any-value.ts";
import { SpanflameError } from "../instance/error.ts";
import type { Window } from "../instance/file-ranges.ts";
import { Packer } from "../instance/packer.ts";
import type { Output } from "../tables/presets.ts";
import type { AttributeValue, Resource } from "../types.ts";
import type { Resources } from "./processes.ts";

/** An original payload: the host puts its bytes where the core leaves room. */
export interface PayloadSize {
  /** `original_payload_format`. */
  format: string;
  bytes: number;
}

/** A call tree in place of the stacks, for formats that show stacks. */
export interface PlanTree {
  /** Of assembly/abi/shown-tree.ts. */
  row: Uint8Array;
  /** Names that the views made, from the first row on. */
  made: readonly string[];
}

function putOutput(packer: Packer, output: Output): void {
  packer.word(output.profile);
  packer.word(output.measure);
  packer.word(
    (output.aggregated ? WritePlan.OUTPUT_AGGREGATED : 0) |
      (output.labelled ? WritePlan.OUTPUT_LABELLED : 0) |
      (output.joined === true ? WritePlan.OUTPUT_JOINED : 0) |
      (output.timed === true ? WritePlan.OUTPUT_TIMED : 0) |
      (output.kept ?? 0),
  );
  packer.long(output.scale);
  packer.long(output.period);
  for (const text of [output.type, output.unit, output.periodType, output.periodUnit, output.label]) packer.text(text);
}

function putAttribute(packer: Packer, key: string, value: AttributeValue): void {
  packer.text(key);
  if (typeof value === "string") {
    packer.word(ValueKind.Text);
    packer.long(0n);
    packer.text(value);
    return;
  }
  if (value instanceof Uint8Array) {
    const fault = encodedFault(value);
    if (fault !== null) {
      throw new SpanflameError("write.resource", `the value of ${JSON.stringify(key)} is not an AnyValue: ${fault}`);
    }
    packer.word(ValueKind.Encoded);
    packer.long(0n);
    packer.word(value.length);
    packer.raw(value);
    return;
  }
  if (typeof value === "boolean") {
    packer.word(ValueKind.Bool);
    packer.long(value ? 1n : 0n);
  } else if (typeof value === "bigint") {
    packer.word(ValueKind.Int);
    packer.long(value);
  } else {
    packer.word(ValueKind.Double);
    packer.long(new BigUint64Array(Float64Array.of(value).buffer)[0] ?? 0n);
  }
  packer.text("");
}

function putAttributes(packer: Packer, resource: Resource): void {
  const attributes = Object.entries(resource);
  packer.word(attributes.length);
  for (const [key, value] of attributes) putAttribute(packer, key, value);
}

/** `leftOut`: keys that no Resource of the message has. `byUse`: rows are numbered by their first use. */
export function planBytes(
  outputs: readonly Output[],
  { shared, processes }: Pick<Resources, "shared" | "processes">,
  leftOut: readonly string[],
  payload: PayloadSize | null,
  range: Window | null = null,
  tree: PlanTree | null = null,
  byUse = false,
): Uint8Array {
  const packer = new Packer();
  packer.word(outputs.length);
  for (const output of outputs) putOutput(packer, output);
  putAttributes(packer, shared);
  packer.word(leftOut.length);
  for (const key of leftOut) packer.text(key);
  packer.word(processes.length);
  packer.word(processes.reduce((sum, own) => sum + Object.keys(own).length, 0));
  for (const own of processes) putAttributes(packer, own);
  packer.text(payload?.format ?? "");
  packer.long(BigInt(payload?.bytes ?? 0));
  packer.word(range === null ? 0 : 1);
  if (range !== null) {
    packer.long(range.from);
    packer.long(range.to);
    packer.word(range.first);
    packer.word(range.last);
  }
  packer.word(tree === null ? 0 : 1);
  if (tree !== null) {
    packer.raw(tree.row);
    for (const text of tree.made) packer.text(text);
  }
  packer.word(byUse ? 1 : 0);
  return packer.taken();
}
