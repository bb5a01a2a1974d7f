/** `spanflame why`: where the time of the requests of a selection went, beside other requests. */
import type { BreakdownPart } from "../../model/span-time/breakdown.ts";
import { atOnceWords, intervalWords, PART_WORDS } from "../../model/span-time/words.ts";
import { durationWords } from "../../model/trace/operation-words.ts";
import { formatCount, formatCounted, formatNanos, formatPercent } from "../../model/words/format.ts";
import { print, printTable } from "../../node/terminal.ts";
import type { WhyRequests } from "../../requests/api/why-api.ts";
import type { ChoiceTime } from "../../requests/traces/span-requests.ts";

/** The record for people. */
export function printRequests(record: WhyRequests, source: ChoiceTime["source"]): void {
  const { requests, counted, durationNano, from, breakdown, others, unknownRoots } = record;
  const some = counted < requests ? `, of which ${formatCount(counted)}, spread evenly, are counted` : "";
  const length = Number(durationNano);
  const where = from === "samples" ? ", each from its first to its last sample" : "";
  print("");
  print(
    `${formatCounted(requests, "request")}${some}: ${durationWords(length, source)} together, ${durationWords(length / counted, source)} on average${where}`,
  );
  const each = (nano: bigint | undefined, of: number) => formatNanos(Number(nano ?? 0n) / of);
  const other = ({ part }: BreakdownPart) => others?.breakdown.find((row) => row.part === part)?.nano;
  printTable(
    breakdown.map((row) => [
      formatNanos(Number(row.nano)),
      formatPercent(row.nano, durationNano),
      intervalWords(row),
      `each ${each(row.nano, counted)}`,
      ...(others === null ? [] : [`others ${each(other(row), others.counted)}`]),
      `${PART_WORDS[row.part].name}: ${PART_WORDS[row.part].about}`,
    ]),
    ["time", "share", "interval (95 %)", "each", ...(others === null ? [] : ["others"]), "what it is"],
  );
  const cpu = record.cpuNano === null ? null : Number(record.cpuNano);
  const atOnce = atOnceWords({ duration: length, cpu, counted });
  if (atOnce !== "") print(atOnce);
  if (others !== null)
    print(`Others: the average of ${formatCounted(others.counted, "other request")}${OF[others.of]}`);
  if (unknownRoots > 0) print(`${formatCounted(unknownRoots, "more local root")}: no trace knows them`);
}

const OF = {
  selection: " of the selection",
  endpoint: " of the endpoint",
  operation: " of the operation",
  all: "",
} as const;
