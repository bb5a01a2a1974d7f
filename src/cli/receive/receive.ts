/** `spanflame receive`: takes what profilers and tracers send, and serves the viewer with it. */
import { fileURLToPath } from "node:url";
import { endWithParent } from "../../../scripts/end-with-parent.mjs";
import { momentIn } from "../../model/query/moment.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { SENDERS } from "../../model/words/senders.ts";
import { countOf } from "../../node/arguments.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { note, print, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { openBrowser } from "../serve/open-browser.ts";
import { Forwarding } from "./forward.ts";
import { startReceiver, type Told } from "./receiver.ts";

/** The port of OTLP over HTTP. */
const OTLP_PORT = "4318";
const NANOS_OF_MS = 1_000_000n;
/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;

export async function receive({ values }: CallOf<"receive">): Promise<ExitCode> {
  const port = countOf("--port", values.port ?? OTLP_PORT, 0, 65_535);
  const endMs = durationOf("--for", values.for);
  const isJson = values.json === true;
  const forwarding = values.forward === undefined ? null : new Forwarding(values.forward);
  let removeOpener = () => {};
  const receiver = await startReceiver({
    siteDir: fileURLToPath(new URL("../dist", import.meta.url)),
    port,
    keep: values.keep,
    tell: ({ kept, ...told }) => {
      if (isJson) print(JSON.stringify({ time: new Date().toISOString(), ...told }));
      else tell(told);
      if (kept !== undefined) forwarding?.add(kept);
    },
    onPage: () => removeOpener(),
  });
  const ended = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, resolve);
    if (endMs !== null) setTimeout(resolve, endMs);
  });
  try {
    forwarding?.check(new URL(receiver.url).origin);
    announce(receiver.url, isJson);
    endWithParent();
    if (!values["no-open"] && !isJson)
      removeOpener = openBrowser(receiver.url, () => note("No browser could be opened; open the address in one"));
    await ended;
  } finally {
    removeOpener();
    await forwarding?.ended();
    await receiver.close();
  }
  return forwarding?.isWhole === false ? ExitCode.Failed : ExitCode.Done;
}

function durationOf(option: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const now = Date.now();
  const moment = /^\d+[smhd]$/.test(text) ? momentIn(text, now) : null;
  const ms = moment === null ? 0 : Number(BigInt(now) - moment / NANOS_OF_MS);
  if (ms <= 0 || ms > LONGEST_MS)
    throw new UsageError(`${option}: ${JSON.stringify(text)} is no duration such as 60s or 5m`);
  return ms;
}

/** The page, and a line for each kind of sender. */
function announce(page: string, isJson: boolean): void {
  const url = new URL(page).origin;
  if (isJson) {
    print(JSON.stringify({ url, page, senders: Object.fromEntries(SENDERS.map(({ name, set }) => [name, set(url)])) }));
    return;
  }
  print(`Spanflame: ${page}`);
  const width = Math.max(...SENDERS.map(({ name }) => name.length));
  for (const { name, set } of SENDERS) print(`${name.padEnd(width)}  ${set(url)}`);
  note("Ctrl+C ends the receiver");
}

function tell({ sender, path, status, message, bytes, content, file }: Told): void {
  if (content === null) {
    say(`spanflame: ${path}: refused with ${status}: ${message}`);
    return;
  }
  const counts = Object.entries(content.counts).map(([noun, count]) => formatCounted(count, noun.replace(/s$/, "")));
  const of = content.service === "" ? "" : ` of ${content.service}`;
  const kept = file === null ? "; nothing was kept" : "";
  note(`spanflame: ${sender}${of}: ${[...counts, formatBytes(bytes)].join(", ")}${kept}`);
  if (message !== "") say(`spanflame: warning: ${sender}${of}: ${message}`);
}
