/** `spanflame push`: sends recordings to a receiver of OTLP, in as many messages as needed. */

import tls from "node:tls";
import { type Part, SPLIT_BYTES, splitByProfile } from "../../core/split.ts";
import type { OtlpFormat } from "../../core/types.ts";
import { VERSION } from "../../core/version.ts";
import { momentIn } from "../../model/query/moment.ts";
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
import { ENCODINGS } from "../../node/usage/options.ts";
import { notOneOf } from "../../node/usage/suggest.ts";
import { profilesUrl } from "../../push/endpoint.ts";
import { headerFault } from "../../push/headers.ts";
import { meetsEveryMessage, outcomeWords, retryWords } from "../../push/outcome.ts";
import { push as pushMessage, type Receiver } from "../../push/push.ts";
import { allProfiles, noteInferable, readNeeded } from "../convert/need.ts";
import { agentUrl, type Upload, uploadOf } from "./datadog.ts";
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
  if (url === undefined) throw new UsageError("--to URL is missing, and OTEL_EXPORTER_OTLP_ENDPOINT is not set");
  if (endpoint === undefined) return url;
  try {
    return profilesUrl(endpoint);
  } catch (error) {
    throw new UsageError(`--to: ${(error as Error).message}`);
  }
}

function timeoutOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = countOf("--timeout", text, 0, LONGEST_TIMEOUT_S);
  if (seconds === 0) throw new UsageError("--timeout: must be at least 1 second");
  return 1000 * seconds;
}

type PushValues = CallOf<"push">["values"] & { endpoint?: string[]; until?: string };

/** Options with their former meanings: `--endpoint URL` for `--to`, `--to TIME` for `--until`, `--json`. */
function renewed(given: PushValues): PushValues {
  const values = { ...given };
  const renew = (was: string, now: string) => note(`spanflame: ${was} is now ${now}`);
  if (values.to !== undefined && momentIn(values.to, Date.now()) !== null) {
    renew("--to TIME", "--until");
    values.until = values.to;
    delete values.to;
  }
  const url = values.endpoint?.find((each) => /^https?:/i.test(each));
  if (url !== undefined && values.to === undefined) {
    renew("--endpoint URL", "--to");
    values.to = url;
    values.endpoint = values.endpoint!.filter((each) => each !== url);
  }
  if (values.json === true) {
    renew("--json", "--encoding json");
    values.encoding ??= "json";
  }
  return values;
}

function isJson(encoding: string | undefined, environment: EnvironmentSettings): boolean {
  if (encoding === undefined) return environment.json;
  if (!ENCODINGS.some((each) => each === encoding)) throw new UsageError(notOneOf("--encoding", encoding, ENCODINGS));
  return encoding === "json";
}

export async function push({ inputs, values: given }: CallOf<"push">): Promise<ExitCode> {
  const values = renewed(given);
  const file = values["header-file"];
  const environment = settingsIn(process.env);
  const receiver: Receiver = {
    url: values.datadog === true ? agentUrl(values.to) : urlOf(values.to, environment),
    headers: headersOf([
      ...(values.datadog === true ? [] : environment.headers),
      ...(file === undefined ? [] : await headersIn(file)),
      ...(values.header ?? []).map((text) => ({ option: "--header", text })),
    ]),
    // The attachments of an upload are compressed.
    gzip: values.datadog !== true && (values.gzip === true || environment.gzip),
    timeoutMs: timeoutOf(values.timeout) ?? environment.timeoutMs ?? TIMEOUT_MS,
  };
  for (const warning of environment.warnings) say(`spanflame: warning: ${warning}`);
  if (environment.certificate !== undefined && receiver.url.startsWith("https:")) {
    await trust(environment.certificate, tls);
  }
  const format: OtlpFormat = isJson(values.encoding, environment) ? "otlp-json" : "otlp";
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
  if (values.datadog === true) {
    const upload = uploadOf(core, profile, filter, resource);
    if (upload === null) {
      const all = { core, profiles: await allProfiles(core, sources, values, need), filter, inputs };
      say(`spanflame: ${nothingWritten(values.type, all)}: nothing was sent`);
      return exit;
    }
    return (await sendUpload(upload, receiver)) === ExitCode.Done ? exit : ExitCode.Failed;
  }
  const options = { format, preset, resource, ...measure };
  const sent = await send(splitByProfile(core, profile, filter, options, limit), format, receiver, async () =>
    nothingWritten(values.type, { core, profiles: await allProfiles(core, sources, values, need), filter, inputs }),
  );
  if (sent === ExitCode.Done) noteInferable(core, values);
  return sent === ExitCode.Done ? exit : sent;
}

async function sendUpload(
  { body, contentType, profiles, observations }: Upload,
  receiver: Receiver,
): Promise<ExitCode> {
  const name = `upload of ${formatCounted(profiles, "profile")}, ${formatBytes(body.length)}`;
  const pushed = pushMessage(body, contentType, receiver, (retry) => say(`spanflame: ${name}: ${retryWords(retry)}`));
  const outcome = await progress.during(() => `sending ${name}`, pushed);
  const isTaken = outcome.result === "accepted";
  (isTaken ? note : say)(`spanflame: ${name}: ${outcomeWords(outcome, formatCounted(observations, "observation"))}`);
  return isTaken ? ExitCode.Done : ExitCode.Failed;
}

/** Sends a body as it is, with the headers of the environment. `parts`: what a receiver may reject of it. */
export async function sendAsIs(
  body: Uint8Array,
  { url, type, parts }: { url: string; type: `${string}/${string}`; parts: string },
): Promise<ExitCode> {
  const { headers, gzip, timeoutMs = TIMEOUT_MS } = settingsIn(process.env);
  const name = `${parts}, ${formatBytes(body.length)}`;
  const receiver = { url, headers: headersOf(headers), gzip, timeoutMs };
  const outcome = await pushMessage(body, type, receiver, (retry) => say(`spanflame: ${name}: ${retryWords(retry)}`));
  const tell = outcome.result === "accepted" && outcome.message === "" ? note : say;
  tell(`spanflame: ${name}: ${outcomeWords(outcome, "all", parts)}`);
  return outcome.result === "accepted" ? ExitCode.Done : ExitCode.Failed;
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
    if (part.oversized) say(`spanflame: warning: ${name}: above --split-bytes, cannot be split further`);
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
