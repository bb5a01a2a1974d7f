/**
 * Settings of a receiver from OpenTelemetry's environment variables. For each setting a variable of profiles alone
 * (OTEL_EXPORTER_OTLP_PROFILES_…) wins over that of all signals (OTEL_EXPORTER_OTLP_…), and an empty one is unset:
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */

import { UsageError } from "../../node/exit.ts";
import { smallText } from "../../node/small-text.ts";
import { systemWords } from "../../node/system-error.ts";
import { postUrl, profilesUrlBelow } from "../../push/endpoint.ts";

/** A header, and the option or variable that set it, for messages. */
export interface GivenHeader {
  option: string;
  text: string;
}

export interface EnvironmentSettings {
  /** Where to post, if a variable tells. Throws UsageError where it cannot be used. */
  url(): string | undefined;
  headers: GivenHeader[];
  timeoutMs?: number;
  gzip: boolean;
  json: boolean;
  /** A file with the certificates that are trusted, and the variable. */
  certificate?: { path: string; variable: string };
  /** Variables that are ignored, and why. */
  warnings: string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

const PREFIXES = ["OTEL_EXPORTER_OTLP_PROFILES_", "OTEL_EXPORTER_OTLP_"];
/** A timer of Node takes no more. */
const LONGEST_TIMEOUT_MS = 2_147_483_647;

interface Variable {
  name: string;
  text: string;
  isOfProfiles: boolean;
}

function variable(environment: Environment, part: string): Variable | undefined {
  for (const [i, prefix] of PREFIXES.entries()) {
    const text = environment[prefix + part]?.trim();
    if (text !== undefined && text !== "") return { name: prefix + part, text, isOfProfiles: i === 0 };
  }
  return undefined;
}

/** Throws UsageError where a header cannot be used; other texts that are wrong are warnings. */
export function settingsIn(environment: Environment): EnvironmentSettings {
  const of = (part: string) => variable(environment, part);
  const warnings: string[] = [];
  const known = (given: Variable | undefined, choices: readonly string[]): string | undefined => {
    if (given === undefined || choices.includes(given.text)) return given?.text;
    warnings.push(`${given.name}: ${JSON.stringify(given.text)} is not one of ${choices.join(", ")}, and is ignored`);
    return undefined;
  };
  const endpoint = of("ENDPOINT");
  const timeout = of("TIMEOUT");
  const certificate = of("CERTIFICATE");
  const protocol = known(of("PROTOCOL"), ["http/protobuf", "http/json", "grpc"]);
  const settings: EnvironmentSettings = {
    url: () => endpoint && urlIn(endpoint, protocol === "grpc" ? of("PROTOCOL")! : null),
    headers: headersIn(of("HEADERS")),
    gzip: known(of("COMPRESSION"), ["gzip", "none"]) === "gzip",
    json: protocol === "http/json",
    warnings,
  };
  if (certificate !== undefined) settings.certificate = { path: certificate.text, variable: certificate.name };
  if (timeout === undefined) return settings;
  if (/^[1-9]\d*$/.test(timeout.text) && Number(timeout.text) <= LONGEST_TIMEOUT_MS) {
    return { ...settings, timeoutMs: Number(timeout.text) };
  }
  warnings.push(`${timeout.name}: ${JSON.stringify(timeout.text)} is not a number of milliseconds, and is ignored`);
  return settings;
}

/** The address of profiles is used as it is, that of all signals gets the path of profiles. */
function urlIn({ name, text, isOfProfiles }: Variable, grpc: Variable | null): string {
  if (grpc !== null) throw new UsageError(`${grpc.name} is grpc, and push sends by HTTP: name an address by --to`);
  try {
    return isOfProfiles ? postUrl(text) : profilesUrlBelow(text);
  } catch (error) {
    throw new UsageError(`${name}: ${(error as Error).message}`);
  }
}

/** `key=value,key=value`, values with percent-encoding. Messages never repeat a value: it may be a key. */
function headersIn(given: Variable | undefined): GivenHeader[] {
  if (given === undefined) return [];
  const texts = given.text.split(",").filter((text) => text.trim() !== "");
  return texts.map((text) => {
    const [key = "", ...value] = text.split("=");
    try {
      return {
        option: given.name,
        text: `${decodeURIComponent(key.trim())}=${decodeURIComponent(value.join("=").trim())}`,
      };
    } catch {
      throw new UsageError(`${given.name}: the header ${JSON.stringify(key)} has a % that is not of an encoding`);
    }
  });
}

/** The part of `node:tls` that Node has from 22.19 and 24.5 on. */
interface Trusting {
  setDefaultCACertificates?(certificates: readonly string[]): void;
}

/** Trusts the certificates of a file and no others. Throws UsageError. */
export async function trust({ path, variable }: { path: string; variable: string }, tls: object): Promise<void> {
  const { setDefaultCACertificates }: Trusting = tls;
  if (setDefaultCACertificates === undefined) {
    throw new UsageError(`${variable} needs Node 22.19, 24.5 or newer; set NODE_EXTRA_CA_CERTS instead`);
  }
  const certificates = await smallText(variable, path);
  try {
    setDefaultCACertificates([certificates]);
  } catch (error) {
    throw new UsageError(`${variable}: ${path}: ${systemWords(error)}`);
  }
}
