/** Filters, and functions that shape the call tree, one by one: as they are shown, added and removed. */
import type { AttributeFilter, FrameFilter, TimeRange } from "../../core/types.ts";
import type { QueryState } from "./query.ts";
import type { Recursion } from "./shape.ts";

export type Chip =
  | { kind: "local-root"; id: bigint }
  | { kind: "span"; id: bigint }
  | ({ kind: "attribute" } & AttributeFilter)
  | ({ kind: "frame" } & FrameFilter)
  | ({ kind: "time" } & TimeRange)
  /** Stacks begin at this function. */
  | { kind: "from"; name: string }
  /** Frames that the pattern finds are their callers'. */
  | { kind: "merged"; pattern: string }
  | { kind: "recursion"; recursion: Exclude<Recursion, "kept"> }
  | { kind: "file"; name: string };

/** Equal keys, equal chips. */
export function chipKey(chip: Chip): string {
  switch (chip.kind) {
    case "local-root":
    case "span":
      return `${chip.kind} ${chip.id}`;
    case "attribute":
      return JSON.stringify([chip.kind, chip.exclude === true, chip.key, chip.value]);
    case "frame":
      return JSON.stringify([chip.kind, chip.exclude === true, chip.pattern]);
    case "time":
      return `${chip.kind} ${chip.from} ${chip.to}`;
    case "from":
      return `${chip.kind} ${chip.name}`;
    case "merged":
      return `${chip.kind} ${chip.pattern}`;
    case "recursion":
      return `${chip.kind} ${chip.recursion}`;
    case "file":
      return `${chip.kind} ${chip.name}`;
  }
}

/** All that is in force. */
export function chipsOf(state: QueryState): Chip[] {
  const { from, merged, recursion } = state.shape;
  return [
    ...filterChipsOf(state),
    ...(from === "" ? [] : [{ kind: "from", name: from } satisfies Chip]),
    ...merged.map((pattern): Chip => ({ kind: "merged", pattern })),
    ...(recursion === "kept" ? [] : [{ kind: "recursion", recursion } satisfies Chip]),
  ];
}

/** Those that decide which samples are looked at, and which are written. */
export function filterChipsOf(state: QueryState): Chip[] {
  return [
    ...(state.file === "" ? [] : [{ kind: "file", name: state.file } satisfies Chip]),
    ...state.localRoots.map((id): Chip => ({ kind: "local-root", id })),
    ...state.spans.map((id): Chip => ({ kind: "span", id })),
    ...state.attributes.map((filter): Chip => ({ kind: "attribute", ...filter })),
    ...state.frames.map((filter): Chip => ({ kind: "frame", ...filter })),
    ...(state.time === null ? [] : [{ kind: "time", ...state.time } satisfies Chip]),
  ];
}

export function hasChip(state: QueryState, chip: Chip): boolean {
  const key = chipKey(chip);
  return chipsOf(state).some((other) => chipKey(other) === key);
}

/** `also`: beside the ids and values in force, any of which then does; else in their place. */
export function withChip(state: QueryState, chip: Chip, also: boolean): QueryState {
  if (hasChip(state, chip)) return state;
  switch (chip.kind) {
    case "local-root":
      // A span of another root would leave nothing, so the old spans go.
      return { ...state, localRoots: also ? [...state.localRoots, chip.id] : [chip.id], spans: [] };
    case "span":
      return { ...state, spans: also ? [...state.spans, chip.id] : [chip.id] };
    case "attribute": {
      const { kind: _, ...filter } = chip;
      const kept = state.attributes.filter(
        (other) => also || filter.exclude || other.exclude || other.key !== chip.key,
      );
      return { ...state, attributes: [...kept, filter] };
    }
    case "frame": {
      const { kind: _, ...filter } = chip;
      return { ...state, frames: [...state.frames, filter] };
    }
    case "time":
      return { ...state, time: { from: chip.from, to: chip.to } };
    case "from":
      return { ...state, shape: { ...state.shape, from: chip.name } };
    case "merged":
      return { ...state, shape: { ...state.shape, merged: [...state.shape.merged, chip.pattern] } };
    case "recursion":
      return { ...state, shape: { ...state.shape, recursion: chip.recursion } };
    case "file":
      return { ...state, file: chip.name };
  }
}

export function withoutChip(state: QueryState, chip: Chip): QueryState {
  const key = chipKey(chip);
  const isOther = (other: Chip) => chipKey(other) !== key;
  switch (chip.kind) {
    case "local-root":
      return { ...state, localRoots: state.localRoots.filter((id) => id !== chip.id) };
    case "span":
      return { ...state, spans: state.spans.filter((id) => id !== chip.id) };
    case "attribute":
      return { ...state, attributes: state.attributes.filter((filter) => isOther({ kind: "attribute", ...filter })) };
    case "frame":
      return { ...state, frames: state.frames.filter((filter) => isOther({ kind: "frame", ...filter })) };
    case "time":
      return { ...state, time: null };
    case "from":
      return { ...state, shape: { ...state.shape, from: "" } };
    case "merged": {
      const merged = state.shape.merged.filter((pattern) => pattern !== chip.pattern);
      return { ...state, shape: { ...state.shape, merged } };
    }
    case "recursion":
      return { ...state, shape: { ...state.shape, recursion: "kept" } };
    case "file":
      return { ...state, file: "" };
  }
}
