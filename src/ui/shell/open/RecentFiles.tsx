import { useEffect, useState } from "react";
import { formatBytes } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { InputFile } from "../../../worker/api.ts";
import { forgetRecent, openRecent, type RecentFiles as Recent, recentFiles } from "../../parts/files/recent.ts";
import { Button } from "../../primitives/icon/Icon.tsx";
import { storage } from "../../primitives/panes/use-stored.ts";
import css from "./RecentFiles.module.css";

interface Props {
  onFiles: (files: InputFile[]) => void;
  /** Names and sizes of the files that the page is about: those come first. */
  wanted: readonly string[];
}

/** Files that were open before, each set a button; nothing where there are none. */
export function RecentFiles({ onFiles, wanted }: Props) {
  const [sets, setSets] = useState<Recent[]>([]);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    // Where the browser keeps nothing there is nothing to show.
    recentFiles().then(setSets, () => {});
  }, []);
  const open = (set: Recent) => {
    setProblem("");
    openRecent(set).then(onFiles, (error: Error) => setProblem(error.message));
  };
  const forget = () => {
    setSets([]);
    storage.setItem("recent", "false");
    void forgetRecent();
  };
  const isWanted = ({ files }: Recent) =>
    wanted.length > 0 && wanted.every((text) => files.some(({ name, size }) => `${name}~${size}` === text));
  const found = sets.find(isWanted);
  const others = sets.filter((set) => set !== found);
  if (sets.length === 0) return null;
  return (
    <section className={css.recent} aria-label="Open again" data-testid="recent">
      {found !== undefined && (
        <Button look="primary" testId="recent-wanted" onClick={() => open(found)}>
          Open <bdi>{wordsOf(found)}</bdi> again
        </Button>
      )}
      {others.length > 0 && <span>{found === undefined ? "Open again" : "Others"}</span>}
      {others.map((set) => (
        <Button key={wordsOf(set)} testId="recent-files" onClick={() => open(set)}>
          <bdi>{wordsOf(set)}</bdi>
        </Button>
      ))}
      <Button testId="recent-forget" title="The page keeps names and sizes only" onClick={forget}>
        Forget
      </Button>
      <p role="status">{problem}</p>
    </section>
  );
}

function wordsOf({ files }: Recent): string {
  const size = files.reduce((sum, each) => sum + each.size, 0);
  return `${visible(files.map(({ name }) => name).join(", "), 80)} (${formatBytes(size)})`;
}
