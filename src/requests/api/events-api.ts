/** Types of questions about the events of a selection. */
import type { ExtraEvent, Filter } from "../../core/types.ts";
import type { Bin } from "../../model/events/histogram.ts";
import type { Happened, TypeFigures } from "../request-events.ts";

export interface EventChoice {
  filter: Filter;
  /** Words that type, thread or fields have. */
  find: string;
  /** Only the events of a type that have a field, by it. */
  field: Required<Pick<ExtraEvent, "event" | "value">> | null;
}

export interface EventTypeRow extends TypeFigures {
  /** Fields that are numbers. */
  fields: string[];
  /** It can be made a profile. */
  isOther: boolean;
}

export interface ListedEvent extends Omit<Happened, "fields"> {
  /** Those that tell most first. */
  fields: [name: string, value: string][];
  /** In the list of all. */
  number: number;
}

export interface EventTypes {
  /** Null where they are too many. */
  types: EventTypeRow[] | null;
  count: number;
  /** Start of the first event of the selection. */
  first: bigint | null;
}

export interface EventPage {
  count: number;
  rows: ListedEvent[];
  /** Null without numbers. */
  histogram: { unit: string; bins: Bin[] } | null;
}
