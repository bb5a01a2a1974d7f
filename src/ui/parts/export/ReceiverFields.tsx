import { useId } from "react";
import type { Pair } from "../../../model/query/written/export-choice.ts";
import css from "./ExportDialog.module.css";
import { PairRows } from "./PairRows.tsx";

/** A receiver as it was typed. Kept while the page is open and nowhere else: headers hold keys. */
export interface ReceiverText {
  endpoint: string;
  headers: Pair[];
}

interface Props {
  text: ReceiverText;
  onChange: (text: ReceiverText) => void;
}

/** Endpoint and headers of a receiver, with a warning about the sent data. */
export function ReceiverFields({ text, onChange }: Props) {
  const about = useId();
  return (
    <>
      <fieldset className={css.section}>
        <legend>OTLP endpoint</legend>
        <p id={about} className={css.warning} data-testid="send-warning">
          This sends data to another program or machine: the samples selected above with their stacks, thread names and
          attributes, and the resource attributes below. Nothing else of the recording is sent. The receiver must allow
          this page, <code>{location.origin}</code>, to send to it (CORS): in a Collector's <code>otlp</code> receiver{" "}
          <code>cors.allowed_origins</code> and <code>cors.allowed_headers</code>.
        </p>
        <label className={css.line}>
          <span>Address</span>
          <input
            type="url"
            data-testid="endpoint"
            value={text.endpoint}
            placeholder="http://localhost:4318"
            spellCheck={false}
            aria-describedby={about}
            onChange={(event) => onChange({ ...text, endpoint: event.currentTarget.value })}
          />
        </label>
      </fieldset>
      <PairRows
        legend="Headers"
        about="For example an API key. Not stored."
        name="header"
        one="header"
        pairs={text.headers}
        secret
        onChange={(headers) => onChange({ ...text, headers })}
      />
    </>
  );
}
