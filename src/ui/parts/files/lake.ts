/**
 * A trace out of a data set on a static host: `#lake=URL&trace=ID`, with `&date=YYYY-MM-DD` for one day only, and what
 * else is known of its samples: `&service=`, `&from=` and `&to=`.
 */

import type { FilterChip } from "../../../model/query/filters.ts";
import { momentIn, NO_MOMENT } from "../../../model/query/moment.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { hexId, parseId } from "../../../model/words/ids.ts";
import { LAKE } from "../../../model/words/outward.ts";
import type { InputFile } from "../../../worker/api.ts";
import { fromElsewhere } from "../../../worker/task-workers.ts";
import { mayRead } from "../consent/consent.ts";

/** The last time that can be asked for. */
const LAST = 2n ** 64n - 1n;

export async function fetchTrace(params: URLSearchParams, signal: AbortSignal): Promise<InputFile[]> {
  const address = params.get("lake") ?? "";
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error(`lake=${address} is not an http or https address.`);
  const name = params.has("trace") ? "trace" : "root";
  const parsed = parseId(params.get(name) ?? "");
  if (!parsed.ok) throw new Error(`${name}=: ${parsed.error}.`);
  const service = params.get("service");
  const conditions: FilterChip[] = [{ kind: "local-root", id: parsed.id }];
  if (params.has("from") || params.has("to"))
    conditions.push({ kind: "time", from: timeIn(params, "from", 0n), to: timeIn(params, "to", LAST) });
  if (service !== null) conditions.push({ kind: "attribute", key: "service.name", value: service });
  const question = {
    origin: url.origin,
    what: [`Samples of ${hexId(parsed.id)} in the data set ${url.pathname}`],
    amount: `Ranges of its files, at most ${formatBytes(LAKE.most)}.`,
    sent: LAKE.learns,
  };
  await mayRead(question, signal);
  const ask = { conditions, date: params.get("date"), mostBytes: LAKE.most };
  const answer = await fromElsewhere(signal, (fetcher) => fetcher.select(url.href, ask));
  if (!answer.ok) throw new Error(`${url.href} could not be read: ${answer.error.message}`);
  const { message, samples, spans, damaged, unchecked, older, inbox } = answer.value;
  if (samples === 0) throw new Error(`${url.href} has no samples of ${hexId(parsed.id)}.`);
  const findings: InputFile["findings"] = damaged.map((text) => ({
    code: "parquet.damaged",
    severity: "error",
    message: text,
  }));
  if (older !== null) findings.push({ code: "parquet.older", severity: "info", message: older });
  if (inbox !== null)
    findings.push({ code: "parquet.inbox", severity: "warning", message: `The data set is ${inbox}.` });
  if (unchecked > 0) {
    const text = `${formatCounted(unchecked, "part")} without checksums, so damage in them may look like data`;
    findings.push({ code: "parquet.unchecked", severity: "info", message: text });
  }
  const files: InputFile[] = [{ name: `${hexId(parsed.id)}.pb`, blob: new Blob([message]), findings }];
  if (spans !== null) files.push({ name: `${hexId(parsed.id)}.trace.pb`, blob: new Blob([spans]) });
  return files;
}

function timeIn(params: URLSearchParams, name: string, otherwise: bigint): bigint {
  const text = params.get(name);
  if (text === null) return otherwise;
  const moment = momentIn(text, Date.now());
  if (moment === null) throw new Error(`${name}=${text} ${NO_MOMENT}.`);
  return moment;
}
