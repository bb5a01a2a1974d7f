import { useState } from "react";
import type { OutputFormat } from "../../core/types.ts";
import { downloadName } from "../../model/file-name.ts";
import { formatBytes, formatCounted } from "../../model/format.ts";
import { type Measured, measureType, measureWord } from "../../model/measure.ts";
import type { QueryState } from "../../model/query.ts";
import { filterOf } from "../../model/query.ts";
import type { Failure } from "../../worker/api.ts";
import { viewer } from "../../worker/client.ts";
import css from "./Export.module.css";
import { saveBlob } from "./save-blob.ts";

interface Props {
  names: string[];
  profile: Measured;
  query: QueryState;
  onFailure: (failure: Failure) => void;
}

/**
 * Writes exactly what is filtered: the profile on screen by the measure on screen, or all profiles under the same filter,
 * each by the measure it stands for in OTLP.
 */
export function Export({ names, profile, query, onFailure }: Props) {
  const [all, setAll] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");

  const download = async (format: OutputFormat) => {
    setBusy(true);
    const answer = await viewer.download(all ? null : profile.id, profile.measure, filterOf(query), format);
    setBusy(false);
    if (!answer.ok) return onFailure(answer.error);
    const { blob, observations } = answer.value;
    saveBlob(blob, downloadName(names, all ? null : measureType(profile), query, format));
    setSaid(`${formatCounted(observations, "sample")} written, ${formatBytes(blob.size)}`);
  };

  return (
    <fieldset className={css.export} aria-label="Download what is filtered as OTLP profiles">
      <button type="button" data-testid="download-pb" disabled={busy} onClick={() => void download("otlp")}>
        ↓ OTLP
      </button>
      <button type="button" data-testid="download-json" disabled={busy} onClick={() => void download("otlp-json")}>
        ↓ OTLP/JSON
      </button>
      <label
        className={css.all}
        title="Write every profile under the same filter, each by its first measure, not only the one on screen"
      >
        <input type="checkbox" data-testid="all-profiles" checked={all} onChange={() => setAll(!all)} />
        all profiles
        {all && profile.measure > 0 && (
          <span data-testid="all-measures">
            (by {measureWord(profile, 0)}, not {measureWord(profile, profile.measure)})
          </span>
        )}
      </label>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </fieldset>
  );
}
