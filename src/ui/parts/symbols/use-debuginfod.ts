/** Debug files from a debuginfod server, one library after the other, in a worker with its own policy. */
import { useEffect, useRef, useState } from "react";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { DEBUG_FILES } from "../../../model/words/outward.ts";
import type { LibraryRow } from "../../../symbols/library-rows.ts";
import { type Debuginfod, startDebuginfod } from "../../../worker/task-workers.ts";
import { mayRead } from "../consent/consent.ts";
import { SHELF } from "./sort-files.ts";

/** What became of the question about a library. */
export interface Outcome {
  buildId: string;
  name: string;
  words: string;
}

interface Fetching {
  name: string;
  /** Bytes. */
  received: number;
}

/** Addresses that are none are the worker's finding. */
async function askForServers(servers: string, wanted: readonly { name: string; buildId: string }[]): Promise<void> {
  const addresses = servers.split(/\s+/).filter((address) => URL.canParse(address));
  const question = {
    what: wanted.map(({ name, buildId }) => `Debug file of ${name === "" ? buildId : name}`),
    amount: `${formatCounted(wanted.length, "file")}, up to ${formatBytes(DEBUG_FILES.most)} each.`,
    sent: `the build ${wanted.length === 1 ? "id" : "ids"} of ${formatCounted(wanted.length, "library", "libraries")}`,
  };
  for (const origin of new Set(addresses.map((address) => new URL(address).origin)))
    await mayRead({ ...question, origin }, new AbortController().signal);
}

export function useDebuginfod(wanted: readonly Pick<LibraryRow, "name" | "buildId">[]) {
  const [servers, setServers] = useState("");
  const [fetching, setFetching] = useState<Fetching | null>(null);
  const [outcomes, setOutcomes] = useState<Outcome[]>([]);
  const worker = useRef<Debuginfod | null>(null);

  const stop = () => {
    worker.current?.end();
    worker.current = null;
  };
  useEffect(() => () => worker.current?.end(), []);

  const start = async () => {
    const mine = startDebuginfod();
    worker.current = mine;
    setOutcomes([]);
    try {
      await askForServers(servers, wanted);
    } catch (error) {
      setOutcomes([{ buildId: "", name: servers, words: error instanceof Error ? error.message : String(error) }]);
      return stop();
    }
    for (const { name, buildId } of wanted) {
      if (worker.current !== mine) break;
      const shown = name === "" ? buildId : name;
      setFetching({ name: shown, received: 0 });
      const answer = await mine.fetch(servers, buildId, ({ received }) => setFetching({ name: shown, received }));
      if (!answer.ok && answer.error.code === "stopped") break;
      const words = answer.ok ? formatBytes(answer.value.blob.size) : answer.error.message;
      setOutcomes((before) => [...before, { buildId, name: shown, words }]);
      if (answer.ok) await (await SHELF.fetch()).add([answer.value]);
      // The other questions would have the same answer.
      else if (answer.error.code === "address" || answer.error.code === "hidden") break;
    }
    mine.end();
    if (worker.current === mine) worker.current = null;
    setFetching(null);
  };
  return { servers, setServers, fetching, outcomes, start: () => void start(), stop };
}
