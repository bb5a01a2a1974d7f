import { Info, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import type { ProfileTab } from "../../../model/recording/profile-tabs.ts";
import type { Finding } from "../../../model/why/findings.ts";
import type { FindingWords } from "../../../model/why/why-text.ts";
import type { ViewProps } from "../../parts/answers/view-props.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import css from "./OverviewView.module.css";

interface Props extends Pick<ViewProps, "act" | "tabs"> {
  findings: FindingWords[];
  /** What is wrong with the file of rules; "" if nothing is. */
  error: string;
  onFile: (file: File | null) => void;
  hasRules: boolean;
}

/** Known costs in the selection; each opens its stacks in the graph. */
export function Findings({ findings, tabs, act, error, onFile, hasRules }: Props) {
  return (
    <section className={css.section} data-testid="why-findings">
      <div className={css.findingsHead}>
        <h2 className={css.title}>Findings</h2>
        <RulesButton onFile={onFile} hasRules={hasRules} />
      </div>
      <p className={css.quiet}>known costs, found by rules</p>
      {error !== "" && (
        <p role="alert" className={css.error} data-testid="rules-error">
          {error}
        </p>
      )}
      {findings.length === 0 ? (
        <p className={css.quiet}>No findings</p>
      ) : (
        <ul className={css.findings}>
          {findings.map(({ name, figure, tone, why, advice, finding }) => (
            <li key={name} className={css.finding} data-testid="finding" data-tone={tone}>
              <span className={css.tone}>
                <Icon of={tone === "warning" ? TriangleAlert : Info} />
                <span className="visually-hidden">{tone === "warning" ? "Warning: " : "Note: "}</span>
              </span>
              <div className={css.findingText}>
                <p className={css.findingName}>
                  <strong>{name}</strong> <span className={css.findingFigure}>{figure}</span>
                </p>
                <p className={css.quiet}>
                  {why} {advice}
                </p>
              </div>
              {opens(finding) && (
                <Button aria-label={`Show the stacks of ${name}`} onClick={() => open(finding, tabs, act)}>
                  Show stacks
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function opens({ profile }: Finding): boolean {
  return profile !== null;
}

/** The graph of the finding's profile, filtered to its stacks. */
function open({ profile, pattern, attribute }: Finding, tabs: ProfileTab[], act: Props["act"]): void {
  const type = tabs.find((tab) => tab.profile?.id === profile)?.type;
  if (type !== undefined) act({ kind: "type", type });
  if (pattern !== "") act({ kind: "add", chip: { kind: "frame", pattern } });
  for (const value of attribute?.values ?? [])
    act({ kind: "also", chip: { kind: "attribute", key: attribute!.key, value } });
  act({ kind: "view", view: "flame" });
}

function RulesButton({ onFile, hasRules }: Pick<Props, "onFile" | "hasRules">) {
  const input = useRef<HTMLInputElement>(null);
  if (hasRules)
    return (
      <Button testId="rules-remove" onClick={() => onFile(null)}>
        Remove my rules
      </Button>
    );
  return (
    <>
      <Button tip="Adds rules from a JSON file; docs/findings.md describes it" onClick={() => input.current?.click()}>
        Add rules…
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        data-testid="rules-input"
        onChange={(event) => {
          onFile(event.currentTarget.files?.[0] ?? null);
          // The same file picked again must fire again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
