/** The page's end of the worker that validates: it lives for one file. */
import type { OtlpReport, Result } from "./api.ts";
import { Connection } from "./connection.ts";
import type { ValidatorWorker } from "./validator.ts";

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
