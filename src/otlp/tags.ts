/** What begins the fields of messages in protobuf, by the names of the .proto: `Sample.stack_index`. */
import { DELIMITED } from "../bytes/protobuf.ts";
import { type Field, type FieldName, TYPES, type TypeName } from "./schema.ts";

/** Repeated numbers are packed. */
export function tagOf({ number, wire, repeated }: Field): number {
  return 8 * number + (repeated ? DELIMITED : wire);
}

export const TAGS = Object.fromEntries(
  Object.values(TYPES).map(({ name, fields }) => [
    name,
    Object.fromEntries(fields.map((field) => [field.name, tagOf(field)])),
  ]),
) as { readonly [Type in TypeName]: { readonly [Name in FieldName<Type>]: number } };
