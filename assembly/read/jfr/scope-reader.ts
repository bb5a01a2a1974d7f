/**
 * The way to the reader of scopes (scopes.ts), which a page loads late: the host sets it when it asks for contexts.
 * Until then chunks have no plans of scopes.
 */
import { Plan } from "./event-plan";

let planAll: () => void = noPlans;
let readOne: (plan: Plan) => void = noScope;

function noPlans(): void {}

function noScope(_plan: Plan): void {}

/** Sets the functions of scopes.ts. */
export function setScopeReader(plan: () => void, read: (plan: Plan) => void): void {
  planAll = plan;
  readOne = read;
}

/** Plans the scopes of a chunk. */
export function planScopes(): void {
  planAll();
}

/** Reads the event in the slots. */
export function readScope(plan: Plan): void {
  readOne(plan);
}
