/**
 * An upload as Datadog's profilers send it to their agent: a multipart form of event.json and a pprof file, compressed
 * with gzip, for each profile.
 */
import { gzipSync } from "node:zlib";
import { multipartForm } from "../../bytes/multipart-form.ts";
import { countedRequests } from "../../core/answers/uploads.ts";
import type { Core } from "../../core/core.ts";
import { messageResource } from "../../core/instance/resource.ts";
import { recordedTime } from "../../core/tables/recorded-time.ts";
import type { Filter, Resource } from "../../core/types.ts";
import { tagsOf } from "../../input/upload-event.ts";
import { UsageError } from "../../node/exit.ts";
import { postUrl } from "../../push/endpoint.ts";

/** Where agents listen. */
const AGENT = "http://localhost:8126";
const PATH = "/profiling/v1/input";
const NANOS_OF_MS = 1_000_000n;
/** Families of profilers by language. */
const FAMILIES: ReadonlyMap<string, string> = new Map(Object.entries({ nodejs: "node" }));

export interface Upload {
  body: Uint8Array;
  contentType: `multipart/${string}`;
  profiles: number;
  observations: number;
}

/** The address of an agent or an intake; an agent's may be without a path. Throws UsageError. */
export function agentUrl(address: string = process.env.DD_TRACE_AGENT_URL || AGENT): string {
  try {
    const url = new URL(postUrl(address));
    if (url.pathname === "/") url.pathname = PATH;
    return url.href;
  } catch (error) {
    throw new UsageError(`--to: ${(error as Error).message}`);
  }
}

/** The selected samples of a profile, null: of all; null if there are none. */
export function uploadOf(core: Core, profile: number | null, filter: Filter, resource: Resource): Upload | null {
  const wanted = core.profiles().filter(({ id }) => profile === null || id === profile);
  const written = wanted.flatMap(({ id, type }) => {
    const { bytes, observations } = core.write(id, filter, { format: "pprof", timestamps: true });
    const name = `${type.replace(/[^\w.-]+/g, "_")}.pprof`;
    // The bytes of an output are those of the next one, too.
    return observations === 0 ? [] : [{ name, bytes: gzipSync(bytes), observations }];
  });
  if (written.length === 0) return null;
  const stated = messageResource(core.files(), resource);
  const counted = countedRequests(core, filter);
  const now = BigInt(Date.now()) * NANOS_OF_MS;
  const { from, to } = core.views.timeBounds() ?? recordedTime(core.files()) ?? { from: now, to: now };
  const event = {
    attachments: written.map(({ name }) => name),
    tags_profiler: tagsOf(stated),
    start: isoTime(from),
    end: isoTime(to),
    family: familyOf(stated),
    version: "4",
    endpoint_counts: counted === null ? null : Object.fromEntries(counted),
  };
  const form = multipartForm([
    { name: "event", file: "event.json", type: "application/json", bytes: Buffer.from(JSON.stringify(event)) },
    ...written.map(({ name, bytes }) => ({ name, file: name, type: "application/octet-stream", bytes })),
  ]);
  return {
    ...form,
    profiles: written.length,
    observations: written.reduce((sum, { observations }) => sum + observations, 0),
  };
}

function familyOf(resource: Resource): string {
  const language = String(resource["telemetry.sdk.language"] ?? "native");
  return FAMILIES.get(language) ?? language;
}

/** `2026-11-20T08:00:00.123456789Z`. */
function isoTime(nanos: bigint): string {
  const fraction = String(nanos % 1_000_000_000n).padStart(9, "0");
  return `${new Date(Number(nanos / NANOS_OF_MS)).toISOString().slice(0, 19)}.${fraction}Z`;
}
