/** Results of a validation: for each rule its first location and message, and the number of violations. */
import type { Severity } from "../core/types.ts";
import type { Receiver, ReceiverRule } from "./rules/receivers.ts";
import type { Rule } from "./rules/rule.ts";

/** A rule that a message breaks, and where. */
export interface RuleDiagnostic {
  /** Stable: `E…` errors, `W…` warnings, `I…` infos, or `parca.E…` of one receiver, as docs/validator.md lists them. */
  rule: string;
  severity: Severity;
  /** Fact and value at the first place. */
  message: string;
  /** The first place: `stack_table[3].location_indices[0]`; empty for the message as a whole. */
  where: string;
  count: number;
}

/** The result of a validation. */
export interface Report {
  /** Whether nothing is an error. */
  valid: boolean;
  /** Errors first; within a severity by rule. */
  findings: RuleDiagnostic[];
}

const SEVERITIES: ReadonlyMap<string, Severity> = new Map(Object.entries({ E: "error", W: "warning", I: "info" }));

/** The letter of an id, which is after the name of a receiver. */
export const severityOf = (rule: string): Severity => SEVERITIES.get(rule.charAt(rule.indexOf(".") + 1)) ?? "error";

export class RuleDiagnostics {
  private readonly byRule = new Map<Rule, RuleDiagnostic>();
  /** Rules of receivers, by the general rule that they are about. */
  private readonly of = new Map<string, ReceiverRule[]>();

  constructor(receivers: readonly Receiver[] = []) {
    for (const rule of receivers.flatMap(({ rules }) => rules)) {
      for (const id of rule.of ?? []) this.of.set(id, [...(this.of.get(id) ?? []), rule]);
    }
  }

  /** Place and message are made only where they are the rule's first. */
  add(rule: Rule, where: () => string, says: () => string): void {
    this.count(rule, where, says);
    for (const own of this.of.get(rule.id) ?? []) this.count(own, where, says);
  }

  private count(rule: Rule, where: () => string, says: () => string): void {
    const known = this.byRule.get(rule);
    if (known !== undefined) known.count++;
    else {
      const { id } = rule;
      this.byRule.set(rule, { rule: id, severity: severityOf(id), message: says(), where: where(), count: 1 });
    }
  }

  report(): Report {
    const order = [...SEVERITIES.values()];
    const rank = ({ severity, rule }: RuleDiagnostic) => `${order.indexOf(severity)}${rule}`;
    const findings = [...this.byRule.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    return { valid: findings.every(({ severity }) => severity !== "error"), findings };
  }
}
