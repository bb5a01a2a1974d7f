/** The validator's word on every OTLP file of the page, one after the other. */
import { useEffect, useState } from "react";
import type { InputFile, OtlpReport } from "../../../worker/api.ts";
import { incomplete, Lazy } from "../../primitives/lazy/lazy.ts";
import { toastFailure } from "../../primitives/toast/toasts.ts";

const WORKERS = new Lazy(() => import("../../../worker/task-workers.ts"));

export interface FileReport {
  name: string;
  /** Null if the validator itself failed; `failure` has the reason. */
  report: OtlpReport | null;
  failure: string;
}

/** Those that are ready. `files` must be the same array as long as they are the same files. */
export function useOtlpReports(files: readonly InputFile[]): FileReport[] {
  const [reports, setReports] = useState<FileReport[]>([]);

  useEffect(() => {
    let stop = () => {};
    let stopped = false;
    const checkAll = async () => {
      if (files.length === 0) return;
      const { startValidator } = await WORKERS.fetch();
      if (stopped) return;
      for (const { name, blob } of files) {
        const validator = startValidator();
        stop = validator.end;
        const answer = await validator.validate(blob);
        stop();
        if (stopped) return;
        const ready = answer.ok
          ? { name, report: answer.value, failure: "" }
          : { name, report: null, failure: answer.error.message };
        setReports((before) => [...before, ready]);
      }
    };
    checkAll().catch((error: unknown) => toastFailure(incomplete(error)));
    return () => {
      stopped = true;
      stop();
      setReports([]);
    };
  }, [files]);

  return reports;
}
