/** Debug files from a debuginfod server, one library after the other, in a worker with its own policy. */
import { useEffect, useRef, useState } from "react";
import { formatBytes } from "../../model/words/format.ts";
import type { LibraryRow } from "../../symbols/library-rows.ts";
import { type Debuginfod, startDebuginfod } from "../../worker/debuginfod-client.ts";
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
