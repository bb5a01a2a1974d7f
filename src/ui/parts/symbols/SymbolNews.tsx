import { formatCounted } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import { baseName } from "../../../symbols/archive-path.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { type SymbolState, type SymbolsProgress, useSymbols } from "../answers/symbol-store.ts";
import css from "./SymbolNews.module.css";
import { SHELF } from "./sort-files.ts";

/** Files beyond this many are only counted. */
const SHOWN = 3;

/** Files of symbols that are being read, or that wait for a recording. */
export function SymbolNews() {
  const { progress, files } = useSymbols();
  return progress === null ? <Waiting files={files} /> : <Reading progress={progress} />;
}

function Reading({ progress: { text, share } }: { progress: SymbolsProgress }) {
  const title = visible(`${text}…`, 160);
  return (
    <section className={css.news} aria-label={title} data-testid="symbols-progress">
      <p className={css.title} role="status">
        <bdi>{title}</bdi>
      </p>
      <progress aria-label={title} max={1} {...(share !== null && { value: share })} />
      <div className={css.foot}>
        <Button testId="symbols-cancel" onClick={() => SHELF.loaded?.cancel()}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

function Waiting({ files }: Pick<SymbolState, "files">) {
  const usable = files.filter(({ kind, buildId }) => kind === "readable" && buildId !== "").length;
  return (
    <section className={css.news} aria-label="Symbols" data-testid="symbols-waiting">
      <p className={css.title} role="status">
        {usable === 0
          ? "These files have no symbols that can be used."
          : `${formatCounted(usable, "file")} of symbols ${usable === 1 ? "waits" : "wait"} for a recording.`}
      </p>
      <p className={css.names}>
        <bdi>
          {files
            .slice(0, SHOWN)
            .map(({ path }) => visible(baseName(path), 60))
            .join(", ")}
        </bdi>
        {files.length > SHOWN && ` and ${files.length - SHOWN} more`}
      </p>
      <div className={css.foot}>
        <Button
          testId="symbols-discard"
          onClick={() => {
            for (const file of files) void SHELF.loaded?.remove(file);
          }}
        >
          Remove
        </Button>
      </div>
    </section>
  );
}
