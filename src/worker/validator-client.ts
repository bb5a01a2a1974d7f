/** The page's end of the worker that validates: it lives for one file. */
import type { Finding } from "../validate/findings.ts";
import type { Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { ValidatorWorker } from "./validator.ts";

/** A finding, and what the rule says has to hold. */
export interface OtlpFinding extends Finding {
  holds: string;
}

export interface OtlpReport {
  /** Whether nothing is an error. */
  valid: boolean;
  /** Errors first. */
  findings: OtlpFinding[];
}

/** The report of one file; `stop` ends it early. */
export function checkOtlp(file: Blob): { report: Promise<Result<OtlpReport>>; stop: () => void } {
  const connection = new Connection<ValidatorWorker>(
    () => new Worker(new URL("./validator.ts", import.meta.url), { type: "module", name: "spanflame validator" }),
    "The validator's worker",
  );
  const stop = () => connection.end({ code: "stopped", message: "Stopped." });
  const report = connection.ask((remote) => remote.validate(file));
  void report.then(stop);
  return { report, stop };
}
