/** Both walks make the same calls to a sink for the same message, whatever pieces it arrives in. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonOf, jsonTextOf, type Plain, protobufOf } from "../../test/kit/otlp/otlp-encode.ts";
import { piecesOf } from "../../test/kit/pieces.ts";
import { drive, run, Window } from "../bytes/window.ts";
import { type OtlpForm, walkMessages } from "./messages.ts";
import { FIELDS, type Field, type MessageType, TYPES } from "./schema.ts";
import type { EncodingCode, Sink } from "./sink.ts";

/** Records its calls. */
class Script implements Sink {
  readonly lines: string[] = [];
  private readonly path: string[] = [];

  open(field: Field): void {
    this.path.push(field.name);
    this.lines.push(`${this.path.join(".")} {`);
  }

  close(): void {
    this.path.pop();
    this.lines.push("}");
  }

  number(field: Field, low: number, high: number): void {
    this.lines.push(`${field.name} ${(BigInt(high) << 32n) | BigInt(low)}`);
  }

  text(field: Field, bytes: Uint8Array, start: number, end: number): void {
    this.lines.push(`${field.name} ${Buffer.from(bytes.subarray(start, end)).toString("hex")}`);
  }

  payload(field: Field, length: number): void {
    this.lines.push(`${field.name} ${length} bytes`);
  }

  note(code: EncodingCode, field: Field | null, says: () => string): void {
    this.lines.push(`${code} ${field?.name ?? ""}: ${says()}`);
  }
}

const linesOf = (script: Script[]) => script.map(({ lines }) => lines);

function told(bytes: Uint8Array, form: OtlpForm): string[][] {
  const scripts: Script[] = [];
  run(walkMessages(new Window(bytes), form, () => scripts[scripts.push(new Script()) - 1] as Script));
  return linesOf(scripts);
}

async function toldInPieces(bytes: Uint8Array, form: OtlpForm, size: number): Promise<string[][]> {
  const scripts: Script[] = [];
  const window = new Window(piecesOf(bytes, () => size));
  await drive(
    walkMessages(window, form, () => scripts[scripts.push(new Script()) - 1] as Script),
    window,
  );
  return linesOf(scripts);
}

const hex = (digits: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${digits}}$`));
const base64 = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString("base64"));

/** Any value of a field. */
function anyOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  if (field.message !== null) return messageOf(field.message, depth + 1);
  switch (field.kind) {
    case "int32":
      return fc.integer();
    case "uint32":
      return fc.nat();
    case "int64":
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    case "uint64":
    case "fixed64":
      return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    case "bool":
      return fc.boolean();
    case "double":
      return fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0));
    case "string":
      return fc.string({ unit: "binary" });
    default:
      return field.hexDigits > 0 ? hex(field.hexDigits) : base64;
  }
}

/** Any message of a type; of a oneof one member. */
function messageOf(type: MessageType, depth = 0): fc.Arbitrary<Plain> {
  const fields = depth > 6 ? type.fields.filter(({ message }) => message === null) : type.fields;
  const entries = fields.map((field): [string, fc.Arbitrary<unknown>] => {
    const value = anyOf(field, depth);
    return [field.json, field.repeated ? fc.array(value, { minLength: 1, maxLength: 3 }) : value];
  });
  if (type.oneof) return fc.oneof(...entries.map(([key, value]) => value.map((item) => ({ [key]: item }))));
  return fc.record(Object.fromEntries(entries), { requiredKeys: [] });
}

describe("a walk", () => {
  it("tells the same of protobuf and JSON, whole and in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(messageOf(TYPES.ProfilesData), fc.integer({ min: 1, max: 50 }), async (message, size) => {
        const protobuf = told(protobufOf(message), "protobuf");
        // JSON has the keys in the order of the object, which fast-check gives in that of the schema.
        const ordered = JSON.parse(jsonTextOf(message));
        expect(told(jsonOf(ordered), "json")).toEqual(protobuf);
        expect(await toldInPieces(protobufOf(message), "protobuf", size)).toEqual(protobuf);
        expect(await toldInPieces(jsonOf(message), "json", size)).toEqual(protobuf);
      }),
      { numRuns: 60 },
    );
  });

  it("goes on behind what is out of order, with what was meant", () => {
    const text =
      '{"dictionary":{"link_table":[null,{"traceId":"AAECAwQFBgcICQoLDA0ODw=="}],"string_table":["",7,"x"]}}';
    expect(told(new TextEncoder().encode(text), "json")).toEqual([
      [
        "dictionary {",
        "snake-case link_table: key link_table for linkTable",
        "null link_table: null for an item",
        "dictionary.link_table {",
        "}",
        "dictionary.link_table {",
        'id-not-hex trace_id: "AAECAwQFBgcICQoLDA0ODw==" is base64; 32 hex digits are due',
        "trace_id 000102030405060708090a0b0c0d0e0f",
        "}",
        "snake-case string_table: key string_table for stringTable",
        "string_table ",
        "wrong-type string_table: 7 where a string is due",
        "string_table ",
        "string_table 78",
        "}",
      ],
    ]);
  });

  it("knows a field by its number and by its key", () => {
    expect(FIELDS.map(({ owner, number, name }) => owner.byNumber[number]?.name === name)).not.toContain(false);
  });
});
