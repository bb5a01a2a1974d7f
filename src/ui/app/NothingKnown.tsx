import { switchSentences, WAYS } from "../../model/recording/setting-words.ts";
import { formatCount } from "../../model/words/format.ts";
import { visible } from "../../model/words/text.ts";
import type { Overview } from "../../worker/api.ts";
import css from "./NothingKnown.module.css";

interface Props {
  id: string;
  overview: Overview;
}

const EVENTS_SHOWN = 12;

/** Message for files without samples: their events, and the settings that record samples. */
export function NothingKnown({ id, overview }: Props) {
  const events = eventCounts(overview);
  return (
    <main id={id} tabIndex={-1} className={css.nothing} data-testid="nothing">
      <h2>{overview.cancelled ? "Cancelled before a sample was read" : "No samples to show"}</h2>
      {events.length > 0 && (
        <>
          <p>These files contain events, but no profile samples:</p>
          <table className={css.events}>
            <tbody>
              {events.slice(0, EVENTS_SHOWN).map(([name, count]) => (
                <tr key={name}>
                  <th scope="row">{visible(name, 80)}</th>
                  <td>{formatCount(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {events.length > EVENTS_SHOWN && <p>and {formatCount(events.length - EVENTS_SHOWN)} more types</p>}
        </>
      )}
      <p>To record samples:</p>
      <ul className={css.settings}>
        {WAYS.map(({ label, setting, events: own }) => (
          <li key={setting}>
            <strong>{label}</strong> — {setting}{" "}
            <em data-testid="switch">
              {switchSentences(
                own.map(({ event }) => event),
                overview.settings,
              ).join(" ")}
            </em>
          </li>
        ))}
      </ul>
    </main>
  );
}

function eventCounts(overview: Overview): [string, number][] {
  const counts = new Map<string, number>();
  for (const chunk of overview.files.flatMap((file) => file.chunks)) {
    for (const [name, count] of Object.entries(chunk.events)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}
