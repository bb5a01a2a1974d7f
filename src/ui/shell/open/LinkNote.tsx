import { linkedFile, linkWords } from "../../../model/query/written/link-words.ts";
import { SENDERS } from "../../../model/words/senders.ts";
import type { InputFile } from "../../../worker/api.ts";
import { storage } from "../../primitives/panes/use-stored.ts";
import { ASKED, LINKED, RELOADED } from "../recording/address.ts";
import css from "./LinkNote.module.css";
import { RecentFiles } from "./RecentFiles.tsx";

/** What the page's address shows once its recording is there, and files that were open before. */
export function LinkNote({ onFiles }: { onFiles: (files: InputFile[]) => void }) {
  const words = linkWords(ASKED || location.hash);
  const files = LINKED.map(linkedFile).map(({ name, size }) => (size === "" ? name : `${name} (${size})`));
  return (
    <>
      {(words !== "" || files.length > 0) && (
        <p className={css.link} data-testid="link-note">
          {RELOADED ? "This page showed" : "This link shows"} {words === "" ? "a recording" : <strong>{words}</strong>}.
          Drop {files.length === 0 ? "its recording" : <bdi>{files.join(", ")}</bdi>} to open it.
        </p>
      )}
      {(LINKED.length > 0 || storage.getItem("recent") === "true") && <RecentFiles onFiles={onFiles} wanted={LINKED} />}
    </>
  );
}

/** Ways to make a recording, as docs/recording.md has them in full. */
const RECORDERS = [
  {
    name: "Datadog's agent: samples with span ids",
    command:
      "java -javaagent:dd-java-agent.jar -Ddd.profiling.enabled=true -Ddd.profiling.debug.dump_path=dumps -jar app.jar",
  },
  {
    name: "async-profiler",
    command:
      "java -agentpath:libasyncProfiler.so=start,jfr,file=recording.jfr,event=cpu,wall=10ms,alloc=256k -jar app.jar",
  },
  {
    name: "The JDK alone",
    command: "java -XX:StartFlightRecording=filename=recording.jfr,settings=profile -jar app.jar",
  },
] as const;

/** Ways to record; for the page of `spanflame receive`, ways to send. */
export function HowToRecord() {
  const live = new URLSearchParams(location.search).get("live");
  if (live === "folder") return <Watched />;
  return live !== null ? (
    <section className={css.record} aria-label="Receiver" data-testid="waiting">
      <p role="status">Waiting for profiles and traces. Set one of these in a sender:</p>
      <Ways rows={SENDERS.map(({ name, set }) => ({ name, command: set(location.origin) }))} />
    </section>
  ) : (
    <details className={css.record} data-testid="how-to-record">
      <summary>How do I make a recording?</summary>
      <Ways rows={RECORDERS} />
      <p>To explain a slow request, samples need its span id, or a trace file beside them.</p>
    </details>
  );
}

function Watched() {
  return (
    <section className={css.record} aria-label="Folder" data-testid="waiting">
      <p role="status">
        Waiting for recordings in the folder. They open here when they are complete, or have a whole chunk.
      </p>
    </section>
  );
}

function Ways({ rows }: { rows: readonly { name: string; command: string }[] }) {
  return (
    <dl>
      {rows.map(({ name, command }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{command}</code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
