/** Filters, and functions that shape the call tree, one by one: as they are shown, added and removed. */
import type { Filter } from "../../core/types.ts";
import { FILTER_KINDS, type FilterChip, type FilterKind, filterRow } from "./filters.ts";
import type { Shape } from "./shape.ts";
import { isShapeChip, SHAPE_KINDS, type ShapeChip, shapeRow } from "./shape-chips.ts";

export type Chip = FilterChip | ShapeChip;

/** The part of a query that chips show. */
export interface Chipped {
  filter: Filter;
  shape: Shape;
}

/** Equal keys, equal chips. */
export function chipKey(chip: Chip): string {
  const parts = Object.entries(chip).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify(parts.sort(), (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** All chips: of the filter, then of the shape. */
export function chipsOf({ filter, shape }: Chipped): Chip[] {
  const shapes = SHAPE_KINDS.flatMap((kind) =>
    shapeRow(kind)
      .of(shape)
      .map((change) => ({ kind, ...change }) as ShapeChip),
  );
  return [...filterChipsOf(filter), ...shapes];
}

/** Those that decide which samples are selected and written. */
export function filterChipsOf(filter: Filter): FilterChip[] {
  return FILTER_KINDS.flatMap((kind) =>
    filterRow(kind)
      .of(filter)
      .map((condition) => ({ kind, ...condition }) as FilterChip),
  );
}

export function hasChip(state: Chipped, chip: Chip): boolean {
  const key = chipKey(chip);
  return chipsOf(state).some((other) => chipKey(other) === key);
}

/** `also`: as an alternative to the ids and values in force; else in their place. */
export function withChip<State extends Chipped>(state: State, chip: Chip, also: boolean): State {
  if (hasChip(state, chip)) return state;
  const { kind, ...rest } = chip;
  if (isShapeChip(chip)) return { ...state, shape: shapeRow(chip.kind).with(state.shape, rest) };
  const { of, replaced, excludes } = filterRow(chip.kind);
  const kept = of(state.filter).filter((other) => also || !replaced(other, rest));
  const others = withoutKinds(state.filter, ...excludes);
  return { ...state, filter: withConditions(others, chip.kind, [...kept, rest]) };
}

export function withoutChip<State extends Chipped>(state: State, chip: Chip): State {
  const { kind, ...rest } = chip;
  if (isShapeChip(chip)) return { ...state, shape: shapeRow(chip.kind).without(state.shape, rest) };
  const key = chipKey(chip);
  const others = filterRow(chip.kind)
    .of(state.filter)
    .filter((other) => chipKey({ kind, ...other } as FilterChip) !== key);
  return { ...state, filter: withConditions(state.filter, chip.kind, others) };
}

/** The filter with these conditions of a kind, and no others of it. */
export function withConditions(filter: Filter, kind: FilterKind, conditions: object[]): Filter {
  const others = withoutKinds(filter, kind);
  const { field, value } = filterRow(kind);
  return conditions.length === 0 ? others : { ...others, [field]: value(conditions) };
}

export function withoutKinds(filter: Filter, ...kinds: readonly FilterKind[]): Filter {
  const left = { ...filter };
  for (const kind of kinds) delete left[filterRow(kind).field];
  return left;
}
