import type { ReactNode } from "react";
import { visible } from "../../model/text.ts";
import type { InputFile } from "../../worker/api.ts";
import { FilePicker } from "../open/FilePicker.tsx";
import type { Theme } from "../theme/use-theme.ts";
import css from "./TopBar.module.css";

interface Props {
  names: string[];
  onFiles: (files: InputFile[]) => void;
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

export function TopBar({ names, onFiles, theme, onTheme, about, profiles, children }: Props) {
  return (
    <header className={css.bar}>
      <div className={css.title}>
        <h1 className={css.brand}>Spanflame</h1>
        {names.length > 0 && (
          <>
            <bdi className={css.names} title={visible(names.join("\n"))}>
              {visible(names.join(", "), 120)}
            </bdi>
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
