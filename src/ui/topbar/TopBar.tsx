import type { ReactNode } from "react";
import type { InputFile } from "../../worker/api.ts";
import { FilePicker } from "../open/FilePicker.tsx";
import type { Theme } from "../theme/use-theme.ts";
import { Files } from "./Files.tsx";
import css from "./TopBar.module.css";

interface Props {
  /** Those on the page. */
  files: InputFile[];
  /** Others are chosen, in their place or beside them, */
  onFiles: (files: InputFile[]) => void;
  /** or some more, or fewer. */
  onChange: (files: InputFile[]) => void;
  /** Shows the samples of one file only. */
  onOnly?: (name: string) => void;
  theme: Theme;
  onTheme: () => void;
  /** Once a recording is open: what there is to know of it, */
  about?: ReactNode;
  /** its profiles, in a row of their own, */
  profiles?: ReactNode;
  /** id box and downloads. */
  children?: ReactNode;
}

const THEME_WORD: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function TopBar({ files, onFiles, onChange, onOnly, theme, onTheme, about, profiles, children }: Props) {
  return (
    <header className={css.bar}>
      <div className={css.title}>
        <h1 className={css.brand}>Spanflame</h1>
        {files.length > 0 && (
          <>
            <Files files={files} onChange={onChange} onOnly={onOnly} />
            {about}
            <FilePicker label="Open…" onFiles={onFiles} />
          </>
        )}
      </div>
      {children}
      <button
        type="button"
        className={css.theme}
        data-testid="theme"
        aria-label={`Colours: ${THEME_WORD[theme]}`}
        title={`Colours: ${THEME_WORD[theme]}`}
        onClick={onTheme}
      >
        ◐
      </button>
      {profiles !== undefined && <div className={css.profiles}>{profiles}</div>}
    </header>
  );
}
