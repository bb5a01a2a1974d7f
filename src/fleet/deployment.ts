/**
 * Which deployment a recording is of: attributes of its process, what `--resource` sets, and what the folders above it
 * say where it states nothing itself.
 */
import { resolve, sep } from "node:path";
import type { Resource } from "../core/types.ts";
import { UsageError } from "../node/exit.ts";

/** Columns, and the attributes that give their values: the first that a process has. */
export const DEPLOYMENT = {
  environment: ["deployment.environment.name", "deployment.environment", "env"],
  version: ["service.version", "version"],
  host: ["host.name", "host"],
  pod: ["k8s.pod.name", "pod_name"],
} as const;
export type DeploymentColumn = keyof typeof DEPLOYMENT;

/** Attributes by their names in a pattern. */
const NAMED: ReadonlyMap<string, string> = new Map([
  ["service", "service.name"],
  ["instance", "service.instance.id"],
  ...Object.entries(DEPLOYMENT).map(([column, [key]]) => [column, key] as const),
]);

export type PathFacts = (path: string) => Resource | null;

/**
 * What a pattern such as `{environment}/{service}/{host}` says of a path below one of the operands; null where it does
 * not fit. It describes the first folders; `*` is any text within a name. Throws UsageError.
 */
export function pathFacts(pattern: string, operands: readonly string[]): PathFacts {
  const steps = pattern.split("/").filter((step) => step !== "");
  const wanted = steps.map((step) => step.split(/(\{[^{}]*\}|\*)/));
  const names = wanted.flatMap((pieces) => pieces.filter((_, i) => i % 2 === 1)).filter((piece) => piece !== "*");
  const isPlain = wanted.every((pieces) => pieces.every((piece, i) => i % 2 === 1 || !/[{}]/.test(piece)));
  if (names.length === 0 || !isPlain || !names.every((name) => /^\{[\w.-]+\}$/.test(name)))
    throw new UsageError(`--path-pattern: ${JSON.stringify(pattern)} has no names in braces, such as {service}/{host}`);
  const roots = operands.map((operand) => resolve(operand) + sep);
  return (path) => {
    const whole = resolve(path);
    const root = roots.find((each) => whole.startsWith(each));
    // A file that was named itself has the folders that were named with it.
    const below = (root === undefined ? path : whole.slice(root.length)).split(sep).filter((part) => part !== "");
    const facts = new Map<string, string>();
    const fits = wanted.every((pieces, i) => matches(pieces, below[i] ?? "", facts));
    return fits ? Object.fromEntries(facts) : null;
  };
}

/** Whether a name fits texts with `*` or `{name}` between them, each of which takes as little as it can. */
function matches(pieces: readonly string[], name: string, facts: Map<string, string>): boolean {
  const [first = ""] = pieces;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (let i = 1; i < pieces.length; i += 2) {
    const [wild, text] = [pieces[i]!, pieces[i + 1]!];
    const from = wild === "*" ? at : at + 1;
    const isLast = i + 2 >= pieces.length;
    const end = isLast ? name.length - text.length : name.indexOf(text, from);
    if (end < from || !name.endsWith(isLast ? text : "")) return false;
    const key = wild.slice(1, -1);
    if (wild !== "*") facts.set(NAMED.get(key) ?? key, name.slice(at, end));
    at = end + text.length;
  }
  return at === name.length;
}

/** The value of a column; "" if the process states none. */
export function deploymentOf(resource: Readonly<Record<string, string>>, column: DeploymentColumn): string {
  return DEPLOYMENT[column].map((key) => resource[key] ?? "").find((value) => value !== "") ?? "";
}

/** Attributes of a process: `fallback` where it states none, `set` in any case; an empty value takes one out. */
export function resourceWith(stated: Record<string, string>, fallback: Resource, set: Resource) {
  const texts = (resource: Resource) => Object.entries(resource).map(([key, value]) => [key, String(value)] as const);
  const all = { ...Object.fromEntries(texts(fallback)), ...stated, ...Object.fromEntries(texts(set)) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
}
