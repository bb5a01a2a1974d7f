import { FolderOpen, SearchX } from "lucide-react";
import { countedChunks } from "../../../model/recording/about.ts";
import { WAYS } from "../../../model/recording/offered-profiles.ts";
import { switchSentences } from "../../../model/recording/setting-words.ts";
import { formatCount, formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { InputFile, Overview } from "../../../worker/api.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { Icon } from "../../primitives/icon/Icon.tsx";
import { profileIcon } from "../topbar/profile-icons.ts";
import css from "./NothingKnown.module.css";

interface Props {
  id: string;
  overview: Overview;
  onFiles: (files: InputFile[]) => void;
}

const EVENTS_SHOWN = 12;

/** Message for files without samples: what to do next, their events, and the settings that record samples. */
export function NothingKnown({ id, overview, onFiles }: Props) {
  const { cancelled, files } = overview;
  const events = eventCounts(overview);
  const isRecording = files.some(({ format }) => format === "jfr");
  return (
    <main id={id} tabIndex={-1} className={css.nothing} data-testid="nothing">
      <header className={css.head}>
        <Icon of={SearchX} size={32} />
        <h2>{cancelled ? "Cancelled before a sample was read" : "No samples to show"}</h2>
        <p>
          {cancelled
            ? "Open the file again to read all of it."
            : (tracesOnly(overview) ?? reason(files.length, events.length > 0))}
        </p>
        <div className={css.actions}>
          <FilePicker label="Open another file…" icon={FolderOpen} look="primary" onFiles={onFiles} />
        </div>
      </header>
      <div className={css.columns}>
        {events.length > 0 && <Events events={events} />}
        {isRecording && !cancelled && <Ways overview={overview} />}
      </div>
    </main>
  );
}

/** What a trace without a recording needs. */
function tracesOnly({ traces }: Overview): string | null {
  if (traces === null || traces.files.length === 0) return null;
  const { traces: count, spans } = traces;
  return (
    `${formatCounted(count, "trace")} with ${formatCounted(spans, "span")} ${count === 1 ? "was" : "were"} read. ` +
    "Drop the recording of the service on the page to see what the spans did."
  );
}

function reason(files: number, hasEvents: boolean): string {
  const [these, contain] = files === 1 ? ["This file", "contains"] : ["These files", "contain"];
  return hasEvents ? `${these} ${contain} events, but no profile samples.` : `${these} ${contain} no events.`;
}

function Events({ events }: { events: [name: string, count: number][] }) {
  return (
    <section className={css.part}>
      <h3>Recorded events</h3>
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
      {events.length > EVENTS_SHOWN && (
        <p className={css.more}>and {formatCount(events.length - EVENTS_SHOWN)} more types</p>
      )}
    </section>
  );
}

/** The settings of each profile, below its name once. */
function Ways({ overview }: Pick<Props, "overview">) {
  const labels = [...new Set(WAYS.map(({ label }) => label))];
  return (
    <section className={css.part}>
      <h3>How to record samples</h3>
      <dl className={css.ways}>
        {labels.map((label) => {
          const ways = WAYS.filter((way) => way.label === label);
          return (
            <div key={label} className={css.way}>
              <dt>
                <Icon of={profileIcon(ways[0]?.type ?? "")} size={14} /> {label}
              </dt>
              {ways.map(({ setting, events }) => (
                <dd key={setting}>
                  {setting}{" "}
                  <em data-testid="switch">
                    {switchSentences(
                      events.map(({ event }) => event),
                      overview.settings,
                    ).join(" ")}
                  </em>
                </dd>
              ))}
            </div>
          );
        })}
      </dl>
    </section>
  );
}

function eventCounts(overview: Overview): [string, number][] {
  const counts = new Map<string, number>();
  for (const chunk of overview.files.flatMap(countedChunks)) {
    for (const [name, count] of Object.entries(chunk.events)) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
}
