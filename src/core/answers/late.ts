/**
 * Answers that come after the first graph: the page's worker loads them while that is drawn, everything else with the
 * rest of the core.
 */
export { addressedLibraries } from "./libraries.ts";
export { pauseCover, readMarks } from "./marks.ts";
export { Ranking } from "./ranking.ts";
export { linesIn, readSeries, seriesSummary } from "./series.ts";
export { namesInFiles, stackValues } from "./stack-rules.ts";
export { nameLocations } from "./symbols.ts";
