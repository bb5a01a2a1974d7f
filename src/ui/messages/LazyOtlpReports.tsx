import type { Failure } from "../../worker/api.ts";
import { Lazy } from "../lazy/lazy.ts";
import { useLazy } from "../lazy/use-lazy.ts";
import type { FileReport } from "./use-otlp-reports.ts";

const REPORTS = new Lazy(() => import("./OtlpReports.tsx"));

interface Props {
  reports: readonly FileReport[];
  onFailure: (failure: Failure) => void;
}

/** Reports of OTLP files without a recording: fetched with the first one, as the first load needs none. */
export function LazyOtlpReports({ reports, onFailure }: Props) {
  const loaded = useLazy(reports.length > 0 ? REPORTS : null, onFailure);
  if (loaded === null) return null;
  return (
    <>
      <loaded.OtlpReports reports={reports} />
      <loaded.CleanReports reports={reports} />
    </>
  );
}
