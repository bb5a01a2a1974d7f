/** The type of a rule, and how most rules check a message. */
import type { TypeName } from "../../otlp/schema.ts";
import type { EncodingCode } from "../../otlp/sink.ts";
import type { Message, Table } from "../message.ts";

/** Tells that the rule is broken, where, and how. */
export type Found = (where: () => string, says: () => string) => void;

export type Check = (message: Message, found: Found) => void;

export interface Rule {
  /** `E…` for what receivers refuse or must not get, `W…` for what they tolerate, `I…` for what is worth knowing. */
  id: string;
  /** What has to hold. */
  text: string;
  /** Who says so. */
  source: string;
  /** What a walk notes where the rule is broken. */
  codes?: EncodingCode[];
  /** Looks for it in a message that has ended. */
  check?: Check;
}

export const PROTO = "profiles.proto";
export const COMMON = "common.proto";
export const JSON_SPEC = "OTLP/JSON";
export const PROFCHECK = "profcheck";
export const COLLECTOR = "Collector";
/** Nothing says so, but readers of profiles do not expect otherwise. */
export const CUSTOM = "custom";
export const SEMCONV = "semantic conventions";

/** What is wrong with a row: with which field, empty for the whole of it, and how; null where nothing is. */
export type Fault = [field: string, says: string] | null;

/** A check of the messages of a type, row by row. It is made once a message, to get at the columns. */
export function eachRow(type: TypeName, make: (table: Table, message: Message) => (row: number) => Fault): Check {
  return eachFrom(0, type, make);
}

/** As `eachRow`, for entries of the dictionary: all but the first, which is the zero value. */
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
