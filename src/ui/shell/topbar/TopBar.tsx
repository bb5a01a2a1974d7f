import { FolderOpen, Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import type { InputFile } from "../../../worker/api.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { MenuButton } from "../../primitives/menu/MenuButton.tsx";
import type { Theme } from "../../primitives/theme/use-theme.ts";
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
  onTheme: (theme: Theme) => void;
  /** Once a recording is open: what there is to know of it, */
  about?: ReactNode;
  /** the search in the middle, */
  search?: ReactNode;
  /** and what can be done with it. */
  children?: ReactNode;
}

const THEMES = [
  { theme: "system", label: "System", icon: Monitor },
  { theme: "light", label: "Light", icon: Sun },
  { theme: "dark", label: "Dark", icon: Moon },
] as const;

export function TopBar({ files, onFiles, onChange, onOnly, theme, onTheme, about, search, children }: Props) {
  const now = THEMES.find((each) => each.theme === theme) ?? THEMES[0];
  return (
    <header className={css.bar}>
      <div className={css.title}>
        <h1 className={css.brand}>
          <Logo /> <span className={css.name}>Spanflame</span>
        </h1>
        {files.length > 0 && (
          <>
            <Files files={files} onFiles={onFiles} onChange={onChange} onOnly={onOnly} />
            {about}
            <FilePicker label="Open files…" icon={FolderOpen} onFiles={onFiles} />
          </>
        )}
      </div>
      <div className={css.search}>{search}</div>
      <div className={css.actions}>
        {children}
        <MenuButton
          icon={now.icon}
          label={`Colours: ${now.label}`}
          testId="theme"
          groups={[
            THEMES.map((each) => ({
              label: each.label,
              icon: each.icon,
              checked: each.theme === theme,
              testId: `theme-${each.theme}`,
              run: () => onTheme(each.theme),
            })),
          ]}
        />
      </div>
    </header>
  );
}

/** The mark of the page, as in public/favicon.svg. */
function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" fill="#1f5fd0" />
      <path d="M2 3h12v3H2z" fill="#fff" />
      <path d="M2 7h8v3H2z" fill="#fff" opacity=".85" />
      <path d="M2 11h4v3H2z" fill="#ffc46b" />
    </svg>
  );
}
