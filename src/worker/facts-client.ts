/** The page's end of the worker that reads the facts of files: it lives for one collection. */
import * as Comlink from "comlink";
import type { FileFacts } from "../model/collection/facts.ts";
import type { InputFile, Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { FactsWorker } from "./facts.ts";

export interface FactsReader {
  facts(file: InputFile, onBytes: (bytes: number) => void): Promise<Result<FileFacts>>;
  /** Ends the worker; the question without an answer fails with `stopped`. */
  end(): void;
}

/** A worker that a file has ended is replaced for the next file. */
export function startFactsReader(): FactsReader {
  let connection: Connection<FactsWorker> | null = null;
  let isEnded = false;
  const connect = () => {
    const started = new Connection<FactsWorker>(
      () => new Worker(new URL("./facts.ts", import.meta.url), { type: "module", name: "spanflame facts" }),
      "The worker that reads files",
      () => {
        if (connection === started) connection = null;
      },
    );
    return started;
  };
  return {
    facts: (file, onBytes) => {
      if (isEnded) return Promise.resolve({ ok: false, error: STOPPED });
      connection ??= connect();
      return connection.ask((remote) => remote.facts(file, Comlink.proxy(onBytes)));
    },
    end: () => {
      isEnded = true;
      connection?.end(STOPPED);
    },
  };
}

const STOPPED = { code: "stopped", message: "Stopped." };
