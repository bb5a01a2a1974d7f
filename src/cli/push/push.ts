/** `spanflame push`: sends recordings to a receiver of OTLP, in as many messages as needed. */

import tls from "node:tls";
import { type Part, SPLIT_BYTES, splitByProfile } from "../../core/split.ts";
import type { OtlpFormat } from "../../core/types.ts";
import { VERSION } from "../../core/version.ts";
import { formatBytes, formatCounted } from "../../model/words/format.ts";
import { countOf, parseFilter, presetOf, resourceOf } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode, UsageError } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { nothingWritten } from "../../node/nothing.ts";
import { chosenProfiles } from "../../node/read.ts";
import { smallText } from "../../node/small-text.ts";
import { note, progress, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { profilesUrl } from "../../push/endpoint.ts";
import { headerFault } from "../../push/headers.ts";
import { meetsEveryMessage, outcomeWords, retryWords } from "../../push/outcome.ts";
import { push as pushMessage, type Receiver } from "../../push/push.ts";
import { allProfiles, readNeeded } from "../convert/need.ts";
import { type EnvironmentSettings, type GivenHeader, settingsIn, trust } from "./otel-environment.ts";

const TIMEOUT_MS = 30_000;
/** A timer of Node with more milliseconds than an int32 has ends after one. */
const LONGEST_TIMEOUT_S = 2_147_483;

/** The headers of the options. A message about one never repeats its value: it may be a key. */
function headersOf(given: GivenHeader[]): Record<string, string> {
  const headers = new Headers({ "user-agent": `spanflame/${VERSION}` });
  for (const { option, text } of given) {
    // A header name contains neither character.
    const at = text.search(/[=:]/);
    if (at <= 0) throw new UsageError(`${option}: a header is not KEY=VALUE`);
    const name = text.slice(0, at).trim();
    const value = text.slice(at + 1).trim();
    const fault = headerFault(name, value);
    if (fault !== null) throw new UsageError(`${option}: ${fault}`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

/** The headers of a file, one on each line: arguments can be read by every user of the machine, a file need not be. */
async function headersIn(path: string): Promise<GivenHeader[]> {
  const text = await smallText("--header-file", path);
  const lines = text.split(/\r?\n/).map((line, i) => ({ option: `--header-file: line ${i + 1}`, text: line.trim() }));
  return lines.filter((line) => line.text !== "" && !line.text.startsWith("#"));
}

function urlOf(endpoint: string | undefined, environment: EnvironmentSettings): string {
  const url = endpoint ?? environment.url();
  if (url === undefined) throw new UsageError("--endpoint URL is missing, and OTEL_EXPORTER_OTLP_ENDPOINT is not set");
  if (endpoint === undefined) return url;
  try {
    return profilesUrl(endpoint);
  } catch (error) {
    throw new UsageError(`--endpoint: ${(error as Error).message}`);
  }
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = countOf("--timeout", text, 0, LONGEST_TIMEOUT_S);
  if (seconds === 0) throw new UsageError("--timeout: must be at least 1 second");
  return 1000 * seconds;
}

export async function push({ inputs, values }: CallOf<"push">): Promise<ExitCode> {
  const file = values["header-file"];
  const environment = settingsIn(process.env);
  const receiver: Receiver = {
    url: urlOf(values.endpoint, environment),
    headers: headersOf([
      ...environment.headers,
      ...(file === undefined ? [] : await headersIn(file)),
      ...(values.header ?? []).map((text) => ({ option: "--header", text })),
    ]),
    gzip: values.gzip === true || environment.gzip,
    timeoutMs: timeoutOf(values.timeout) ?? environment.timeoutMs ?? TIMEOUT_MS,
  };
  for (const warning of environment.warnings) say(`spanflame: warning: ${warning}`);
  if (environment.certificate !== undefined && receiver.url.startsWith("https:")) {
    await trust(environment.certificate, tls);
  }
  const limit = countOf("--split-bytes", values["split-bytes"], SPLIT_BYTES);
  const parsed = await parseFilter(values);
  const preset = presetOf(values.preset);
  const resource = resourceOf(values.resource);
  const need = { filter: parsed, stacks: true };
  const sources = inputsOf(inputs);
  const { core, traces, exit } = await readNeeded(sources, values, need);
  if (exit === ExitCode.Failed) return exit;
  const filter = meantBy(core, traces, parsed);
  const { profile, ...measure } = chosenProfiles(core, values);
  const format: OtlpFormat = values.json === true || environment.json ? "otlp-json" : "otlp";
  const options = { format, preset, resource, ...measure };
  const sent = await send(splitByProfile(core, profile, filter, options, limit), format, receiver, async () =>
    nothingWritten(await allProfiles(core, sources, values, need), filter, inputs),
  );
  return sent === ExitCode.Done ? exit : sent;
}

async function send(
  parts: Iterable<Part>,
  format: OtlpFormat,
  receiver: Receiver,
  nothing: () => Promise<string>,
): Promise<ExitCode> {
  let sent = 0;
  let refused = 0;
  let hopeless = false;
  for (const part of parts) {
    if (hopeless) {
      say("spanflame: the other messages were not sent");
      break;
    }
    const name = `${part.type ?? `${part.profiles} profiles`}, ${formatBytes(part.size)}`;
    if (part.oversized) say(`spanflame: warning: ${name}: a single profile above --split-bytes, sent unsplit`);
    const pushed = pushMessage(part.bytes, format, receiver, (retry) =>
      say(`spanflame: ${name}: ${retryWords(retry)}`),
    );
    const outcome = await progress.during(() => `sending ${name}`, pushed);
    sent++;
    const tell = outcome.result === "accepted" && outcome.message === "" ? note : say;
    tell(`spanflame: ${name}: ${outcomeWords(outcome, formatCounted(part.observations, "observation"))}`);
    if (outcome.result !== "accepted") refused++;
    hopeless = meetsEveryMessage(outcome);
  }
  if (sent === 0) say(`spanflame: ${await nothing()}: nothing was sent`);
  return refused > 0 ? ExitCode.Failed : ExitCode.Done;
}
