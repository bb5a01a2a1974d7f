/** The interned tables of the store by their number in the schema. */
import { BytesTable } from "../memory/bytes-table";
import { RowTable } from "../memory/row-table";
import { codeSources } from "./code-sources";
import { facts, settings } from "./facts";
import { incidents } from "./incidents";
import { measurements } from "./measurements";
import { Table } from "./schema";
import { scopes } from "./scopes";
import {
  attributes,
  encoded,
  functions,
  links,
  locationDetails,
  locations,
  mappings,
  sets,
  stacks,
  strings,
  threads,
} from "./tables";

/** Null if it is not a table of bytes. */
export function bytesTable(table: Table): BytesTable | null {
  switch (table) {
    case Table.Strings:
      return strings;
    case Table.Encoded:
      return encoded;
    case Table.Sets:
      return sets;
    case Table.Details:
      return locationDetails;
    case Table.Stacks:
      return stacks;
    default:
      return null;
  }
}

/** Null if it is not an interned table of rows. */
export function rowTable(table: Table): RowTable | null {
  switch (table) {
    case Table.Attributes:
      return attributes;
    case Table.Functions:
      return functions;
    case Table.Mappings:
      return mappings;
    case Table.Locations:
      return locations;
    case Table.Links:
      return links;
    case Table.Threads:
      return threads;
    case Table.Scopes:
      return scopes;
    case Table.Facts:
      return facts;
    case Table.Settings:
      return settings;
    case Table.Incidents:
      return incidents;
    case Table.Measurements:
      return measurements;
    case Table.CodeSources:
      return codeSources;
    default:
      return null;
  }
}
