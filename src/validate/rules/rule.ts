/** The type of a rule, and the usual way to check a message. */
import type { TypeName } from "../../otlp/schema.ts";
import type { EncodingCode } from "../../otlp/sink.ts";
import type { Message, Table } from "../message.ts";

/** Tells that the rule is broken, where, and how. */
export type Found = (where: () => string, says: () => string) => void;

export type Check = (message: Message, found: Found) => void;

export interface Rule {
  /**
   * `E…` for faults that receivers refuse or must not get, `W…` for faults that they tolerate, `I…` for information.
   */
  id: string;
  /** The requirement. */
  text: string;
  /** Its source. */
  source: string;
  /** Codes that the walk notes for a violation. */
  codes?: EncodingCode[];
  /** Looks for it in a message that has ended. */
  check?: Check;
}

export function rule(id: string, text: string, source: string, check?: Check): Rule {
  return { id, text, source, ...(check !== undefined && { check }) };
}

export const PROTO = "profiles.proto";
export const COMMON = "common.proto";
export const JSON_SPEC = "OTLP/JSON";
export const PROFCHECK = "profcheck";
export const COLLECTOR = "Collector";
/** No document requires it, but readers of profiles expect it. */
export const CUSTOM = "custom";
export const SEMCONV = "semantic conventions";

/** The fault of a row: its field, empty for the whole row, and its description; null if it has no fault. */
export type Fault = [field: string, says: string] | null;

/** A check of the messages of a type, row by row. It is made once a message, to get at the columns. */
export function eachRow(type: TypeName, make: (table: Table, message: Message) => (row: number) => Fault): Check {
  return eachFrom(0, type, make);
}

/** As `eachRow`, for all entries of the dictionary except the first, which is the zero value. */
export function eachEntry(type: TypeName, make: (table: Table, message: Message) => (row: number) => Fault): Check {
  return eachFrom(1, type, make);
}

function eachFrom(
  first: number,
  type: TypeName,
  make: (table: Table, message: Message) => (row: number) => Fault,
): Check {
  return (message, found) => {
    const table = message.of(type);
    const faultOf = make(table, message);
    for (let row = first; row < table.rows; row++) {
      const fault = faultOf(row);
      if (fault === null) continue;
      const [field, says] = fault;
      found(
        () => message.where(type, row, field),
        () => says,
      );
    }
  };
}
