import { useId } from "react";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { LibraryRow } from "../../../symbols/library-rows.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SymbolsDialog.module.css";
import { type Outcome, useDebuginfod } from "./use-debuginfod.ts";

/** Asks a server of the user's choice for debug files. Nothing is asked before the user enters one and starts it. */
export function Debuginfod({ rows }: { rows: readonly LibraryRow[] }) {
  const wanted = rows.filter(({ status }) => status === "missing" || status === "mismatch");
  const { servers, setServers, fetching, outcomes, start, stop } = useDebuginfod(wanted);
  const about = useId();
  if (wanted.length === 0 && fetching === null && outcomes.length === 0) return null;
  return (
    <details className={css.commands} data-testid="debuginfod">
      <summary>Fetch debug files from a debuginfod server</summary>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (fetching === null) start();
        }}
      >
        <label className={css.server}>
          Server address
          <input
            type="text"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://…"
            data-testid="debuginfod-server"
            aria-describedby={about}
            value={servers}
            onChange={(event) => setServers(event.currentTarget.value)}
          />
        </label>
        {fetching === null ? (
          <button type="submit" data-testid="debuginfod-fetch" disabled={servers.trim() === "" || wanted.length === 0}>
            Fetch
          </button>
        ) : (
          <Button testId="debuginfod-stop" onClick={stop}>
            Stop
          </Button>
        )}
      </form>
      <p className={css.why} id={about}>
        Fetch sends the build {wanted.length === 1 ? "id" : "ids"} of{" "}
        {formatCounted(wanted.length, "library", "libraries")} to this server, and nothing else. The page does not keep
        the address.
      </p>
      <p className={css.why} role="status" data-testid="debuginfod-said">
        {fetching !== null && `${visible(fetching.name, 80)}: ${formatBytes(fetching.received)}…`}
      </p>
      {outcomes.length > 0 && <Outcomes outcomes={outcomes} />}
    </details>
  );
}

function Outcomes({ outcomes }: { outcomes: readonly Outcome[] }) {
  return (
    <ul className={css.list} aria-label="Answers of the server">
      {outcomes.map(({ buildId, name, words }) => (
        <li key={buildId}>
          <bdi>{visible(name, 80)}</bdi> <span className={css.why}>{visible(words, 300)}</span>
        </li>
      ))}
    </ul>
  );
}
