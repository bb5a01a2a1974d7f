/** `spanflame waits`: what the selected requests waited for, and who held it. */
import { filterChipsOf } from "../../model/query/chips.ts";
import { argsOf } from "../../model/query/filters.ts";
import { shellWords } from "../../model/query/written/command-line.ts";
import { type Blocked, type BlockedBy, heldFilter } from "../../model/waits/held.ts";
import { byDuration, type Held, type Wait } from "../../model/waits/waits.ts";
import { formatCount, formatNanos, formatPercent } from "../../model/words/format.ts";
import { countOf, parseFilter } from "../../node/arguments.ts";
import { meantBy } from "../../node/asked-ids.ts";
import { ExitCode } from "../../node/exit.ts";
import { inputsOf } from "../../node/inputs.ts";
import { readAround } from "../../node/request-window.ts";
import { note, printJson, printLongJson, printTable, say } from "../../node/terminal.ts";
import type { CallOf } from "../../node/usage/commands.ts";
import { HeldCore } from "../../requests/held-core.ts";
import { allWaits, blockedIn, waitPage } from "../../requests/waits.ts";

export async function waits({ inputs, values }: CallOf<"waits">): Promise<ExitCode> {
  const parsed = await parseFilter(values);
  const limit = countOf("--limit", values.limit, Number.MAX_SAFE_INTEGER);
  const { core, traces, exit } = await readAround(inputsOf(inputs), values, parsed);
  if (exit === ExitCode.Failed) return exit;
  const filter = meantBy(core, traces, parsed);
  const held = new HeldCore(core);
  const profiles = core.profiles();
  if (values.by !== undefined) {
    const { blocked, total } = await blockedIn(held, profiles, filter, values.by as BlockedBy, [0, limit]);
    if (values.json) printJson({ blocked, total });
    else {
      printBlocked(blocked);
      noteHolder(blocked[0]?.longest, inputs);
    }
    return exit;
  }
  if (values.json) {
    const { waits: all, total } = await waitPage(held, profiles, filter, [0, limit], MOST_LISTED);
    if (total.waits > MOST_LISTED) note(`the longest ${formatCount(MOST_LISTED)} of ${formatCount(total.waits)} waits`);
    const answer = { waits: all.map(record), total };
    printLongJson(answer, "waits");
    return exit;
  }
  const longest = (await allWaits(held, profiles, filter, limit)).sort(byDuration);
  if (longest.length === 0 && limit > 0) say("spanflame: no waits");
  printTable(
    longest.map((wait) => [
      formatNanos(Number(wait.durationNano)),
      wait.kind,
      wait.class ?? wait.target ?? "",
      wait.operation ?? wait.thread,
      holderOf(wait),
    ]),
    ["duration", "kind", "on", "request", "held by"],
  );
  noteHolder(longest.flatMap(({ held }) => longestOf(held) ?? [])[0], inputs);
  return exit;
}

/** Waits that are listed with `--json`: more do not fit into the memory of Node. */
const MOST_LISTED = 500_000;
const NO_NAME = "(no name)";

function printBlocked(rows: readonly Blocked[]): void {
  if (rows.length === 0) say("spanflame: no wait whose holder is known");
  printTable(
    rows.map(({ durationNano, waits, longest, holder, waiter, certainNano, ...row }) => [
      formatNanos(Number(durationNano)),
      `${waits}`,
      formatNanos(Number(longest.durationNano)),
      formatPercent(certainNano, durationNano),
      row.class,
      holder || NO_NAME,
      waiter || NO_NAME,
    ]),
    ["time", "waits", "longest", "certain", "on", "held by", "waiting"],
  );
}

function record({ address, ...wait }: Wait) {
  return { ...wait, address: address === null ? null : `0x${address.toString(16)}` };
}

function longestOf(held: readonly Held[]): Held | undefined {
  return [...held].sort(byDuration)[0];
}

/** The command for what the first holder of the answer did while it held. */
function noteHolder(held: Held | undefined, inputs: readonly string[]): void {
  const filter = held && heldFilter(held);
  if (filter == null) return;
  const { args } = argsOf(filterChipsOf(filter));
  const file = held?.file == null ? [] : ["--file", held.file];
  const command = shellWords(["spanflame", "why", ...inputs, ...args, ...file]);
  note(`what the longest holder of the first row did meanwhile: ${command}`);
}

/** The one that held it longest. */
function holderOf({ held }: Wait): string {
  const longest = longestOf(held);
  if (longest === undefined) return "";
  const { durationNano, operation, thread, certain } = longest;
  return `${formatNanos(Number(durationNano))} by ${operation ?? thread}${certain ? "" : " (likely)"}`;
}
