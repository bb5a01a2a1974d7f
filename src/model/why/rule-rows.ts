/** What rows of the table of findings are made with. */
import { ruleOf, type StackState } from "../context/stack-states.ts";
import { partPattern } from "../query/pattern.ts";
import type { FindingRule } from "../span-time/rule-types.ts";

/** Functions whose names begin so. */
export const starting = (...names: string[]) => names.map((name) => `^${partPattern(name)}`).join("|");

/** Functions of these names. */
export const exactly = (name: string) => `^${partPattern(name)}$`;
export const names = (...all: string[]) => all.map(exactly).join("|");

/** Files with such a part of their path. */
export const inFiles = (...files: string[]) => files.map((file) => partPattern(file)).join("|");

/** CPU samples of any recorder; wall samples without CPU samples. */
export const CPU = ["cpu", "wall"];
/** For time that is spent waiting: wall samples, else events that last as long as a wait. */
export const PARKED = ["wall", "park"];
export const NETWORK = ["wall", "socket"];
export const ALLOCATION = ["alloc"];
export const TIME = ["wall", "cpu"];

/** A row about a share of samples. */
type Row = Omit<FindingRule, "figure" | "in"> & Partial<Pick<FindingRule, "figure" | "in">>;

/** Stacks in a state. */
export const inState = (state: StackState) => ({ state, ...ruleOf(state) });

export const share = (row: Row): FindingRule => ({ in: CPU, figure: "share", ...row });

/** Loggers of Python, Ruby and Node. */
export const LOGGERS = inFiles(
  ...["/logging/__init__.py", "/logging/handlers.py", "/logger.rb"],
  ...["/node_modules/winston/", "/node_modules/pino/"],
);
