/** Source files among the files of the user, by their names: they are no recordings, and are kept for the frames. */
import type { InputFile } from "../../../worker/api.ts";
import { Lazy } from "../../primitives/lazy/lazy.ts";
import type { SourceShelf } from "./shelf.ts";

/** The source files: loaded with the first one. */
export const SOURCES: Lazy<SourceShelf> = new Lazy(() => import("./shelf.ts").then(({ shelf }) => shelf));

/** No recording has such a name. */
export const SOURCE_NAME =
  /\.(?:java|kts?|scala|groovy|go|py|rb|php|[cm]?[jt]sx?|rs|cs|c|cc|cpp|cxx|h|hh|hpp|swift|erl|exs?)$/i;

/** Takes the source files; the others, and whether there were any. */
export async function takeSources(files: InputFile[]): Promise<{ others: InputFile[]; hasSources: boolean }> {
  const isSource = ({ name, parts }: InputFile) => parts === undefined && SOURCE_NAME.test(name);
  const sources = files.filter(isSource);
  if (sources.length > 0) (await SOURCES.fetch()).add(sources);
  return { others: files.filter((file) => !isSource(file)), hasSources: sources.length > 0 };
}
