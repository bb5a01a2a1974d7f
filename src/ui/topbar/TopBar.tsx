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
  /** Profile tabs, id box and downloads, once a recording is open. */
  children?: ReactNode;
}

const THEME_WORD: Record<Theme, string> = { system: "System", light: "Light", dark: "Dark" };

export function TopBar({ names, onFiles, theme, onTheme, children }: Props) {
  return (
    <header className={css.bar}>
      <div className={css.title}>
        <h1 className={css.brand}>Spanflame</h1>
        {names.length > 0 && (
          <>
            <bdi className={css.names} title={visible(names.join("\n"))}>
              {visible(names.join(", "), 120)}
            </bdi>
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
    </header>
  );
}
